// Records read by statements of our own: each by one, however much hangs on it. Prisma answers what these have no words
// for, and what is read within a transaction.
import { condition as conditionOf } from './condition.ts'
import { quoted } from './models.ts'
import { canRead, read } from './read.ts'
import { hidden, Scope, Unsupported, Values } from './scope.ts'
import { ordered, type Selection, selected, type Whole } from './selection.ts'

/** What is wanted of records. `now` is the moment that stands in it wherever it depends on one. */
export interface Wanted {
  readonly select: NonNullable<Selection['select']>
  readonly now: Date
}

interface Source {
  readonly db: object
  readonly now: Date
}

interface Compiled {
  /** Up to the condition. */
  readonly text: string
  readonly values: readonly unknown[]
  readonly id: string
  readonly revive: (values: unknown) => Whole
}

/** What statements made of a selection; the same selections come again and again. */
const compiled = new WeakMap<object, Compiled | undefined>()

function compile(model: string, wanted: Wanted): Compiled | undefined {
  const { select } = wanted
  const known = compiled.get(select)
  if (known || compiled.has(select)) return known
  const made = ifSupported(() => written(model, wanted))
  compiled.set(select, made)
  return made
}

function written(model: string, { select, now }: Wanted): Compiled {
  const scope = new Scope(model, { values: new Values(true), aliases: 0 })
  const { sql, revive } = selected(scope, { select })
  // Worked out from the moment of one request, it would be wrong for the next.
  if (scope.values.all.some((value) => value instanceof Date && value !== now)) throw new Unsupported('another moment')
  const text = `SELECT ${sql} AS record FROM ${scope.tables()}`
  return { text, values: scope.values.all, id: scope.column(quoted('id')), revive }
}

/** Records with these numbers, in no order; undefined for what only Prisma can read. */
export async function readRecords(
  source: Source,
  model: string,
  wanted: Wanted,
  ids: readonly number[],
): Promise<Whole[] | undefined> {
  const found = canRead(source.db) ? compile(model, wanted) : undefined
  if (!found) return undefined
  const text = `${found.text} WHERE ${found.id} = ANY(${hidden(found.values.length + 1, 'int[]')})`
  return records(source, wanted, found, { text, values: [...found.values, ids] })
}

/** Tables of the condition have other names than those of the selection. */
const aliases = 1000

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
  const text = `${found.text} WHERE ${found.id} = (SELECT ${id} FROM ${scope.tables()} WHERE ${condition} LIMIT 1)`
  const [record = null] = await records(source, wanted, found, { text, values: scope.values.all })
  return record as Found | null
}

async function records(
  { db, now }: Source,
  wanted: Wanted,
  { revive }: Compiled,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Whole[]> {
  const current = values.map((value) => (value === wanted.now ? now : value))
  const rows = await read<{ record: unknown }>(db, { text, values: current, planned: true })
  return rows.map(({ record }) => revive(record))
}

export interface Part {
  readonly where: object
  readonly orderBy: readonly object[]
  /** Columns of each row. */
  readonly select: Readonly<Record<string, true>>
  readonly skip?: number | undefined
  readonly take?: number | undefined
}

/** Of a page its rows, the number of all that fit, or both. */
export interface Asked {
  readonly part?: Part | undefined
  /** What is to be counted. */
  readonly count?: object | undefined
}

export interface Answered {
  readonly rows: object[]
  readonly total: number
}

/** Undefined for what only Prisma can find. The models may be those of a record and of its text. */
export async function readPage(
  { db }: Source,
  models: { readonly listed: string; readonly counted: string },
  { part, count }: Asked,
): Promise<Answered | undefined> {
  if (!canRead(db)) return undefined
  const statement = ifSupported(() => {
    const scope = new Scope(models.listed, { values: new Values(false), aliases: 0 })
    const page = part && listed(scope, part)
    const total = count && counted(scope.inner(models.counted), count)
    const columns = [total && `(${total}) AS total`, page && `(${page.sql}) AS rows`].filter(Boolean)
    return { text: `SELECT ${columns.join(', ')}`, values: scope.values.all, revive: page?.revive }
  })
  if (!statement) return undefined
  const [answer] = await read<{ total?: number; rows?: unknown[] | null }>(db, { ...statement, planned: false })
  return { total: answer?.total ?? 0, rows: (answer?.rows ?? []).map((row) => statement.revive?.(row) ?? {}) }
}

function counted(scope: Scope, where: object): string {
  const found = conditionOf(scope, where)
  return `SELECT count(*)::int FROM ${scope.tables()} WHERE ${found}`
}

function listed(scope: Scope, { where, orderBy, select, skip, take }: Part) {
  const { sql, revive } = selected(scope, { select })
  const found = conditionOf(scope, where)
  const order = ordered(scope, orderBy)
  const limit = take === undefined ? '' : ` LIMIT ${scope.values.add(take, 'bigint')}`
  const offset = skip ? ` OFFSET ${scope.values.add(skip, 'bigint')}` : ''
  const rows = `SELECT ${sql} AS record FROM ${scope.tables()} WHERE ${found} ORDER BY ${order}${limit}${offset}`
  return { sql: `SELECT json_agg(record) FROM (${rows}) AS listed`, revive }
}

function ifSupported<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
