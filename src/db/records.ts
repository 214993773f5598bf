// Records read by statements of our own: each by one, however much hangs on it. Prisma answers what these have no words
// for, and what is read within a transaction.
import { LRUCache } from 'lru-cache'
import { condition as conditionOf } from './condition.ts'
import { modelOf, quoted } from './models.ts'
import { canRead, read } from './read.ts'
import { hidden, Scope, Unsupported, Values } from './scope.ts'
import { type Selection, selected, type Whole } from './selection.ts'
import { unread } from './unread.ts'

/** What is wanted of records. The moment of `asking` stands in it wherever it depends on one. */
export interface Wanted {
  readonly select: NonNullable<Selection['select']>
  readonly asking: Pick<Source, 'now'>
}

export interface Source {
  readonly db: object
  readonly now: Date
}

export interface Compiled {
  /** What is read of a table `t0`, and what is joined to it. */
  readonly columns: string
  readonly joins: string
  readonly values: readonly unknown[]
  readonly id: string
  readonly Record: ReturnType<typeof unread>
  /** Tells it apart from other selections. */
  readonly number: number
}

/** What statements made of a selection; the same selections come again and again. */
const compiled = new WeakMap<object, Compiled | undefined>()

export function compile(model: string, wanted: Wanted): Compiled | undefined {
  const { select } = wanted
  const known = compiled.get(select)
  if (known || compiled.has(select)) return known
  const made = ifSupported(() => written(model, wanted))
  compiled.set(select, made)
  return made
}

let selections = 0

function written(model: string, { select, asking }: Wanted): Compiled {
  const scope = new Scope(model, { values: new Values(true), aliases: 0, asking })
  const record = selected(scope, { select })
  const id = scope.column(quoted('id'))
  // Worked out from the moment of one request, it would be wrong for the next.
  if (scope.values.all.some((value) => value instanceof Date && value !== asking.now))
    throw new Unsupported('another moment')
  const columns = `${id} AS id, ${record.sql}::text AS record`
  selections += 1
  return {
    columns,
    joins: scope.joins(),
    values: scope.values.all,
    id,
    Record: unread(record, selections),
    number: selections,
  }
}

/** Whole statements: of the same text nobody has to look through another copy. */
const texts = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (text, key) => text.length + key.length,
})

/** The statement of a selection that says this beside. */
export function statementText({ number }: Compiled, part: string, write: () => string): string {
  const key = `${number} ${part}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = write()
  texts.set(key, text)
  return text
}

const from = (model: string, { columns, joins }: Compiled) =>
  `SELECT ${columns} FROM ${modelOf(model).table} t0 ${joins}`

/** Records with these numbers, in no order; undefined for what only Prisma can read. */
export async function readRecords(
  source: Source,
  model: string,
  wanted: Wanted,
  ids: readonly number[],
): Promise<Whole[] | undefined> {
  const found = canRead(source.db) ? compile(model, wanted) : undefined
  if (!found) return undefined
  const condition = `${found.id} = ANY(${hidden(found.values.length + 1, 'int[]')})`
  const text = statementText(found, condition, () => `${from(model, found)} WHERE ${condition}`)
  return records(source, wanted, found, { text, values: [...found.values, ids] })
}

/** Tables of the condition have other names than those of the selection. */
export const aliases = 1000

/** The record of which `where` is true, null for none. */
export async function readRecord<Found extends object = Whole>(
  source: Source,
  model: string,
  wanted: Wanted,
  where: object,
): Promise<Found | null | undefined> {
  const found = canRead(source.db) ? compile(model, wanted) : undefined
  if (!found) return undefined
  const scope = new Scope(model, { values: new Values(true, found.values), aliases })
  const condition = ifSupported(() => conditionOf(scope, where))
  if (condition === undefined) return undefined
  const id = scope.column(quoted('id'))
  const one = `(SELECT ${id} FROM ${scope.tables()} WHERE ${condition} LIMIT 1)`
  const text = statementText(found, one, () => `${from(model, found)} WHERE ${found.id} = ${one}`)
  const [record = null] = await records(source, wanted, found, { text, values: scope.values.all })
  return record as Found | null
}

async function records(
  { db, now }: Source,
  wanted: Wanted,
  { Record }: Compiled,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Whole[]> {
  const rows = await read<{ id: number; record: string }>(db, {
    text,
    values: at(now, wanted, values),
    planned: 'records',
  })
  return rows.map(({ id, record }) => new Record(id, record))
}

/** The values at another moment than the one that the selection was made at. */
export const at = (now: Date, wanted: Wanted, values: readonly unknown[]) =>
  values.map((value) => (value === wanted.asking.now ? now : value))

/** Undefined for what these statements have no words for. */
export function ifSupported<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
