// Sends the statements of the read engine. A statement whose long texts have a budget is sent twice when it reads any.
import { setImmediate } from 'node:timers/promises'
import { queryRows } from '../query.ts'
import { anyLength, type LongTextBudget, omittedBytes, shortText, withByteLimit } from './long-texts.ts'
import { type CompiledStatement, compileByIds, type FindArgs, type Row } from './statement.ts'

function send(client: object, statement: CompiledStatement, byteLimit: number): Promise<Row[]> {
  const { text, usesGenericPlan, hasLongTexts } = statement
  const values = hasLongTexts ? withByteLimit(statement.values, byteLimit) : statement.values
  return queryRows<Row>(client, { text, values, prepared: usesGenericPlan ? 'record' : undefined })
}

/** All rows of a statement. */
export async function readRows(
  client: object,
  statement: CompiledStatement,
  budget: LongTextBudget | undefined,
): Promise<Row[]> {
  if (!budget || !statement.hasLongTexts) return send(client, statement, anyLength)
  const rows = await send(client, statement, shortText)
  const bytes = rows.reduce((sum, { record }) => sum + omittedBytes(record), 0)
  if (bytes === 0) return rows
  await budget.reserve(bytes)
  return send(client, statement, anyLength)
}

interface ReadByIds {
  readonly model: string
  readonly args: FindArgs
  readonly ids: readonly unknown[]
}

/** The rows with these IDs, in no order; those with long texts in several statements. */
export async function readRowsByIds(
  client: object,
  { model, args, ids }: ReadByIds,
  budget: LongTextBudget | undefined,
): Promise<Row[]> {
  const statement = compileByIds(model, args, ids)
  if (!budget || !statement.hasLongTexts) return send(client, statement, anyLength)
  const rows = await send(client, statement, shortText)
  const bytesOfId = new Map<unknown, number>()
  for (const { id, record } of rows) {
    const bytes = omittedBytes(record)
    if (bytes > 0) bytesOfId.set(id, bytes)
  }
  if (bytesOfId.size === 0) return rows
  await budget.reserve([...bytesOfId.values()].reduce((sum, bytes) => sum + bytes))
  const read = rows.filter(({ id }) => !bytesOfId.has(id))
  for (const slice of slices(bytesOfId)) {
    read.push(...(await send(client, compileByIds(model, args, slice), anyLength)))
  }
  return read
}

/** Bytes of long texts that one statement reads, unless one record has more: what the driver parses at once. */
const sliceBytes = 2_000_000

function slices(bytesOfId: ReadonlyMap<unknown, number>): unknown[][] {
  const found: unknown[][] = []
  let left = 0
  for (const [id, bytes] of bytesOfId) {
    if (bytes > left || found.length === 0) {
      found.push([])
      left = sliceBytes
    }
    found.at(-1)?.push(id)
    left -= bytes
  }
  return found
}

/** Characters that are decoded before other requests have their turn. */
const decodedAtOnce = 500_000

export async function decodeRows(rows: readonly Row[], decode: (row: Row) => object): Promise<object[]> {
  const records: object[] = []
  let characters = 0
  for (const row of rows) {
    if (characters > decodedAtOnce) {
      await setImmediate()
      characters = 0
    }
    records.push(decode(row))
    characters += row.record.length
  }
  return records
}
