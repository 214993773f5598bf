// Pages of lists by statements of our own: what fits, how many there are, and where that can be, what is wanted of them.
import { condition as conditionOf } from './condition.ts'
import { canRead, read } from './read.ts'
import { aliases, at, compile, ifSupported, type Source, statementText, type Wanted } from './records.ts'
import { Scope, Values } from './scope.ts'
import { ordered, selected } from './selection.ts'

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

interface Searched {
  /** The models: they may be those of a record and of its text. */
  readonly listed: string
  readonly counted: string
  /** Whether one plan is right whatever the values are. */
  readonly isSteady: boolean
  /** What is to be read of each row's record, if that can be read with it. */
  readonly wanted?: Wanted | undefined
}

/** Undefined for what only Prisma can find. */
export async function readPage(source: Source, searched: Searched, asked: Asked): Promise<Answered | undefined> {
  if (!canRead(source.db)) return undefined
  return (await readWhole(source, searched, asked)) ?? readRows(source, searched, asked)
}

async function readRows(
  { db }: Source,
  { listed: model, counted: other, isSteady }: Searched,
  { part, count }: Asked,
): Promise<Answered | undefined> {
  const statement = ifSupported(() => {
    const scope = new Scope(model, { values: new Values(false), aliases: 0 })
    const page = part && listed(scope, part)
    const total = count && counted(scope.inner(other), count)
    const columns = [total && `(${total}) AS total`, page && `(${page.sql}) AS rows`].filter(Boolean)
    return { text: `SELECT ${columns.join(', ')}`, values: scope.values.all, revive: page?.revive }
  })
  if (!statement) return undefined
  const [answer] = await read<{ total?: number; rows?: unknown[] | null }>(db, {
    ...statement,
    planned: isSteady ? 'list' : undefined,
  })
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

/** Rows of the longest page that is read with its records. */
const longest = 100

/** In one statement; undefined for what takes more. */
async function readWhole(source: Source, searched: Searched, { part, count }: Asked): Promise<Answered | undefined> {
  const { db, now } = source
  const { listed: model, counted: other, isSteady, wanted } = searched
  if (!isSteady || !wanted || part?.take === undefined || part.take > longest) return undefined
  const found = compile(model, wanted)
  const { where, orderBy, skip = 0, take } = part
  const statement =
    found &&
    ifSupported(() => {
      const values = new Values(false, found.values)
      const scope = new Scope(model, { values, aliases })
      const condition = conditionOf(scope, where)
      const fits = `SELECT ${scope.column('*')} FROM ${scope.tables()} WHERE ${condition} ORDER BY ${ordered(scope, orderBy)}`
      // By the first limit the planner knows that they are few.
      const few = `SELECT * FROM (${fits} LIMIT ${longest} OFFSET ${values.add(skip, 'bigint')}) AS few`
      const total = count ? `, (${counted(scope.inner(other), count)}) AS total` : ''
      const order = ordered(new Scope(model, { values, aliases: 0 }), orderBy)
      const rows = `${few} LIMIT ${values.add(take, 'bigint')}`
      const text = statementText(
        found,
        rows + total,
        () => `SELECT ${found.columns}${total} FROM (${rows}) AS t0 ${found.joins} ORDER BY ${order}`,
      )
      return { text, values: at(now, wanted, values.all), planned: 'list' as const }
    })
  if (!statement) return undefined
  const rows = await read<{ id: number; record: string; total?: number }>(db, statement)
  const [first] = rows
  // Without rows nothing tells how many there are.
  if (!first && count) return readRows(source, searched, { count })
  return { rows: rows.map(({ id, record }) => ({ record: new found.Record(id, record) })), total: first?.total ?? 0 }
}
