// The read engine: compiles the arguments of reads to single SQL statements, and returns the results that Prisma would return.
// Prisma's own engine runs the reads that the read engine does not support.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../postgres/client.ts'
import { emitRead, queryRows, querySql } from '../postgres/query.ts'
import {
  type BooleanColumns,
  type BuildPageSql,
  dropUnread,
  type ListsOfParents,
  type MatchingOptions,
  parentId,
} from '../postgres/record-reads.ts'
import { readEngineModeOf, unobservedClient } from './client.ts'
import { parentsSql } from './join-table-lists.ts'
import { findPagesOfParents, readPages } from './pages-for-each.ts'
import { matchingRowsSqlByPrisma, readByPrisma, unionOfPagesSql } from './prisma-reads.ts'
import { type RecordingClient, readSelected } from './recording.ts'
import {
  type CompiledStatement,
  compileCount,
  compileFindByIds,
  compileFindFirst,
  compileFindIds,
  compileFindMany,
  compileMatchingRows,
  type PageArgs,
  readsInTwoSteps,
} from './statement.ts'
import { ifSupported } from './unsupported.ts'
import { shouldVerify, verifyResult } from './verify.ts'

export type ReadMethod = 'findFirst' | 'findUnique' | 'findMany' | 'count' | 'findPage' | 'findPages'

/** Runs a compiled read. Returns undefined for arguments that are not supported. */
type Read<Result = unknown> = (client: RecordingClient, model: string, args: PageArgs) => Promise<Result> | undefined

const findFirst: Read = (client, model, args) =>
  readRecords(client, model, args, () => compileFindFirst(model, args))?.then(([record = null]) => record)

const findMany: Read<object[]> = (client, model, args) => {
  const ids = idsOf(args)
  if (!ids && ifSupported(() => readsInTwoSteps(model, args))) {
    return findInTwoSteps(client, model, args)?.then(({ records }) => records)
  }
  return readRecords(client, model, args, () =>
    ids ? compileFindByIds(model, args)(ids) : compileFindMany(model, args),
  )
}

function readRecords(client: RecordingClient, model: string, { where }: PageArgs, compile: () => CompiledStatement) {
  const statement = ifSupported(compile)
  return statement && readSelected(client, model, where, statement).then((rows) => rows.map(statement.decode))
}

/** Reads the IDs of a page, then its records. Also counts the records that match the filter `counted`, if it is set. */
function findInTwoSteps(client: RecordingClient, model: string, args: PageArgs, counted?: object) {
  const { unread, ...page } = args
  const idStatement = ifSupported(() => compileFindIds(model, page, counted))
  const byIds = ifSupported(() => compileFindByIds(model, page))
  if (!idStatement || !byIds) return undefined
  return queryRows<{ ids: unknown[]; total?: number }>(client, { ...idStatement, prepared: undefined }).then(
    async ([row]) => {
      const { ids = [], total } = row ?? {}
      const [runRead] = await readPages(client, byIds, [{ ids: dropUnread(ids, page.take, unread) }])
      return { records: runRead?.records ?? [], total, found: ids.length }
    },
  )
}

/** Returns the IDs of a read whose only argument is `where: { id: { in } }`, for which one plan serves all IDs. */
function idsOf({ where, orderBy, skip, take, cursor, distinct }: PageArgs & { cursor?: unknown; distinct?: unknown }) {
  const [[name, filter] = [], ...others] = Object.entries(where ?? {})
  const extra = [orderBy, skip, take, cursor, distinct].some((value) => value !== undefined)
  if (name !== 'id' || others.length > 0 || extra || typeof filter !== 'object' || filter === null) return undefined
  const { in: ids, ...operators } = filter as { in?: unknown }
  return Array.isArray(ids) && Object.keys(operators).length === 0 ? ids : undefined
}

const count: Read<number> = (client, model, { where, ...others }) => {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const statement = ifSupported(() => compileCount(model, where))
  const rows = statement && queryRows<{ count: number }>(client, { ...statement, prepared: undefined })
  return rows?.then(([row]) => row?.count ?? 0)
}

const findPage: Read = (client, model, { total = false, pageWhere, unread = 0, ...list }) => {
  const { where = {}, take } = list
  const page = pageWhere ? { ...list, where: { AND: [where, pageWhere] } } : list
  if ((total || unread > 0) && take !== 0 && ifSupported(() => readsInTwoSteps(model, page))) {
    return findInTwoSteps(client, model, { ...page, unread }, total ? where : undefined)
  }
  const records = take === 0 ? Promise.resolve([]) : findMany(client, model, page)
  const counted = total ? count(client, model, { where }) : Promise.resolve(undefined)
  if (!records || !counted) return undefined
  return Promise.all([records, counted]).then(([found, number]) => ({
    records: dropUnread(found, take, unread),
    total: number,
    found: found.length,
  }))
}

const findPages: Read = (client, model, { total = false, pageWhere, forEach, ...list }) => {
  const { where = {} } = list
  const page = pageWhere ? { ...list, where: { AND: [where, pageWhere] } } : list
  return forEach && findPagesOfParents(client, { model, page, counted: total ? where : undefined, forEach })
}

const compiledReads: Readonly<Record<ReadMethod, Read>> = {
  findFirst,
  findUnique: findFirst,
  findMany,
  count,
  findPage,
  findPages,
}

/** Runs a read of a model by the read engine or, if it does not support the arguments, by Prisma. */
export function runRead(client: RecordingClient, model: string, method: ReadMethod, args: PageArgs): Promise<unknown> {
  const compiled = compiledReads[method]
  const mode = readEngineModeOf(client.client)
  const result = mode === 'prisma' ? undefined : compiled(client, model, args)
  emitRead(client, result ? 'compiled' : 'prisma')
  if (!result) {
    // Prisma's own engine does not report what was read, so everything counts as read.
    client.recorder.addEverything()
    return readByPrisma(client.client, model, method, args)
  }
  const verified = { model, name: method, args }
  if (!shouldVerify(mode, verified)) return result
  const viaPrisma = () => readByPrisma(unobservedClient(client.client), model, method, args)
  return verifyResult(verified, result, viaPrisma, () => compiled(client, model, args))
}

/** Returns a SELECT of the records that match, with boolean columns. See `Reads`. */
export async function matchingRowsSql(
  client: RecordingClient,
  model: string,
  where: object,
  booleanColumns: BooleanColumns = {},
  options?: MatchingOptions,
): Promise<Prisma.Sql> {
  const mode = readEngineModeOf(client.client)
  const compiled =
    mode === 'prisma' ? undefined : ifSupported(() => compileMatchingRows(model, where, booleanColumns, options))
  const viaPrisma = (db: Db) => matchingRowsSqlByPrisma(db, model, where, booleanColumns)
  emitRead(client, compiled ? 'compiled' : 'prisma')
  if (!compiled) {
    client.recorder.addEverything()
    return viaPrisma(client.client)
  }
  const verified = { model, name: 'matchingRowsSql', args: { where, booleanColumns } }
  if (shouldVerify(mode, verified)) {
    const db = unobservedClient(client.client)
    const columns = Prisma.raw(['id', ...Object.keys(booleanColumns)].map((name) => `"${name}"`).join())
    const rowsOf = (source: Prisma.Sql) =>
      querySql<object>(db, Prisma.sql`SELECT ${columns} FROM (${source}) AS matching`)
    await verifyResult(
      verified,
      rowsOf(compiled),
      async () => rowsOf(await viaPrisma(db)),
      () => rowsOf(compiled),
    )
  }
  return compiled
}

/** Returns a SELECT of one page per parent, with the position of the parent in the column `list`. */
export async function pagesOfParentsSql(
  { client }: RecordingClient,
  forEach: ListsOfParents,
  pageOf: BuildPageSql,
): Promise<Prisma.Sql> {
  const mode = readEngineModeOf(client)
  if (mode === 'verify' || mode === 'prisma') return unionOfPagesSql(forEach, pageOf)
  const page = await pageOf(forEach.where(parentId))
  const pages = Prisma.sql`SELECT position::int AS list, page.* FROM ${parentsSql(forEach.ids)} CROSS JOIN LATERAL (${page}) AS page`
  const verified = { model: 'pagesOfParentsSql', name: page.strings.join(), args: {} }
  if (forEach.ids.length === 0 || !shouldVerify(mode, verified)) return pages
  const rowsOf = (source: Prisma.Sql) => querySql<object>(unobservedClient(client), source)
  const byUnion = async () => rowsOf(await unionOfPagesSql(forEach, pageOf))
  await verifyResult(verified, rowsOf(pages), byUnion, () => rowsOf(pages))
  return pages
}
