// READ_ENGINE=verify and READ_ENGINE=sample: compares the results of compiled reads with those of Prisma's own engine.
import { isDeepStrictEqual } from 'node:util'
import { DomainError } from '../../basics/errors.ts'
import { objectNumber } from '../../basics/memoize.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { PreloadedRecord } from '../postgres/preloaded-record.ts'
import { parentId } from '../postgres/record-reads.ts'
import { isSelectionAt, toSelect } from '../postgres/selection-template.ts'
import type { ReadEngineMode } from './client.ts'
import type { Selection } from './select.ts'

interface VerifiedRead {
  readonly model: string
  readonly name: string
  readonly args: object
}

/** Number of reads per shape of arguments that are compared with READ_ENGINE=sample. */
const samples = 3

const reads = new Map<string, number>()

/** Whether to compare a read: with `verify` always, with `sample` only the first reads per shape of arguments. */
export function shouldVerify(mode: ReadEngineMode, { model, name, args }: VerifiedRead): boolean {
  if (mode !== 'sample') return mode === 'verify'
  const shape = `${model}.${name} ${JSON.stringify(args, withoutValues)}`
  // Not compared here, because `pagesOfParentsSql` compares all its pages.
  if (shape.includes(JSON.stringify(parent))) return false
  const earlier = reads.get(shape) ?? 0
  reads.set(shape, earlier + 1)
  return earlier < samples
}

const parent = '(parent)'

function withoutValues(_key: string, value: unknown): unknown {
  if (value === parentId) return parent
  if (isSelectionAt(value)) return objectNumber(value.template)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return []
  return typeof value === 'object' || typeof value === 'boolean' ? value : typeof value
}

/** Maximum number of comparisons: writes between the two reads also cause differences, so both are repeated. */
const maxAttempts = 10

/** Returns the compiled result. Throws an error that shows both results if Prisma returns another result. */
export async function verifyResult(
  read: VerifiedRead,
  compiled: Promise<unknown>,
  viaPrisma: () => Promise<unknown>,
  again: () => Promise<unknown> | undefined,
): Promise<unknown> {
  let result = await settle(compiled)
  // Not compared, because Prisma's own engine has no limit for long texts.
  if (result.value instanceof DomainError) throw result.value
  for (let attempt = 1; ; attempt += 1) {
    const expected = await settle(viaPrisma())
    if (isSame(read, result.value, expected.value) && result.failed === expected.failed) break
    if (attempt === maxAttempts) throw new ReadEngineMismatch(read, result.value, expected.value)
    result = await settle(again() ?? Promise.resolve())
  }
  if (result.failed) throw result.value
  return result.value
}

function isSame({ name, args }: VerifiedRead, compiled: unknown, expected: unknown): boolean {
  const { select } = args as Args
  const plainArgs = isSelectionAt(select) ? { ...args, select: toSelect(select) } : args
  const comparable = (value: unknown) => {
    const result = toPlain(value)
    const page = (each: { records?: unknown }) => ({ ...each, records: ordered(each.records, plainArgs) })
    if (name === 'findPages' && Array.isArray(result)) return result.map(page)
    return name === 'findPage' ? page(result as object) : ordered(result, plainArgs)
  }
  return isDeepStrictEqual(comparable(compiled), comparable(expected))
}

type Args = Selection & { readonly orderBy?: unknown }

/** Sorts lists without `orderBy`, whose order is undefined. */
function ordered(value: unknown, { orderBy, select }: Args): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(item, { select }))
    return orderBy ? items : items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const args = select?.[name]
      return [name, typeof args === 'object' && args !== null ? ordered(field, args) : field]
    }),
  )
}

class ReadEngineMismatch extends Error {
  constructor({ model, name, args }: VerifiedRead, compiled: unknown, prisma: unknown) {
    const show = (value: unknown) => JSON.stringify(toPlain(value))
    super(`${model}.${name}(${JSON.stringify(args)}): compiled ${show(compiled)}, Prisma ${show(prisma)}`)
  }
}

async function settle(promise: Promise<unknown>): Promise<{ value: unknown; failed: boolean }> {
  try {
    return { value: await promise, failed: false }
  } catch (error) {
    return { value: error, failed: true }
  }
}

/** Converts lazy records to plain objects, and errors to their codes. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Error) return { code: (value as { code?: unknown }).code }
  if (value instanceof Date) return value.getTime()
  if (Prisma.Decimal.isDecimal(value)) return value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value !== 'object' || value === null) return value
  const names = new Set(Object.keys(value))
  if (value instanceof PreloadedRecord) {
    const prototype = Object.getPrototypeOf(value) as object
    for (const name of Object.getOwnPropertyNames(prototype)) if (name !== 'constructor') names.add(name)
  }
  return Object.fromEntries([...names].sort().map((name) => [name, toPlain((value as Record<string, unknown>)[name])]))
}
