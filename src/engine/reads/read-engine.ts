// A Prisma Client extension that compiles the arguments of reads to single SQL statements and returns the results that Prisma
// would return. Prisma's own engine runs reads that it does not support.
import { Prisma } from '../../generated/prisma/client.ts'
import { emitRead, queryRows, querySql } from '../postgres/query.ts'
import {
  type BooleanColumns,
  type ForEach,
  type MatchingOptions,
  type PageOf,
  type PageOptions,
  parentId,
  type SelectedIds,
  selectedIds,
  selectIds,
  withoutUnread,
} from '../postgres/record-reads.ts'
import { parents } from './long-lists.ts'
import { findPagesForEach, type Page } from './pages-for-each.ts'
import { isRecording, readSelected } from './recording.ts'
import {
  compileByIds,
  compileCount,
  compileFindFirst,
  compileFindIds,
  compileFindMany,
  compileMatchingRows,
  type FindArgs,
  readRows,
  readsInTwoSteps,
} from './statement.ts'
import { ifSupported } from './unsupported.ts'
import { verifyResult } from './verify.ts'

/** `on` compiles what it can, `verify` also compares each result with Prisma's, `prisma` leaves all reads to Prisma. */
export type ReadEngineMode = 'on' | 'verify' | 'prisma'

/** Runs a compiled read; undefined for arguments that are not supported. */
type Read = (client: object, model: string, args: object) => Promise<unknown> | undefined

const findFirst: Read = (client, model, args) => {
  const statement = ifSupported(() => compileFindFirst(model, args))
  if (!statement) return undefined
  const rows = readSelected(client, { model, where: (args as FindArgs).where }, statement)
  return rows.then(([row]) => (row ? statement.decode(row) : null))
}

const findFirstOrThrow: Read = (client, model, args) =>
  findFirst(client, model, args)?.then((record) => {
    if (record !== null) return record
    throw new Prisma.PrismaClientKnownRequestError(`No ${model} found`, {
      code: 'P2025',
      clientVersion: Prisma.prismaVersion.client,
    })
  })

const findMany: Read = (client, model, args: FindArgs) => {
  const ids = idsOf(args)
  if (ids) {
    const byIds = ifSupported(() => compileByIds(model, args))
    if (!byIds) return undefined
    const rows = readSelected(client, { model, where: args.where }, byIds.statement(ids))
    return rows.then((found) => found.map(byIds.decode))
  }
  const twoSteps = ifSupported(() => readsInTwoSteps(model, args))
  if (twoSteps === undefined) return undefined
  if (twoSteps) return findInTwoSteps(client, { model, args }, undefined)?.then(({ records }) => records)
  const statement = ifSupported(() => compileFindMany(model, args))
  if (!statement) return undefined
  const rows = readSelected(client, { model, where: args.where }, statement)
  return rows.then((found) => found.map(statement.decode))
}

interface ListRead {
  readonly model: string
  readonly args: FindArgs
  readonly unread?: number | undefined
}

type FoundPage = Page & { readonly found: number }

/** The page and, where `counted` is the filter of the whole list, the number of its records. */
function findInTwoSteps(
  client: object,
  { model, args, unread }: ListRead,
  counted: object | undefined,
): Promise<FoundPage> | undefined {
  const idStatement = ifSupported(() => compileFindIds(model, args, counted))
  const byIds = ifSupported(() => compileByIds(model, args))
  if (!idStatement || !byIds) return undefined
  const findRecords = async () => {
    const rows = await queryRows<{ ids: unknown[]; total?: number }>(client, { ...idStatement, prepared: undefined })
    const { ids: found = [], total } = rows[0] ?? {}
    const ids = withoutUnread(found, args.take, unread)
    if (ids.length === 0) return { records: [], total, found: found.length }
    const read = await readRows(client, byIds.statement(ids))
    const byId = new Map(read.map((row) => [row.id, row]))
    // A record that was deleted between the two statements is left out.
    const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
    return { records: inOrder.map(byIds.decode), total, found: found.length }
  }
  return findRecords()
}

/** The IDs of a read with only `where: { id: { in } }`, which is common in resolvers and for which one plan serves all IDs. */
function idsOf({ where, orderBy, skip, take, cursor, distinct }: FindArgs & { cursor?: unknown; distinct?: unknown }) {
  const [[name, filter] = [], ...others] = Object.entries(where ?? {})
  const extra = [orderBy, skip, take, cursor, distinct].some((value) => value !== undefined)
  if (name !== 'id' || others.length > 0 || extra || typeof filter !== 'object' || filter === null) return undefined
  const { in: ids, ...operators } = filter as { in?: unknown }
  return Array.isArray(ids) && Object.keys(operators).length === 0 ? ids : undefined
}

const count: Read = (client, model, args) => {
  const { where, ...others } = args as { where?: object }
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const statement = ifSupported(() => compileCount(model, where))
  return (
    statement &&
    queryRows<{ count: number }>(client, { ...statement, prepared: undefined }).then(([row]) => row?.count ?? 0)
  )
}

const findPage: Read = (client, model, args) => {
  const { total = false, pageWhere, unread = 0, ...list } = args as PageArgs
  const { where = {}, take } = list
  const page = pageWhere ? { ...list, where: { AND: [where, pageWhere] } } : list
  if ((total || unread > 0) && take !== 0 && ifSupported(() => readsInTwoSteps(model, page))) {
    return findInTwoSteps(client, { model, args: page, unread }, total ? where : undefined)
  }
  const records = take === 0 ? Promise.resolve([]) : findMany(client, model, page)
  const counted = total ? count(client, model, { where }) : Promise.resolve(undefined)
  const toPage = (found: object[], number: unknown) => ({
    records: withoutUnread(found, take, unread),
    total: number,
    found: found.length,
  })
  return (
    records && counted && Promise.all([records, counted]).then(([found, number]) => toPage(found as object[], number))
  )
}

const findPages: Read = (client, model, args) => {
  const { total = false, pageWhere, forEach, ...list } = args as PageArgs & { readonly forEach: ForEach }
  const { where = {} } = list
  const page = pageWhere ? { ...list, where: { AND: [where, pageWhere] } } : list
  return findPagesForEach(client, { model, page, counted: total ? where : undefined, forEach })
}

const reads: Readonly<Record<string, Read>> = {
  findFirst,
  findFirstOrThrow,
  findUnique: findFirst,
  findUniqueOrThrow: findFirstOrThrow,
  findMany,
  count,
  findPage,
  findPages,
}

type PageArgs = FindArgs & PageOptions

/** Stands for the client in a read, to record it. */
export const via = Symbol('via')

interface ReadOptions {
  readonly [via]?: object
}

type Delegate = Readonly<Record<string, (args: object) => Promise<unknown>>>

/** The client, with its reads outside of transactions run by this engine. */
export function withReadEngine<Client extends object>(client: Client, mode: ReadEngineMode): Client {
  const base = client as unknown as Readonly<Record<string, Delegate>> & {
    $extends(extension: object): Client
    $transaction: (...args: unknown[]) => unknown
  }
  const methods = Object.entries(reads).map(([name, read]) => [
    name,
    function (this: object, { [via]: sender = client, ...args }: ReadOptions = {}) {
      const model = Prisma.getExtensionContext(this).$name ?? ''
      const delegate = base[delegateName(model)] as Delegate
      const viaPrisma = async () => (delegate[name] as Delegate[string])((await withLists(client, args)) as object)
      const result = mode === 'prisma' ? undefined : read(sender, model, args)
      emitRead(client, result ? 'compiled' : 'prisma')
      if (!result) {
        recordAll(sender)
        return viaPrisma()
      }
      return mode === 'verify'
        ? verifyResult({ model, name, args }, result, viaPrisma, () => read(client, model, args))
        : result
    },
  ])
  async function matchingRows(
    this: object,
    where: object,
    booleanColumns: BooleanColumns = {},
    { [via]: sender = client, ...options }: MatchingOptions & ReadOptions = {},
  ): Promise<Prisma.Sql> {
    const model = Prisma.getExtensionContext(this).$name ?? ''
    const delegate = base[delegateName(model)] as unknown as MatchingDelegate
    const compiled =
      mode === 'prisma' ? undefined : ifSupported(() => compileMatchingRows(model, where, booleanColumns, options))
    emitRead(client, compiled ? 'compiled' : 'prisma')
    const viaPrismaRows = async () => delegate.matchingRows((await withLists(client, where)) as object, booleanColumns)
    if (!compiled) {
      recordAll(sender)
      return viaPrismaRows()
    }
    if (mode === 'verify') {
      const columns = ['id', ...Object.keys(booleanColumns)].map((name) => `"${name}"`).join()
      const read = async (source: Prisma.Sql) => {
        return querySql<object>(client, Prisma.sql`SELECT ${Prisma.raw(columns)} FROM (${source}) AS matching`)
      }
      const viaPrisma = async () => read(await viaPrismaRows())
      await verifyResult({ model, name: 'matchingRows', args: { where } }, read(compiled), viaPrisma, () =>
        read(compiled),
      )
    }
    return compiled
  }
  async function pagesForEach(this: object, forEach: ForEach, pageOf: PageOf): Promise<Prisma.Sql> {
    const viaPrisma = base[delegateName(Prisma.getExtensionContext(this).$name ?? '')] as unknown as MatchingDelegate
    if (mode !== 'on') return viaPrisma.pagesForEach(forEach, pageOf)
    const page = await pageOf(forEach.where(parentId))
    return Prisma.sql`SELECT position::int AS list, page.* FROM ${parents(forEach.ids)} CROSS JOIN LATERAL (${page}) AS page`
  }
  return base.$extends({
    name: 'read-engine',
    // Reads in a transaction must use its connection, so Prisma runs them.
    client: { $transaction: (...args: unknown[]) => base.$transaction(...args) },
    model: { $allModels: { ...Object.fromEntries(methods), matchingRows, pagesForEach } },
  })
}

/** Prisma's own engine does not say what it reads. */
function recordAll(client: object): void {
  if (isRecording(client)) client.recorder.addEverything()
}

/** Arguments for Prisma's own engine: the numbers of `selectedIds` are looked up first. */
async function withLists(client: object, args: unknown): Promise<unknown> {
  if (Array.isArray(args)) return Promise.all(args.map((each) => withLists(client, each)))
  if (typeof args !== 'object' || args === null) return args
  if (selectedIds in args) {
    const ids = selectIds(args[selectedIds] as SelectedIds)
    const rows = await querySql<{ id: number }>(client, Prisma.sql`SELECT DISTINCT id FROM (${ids}) AS selected (id)`)
    return { in: rows.map(({ id }) => id) }
  }
  if (Object.getPrototypeOf(args) !== Object.prototype) return args
  const entries = Object.entries(args).map(async ([name, value]) => [name, await withLists(client, value)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

interface MatchingDelegate {
  matchingRows(where: object, booleanColumns: BooleanColumns): Promise<Prisma.Sql>
  pagesForEach(forEach: ForEach, pageOf: PageOf): Promise<Prisma.Sql>
}

const delegateName = (model: string) => `${model.charAt(0).toLowerCase()}${model.slice(1)}`
