// Runs reads by Prisma's own engine: reads that the read engine does not support, and reads that verify its results.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../postgres/client.ts'
import { modelOf } from '../postgres/data-model.ts'
import { querySql } from '../postgres/query.ts'
import {
  type BooleanColumns,
  type BuildPageSql,
  dropUnread,
  type ListsOfParents,
  type SelectedIds,
  selectedIds,
  selectIdsSql,
} from '../postgres/record-reads.ts'
import { isSelectionAt, toSelect } from '../postgres/selection-template.ts'
import type { PageArgs } from './statement.ts'

const { sql, raw, join, empty } = Prisma

type Delegate = Readonly<Record<string, (args: object) => Promise<unknown>>>

const delegateOf = (client: Db, model: string) =>
  client[model.replace(/^./, (letter) => letter.toLowerCase()) as 'event'] as unknown as Delegate

/** Runs a read by Prisma's own engine, including the methods that only the read engine has. */
export async function readByPrisma(client: Db, model: string, method: string, args: PageArgs): Promise<unknown> {
  const { forEach, ...own } = args
  const { total, pageWhere, unread, ...list } = (await withLists(client, own)) as PageArgs
  const call = (name: string, callArgs: PageArgs) => {
    const { select } = callArgs
    return delegateOf(client, model)[name]?.(
      isSelectionAt(select) ? { ...callArgs, select: toSelect(select) } : callArgs,
    )
  }
  const findPage = async (parent: object = {}) => {
    const where = { AND: [list.where ?? {}, parent] }
    const [found, count] = await Promise.all([
      list.take === 0
        ? []
        : (call('findMany', { ...list, where: { AND: [where, pageWhere ?? {}] } }) as Promise<object[]>),
      total ? call('count', { where }) : undefined,
    ])
    return { records: dropUnread(found, list.take, unread), total: count, found: found.length }
  }
  if (method === 'findPage') return findPage()
  if (method !== 'findPages') return call(method, list)
  return Promise.all(
    (forEach?.ids ?? []).map(async (id) => {
      const { found: _, ...page } = await findPage(forEach?.where(id))
      return page
    }),
  )
}

/** Returns a SELECT of the same rows as `matchingRowsSql`, but finds their IDs with Prisma first. */
export async function matchingRowsSqlByPrisma(
  client: Db,
  model: string,
  where: object,
  booleanColumns: BooleanColumns,
): Promise<Prisma.Sql> {
  const idsOf = async (condition: object) => {
    const records = await readByPrisma(client, model, 'findMany', { select: { id: true }, where: condition })
    return (records as { id: number }[]).map(({ id }) => id)
  }
  const conditions = Object.values(booleanColumns).map((condition) => ({ AND: [where, condition] }))
  const [ids, ...flagged] = await Promise.all([where, ...conditions].map(idsOf))
  const columns = Object.keys(booleanColumns).map(
    (name, index) => sql`, id = ANY(${flagged[index] ?? []}::int[]) AS ${raw(`"${name}"`)}`,
  )
  const { table } = modelOf(model)
  return sql`SELECT *${columns.length > 0 ? join(columns, '') : empty} FROM ${raw(table)} WHERE id = ANY(${ids}::int[])`
}

/** Returns a UNION ALL of one SELECT for each parent. */
export async function unionOfPagesSql(forEach: ListsOfParents, pageOf: BuildPageSql): Promise<Prisma.Sql> {
  const pages = forEach.ids.map(
    async (id, index) =>
      sql`SELECT ${index + 1}::int AS list, page.* FROM (${await pageOf(forEach.where(id))}) AS page`,
  )
  return join(await Promise.all(pages), ' UNION ALL ')
}

/** Replaces the filter `selectedIds` in arguments by `in` with the numbers that the SELECT returns. */
async function withLists(client: object, args: unknown): Promise<unknown> {
  if (Array.isArray(args)) return Promise.all(args.map((each) => withLists(client, each)))
  if (typeof args !== 'object' || args === null) return args
  if (selectedIds in args) {
    const ids = selectIdsSql(args[selectedIds] as SelectedIds)
    const rows = await querySql<{ id: number }>(client, sql`SELECT DISTINCT id FROM (${ids}) AS selected (id)`)
    return { in: rows.map(({ id }) => id) }
  }
  if (Object.getPrototypeOf(args) !== Object.prototype) return args
  const entries = Object.entries(args).map(async ([name, value]) => [name, await withLists(client, value)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
