// Reads a page of a list for each of several parents, such as the first events of each venue, with one statement for all
// parents, or two statements for totals and for records with long texts.
import { Prisma } from '../../generated/prisma/client.ts'
import { queryRows } from '../postgres/query.ts'
import { type ListsOfParents, parentId } from '../postgres/record-reads.ts'
import {
  compileJoinTablePages,
  compileJoinTableTotals,
  findJoinTableLists,
  type JoinTableLists,
  parentsSql,
} from './join-table-lists.ts'
import {
  buildStatement,
  checkArgs,
  compileFindByIds,
  compileSelectionOfRead,
  type FindArgs,
  firstFreeAlias,
  orderOfPageSql,
  pageSql,
  readRows,
  readsInTwoSteps,
  toTextAndValues,
} from './statement.ts'
import { Table } from './table.ts'
import { ifSupported } from './unsupported.ts'
import { whereSql } from './where.ts'

const { sql, raw, empty } = Prisma

export interface Page {
  readonly records: object[]
  readonly total: number | undefined
}

interface PagesArgs {
  readonly model: string
  /** Arguments of the page. Its `where` includes the conditions that do not apply to the total count. */
  readonly page: FindArgs
  /** Filter of the whole list; undefined if the total is not selected. */
  readonly counted: object | undefined
  readonly forEach: ListsOfParents
}

/** Reads one page for each parent, in the order of the given IDs. Returns undefined for arguments that are not supported. */
export function findPagesOfParents(
  client: object,
  { model, page, counted, forEach }: PagesArgs,
): Promise<Page[]> | undefined {
  const { ids } = forEach
  if (ids.length === 0) return Promise.resolve([])
  const long = findJoinTableLists(model, forEach)
  const found = long && findLongLists(client, long, { page, counted })
  if (found) return found
  const linked = (where: object = {}) => ({ AND: [where, forEach.where(parentId)] })
  const ofParent = { ...page, where: linked(page.where) }
  const total = counted && linked(counted)
  if (page.take !== 0 && counted && ifSupported(() => readsInTwoSteps(model, page))) {
    const lists = ifSupported(() => compileListsForEach(model, ids, ofParent, total))
    const byIds = ifSupported(() => compileFindByIds(model, ofParent))
    if (!lists || !byIds) return undefined
    const pages = queryRows<PageOfIds>(client, { ...lists, prepared: undefined })
    return pages.then((read) => readPages(client, byIds, read))
  }
  const count = total && ifSupported(() => compileListsForEach(model, ids, undefined, total))
  const find = page.take === 0 ? undefined : ifSupported(() => compileFindForEach(model, ids, ofParent))
  if ((total && !count) || (page.take !== 0 && !find)) return undefined
  return Promise.all([
    find ? readRows(client, find) : [],
    count ? queryRows<{ total: number }>(client, { ...count, prepared: undefined }) : [],
  ]).then(([rows, totals]) => {
    const byParent = Map.groupBy(rows, ({ parent }) => parent)
    return ids.map((_, index) => ({
      records: (find && byParent.get(index + 1)?.map(find.decode)) ?? [],
      total: totals[index]?.total,
    }))
  })
}

interface PageOfIds {
  readonly ids: readonly unknown[]
  readonly total?: number | undefined
}

/** Reads the records of all pages by ID, with one statement. */
export async function readPages(
  client: object,
  byIds: ReturnType<typeof compileFindByIds>,
  pages: readonly PageOfIds[],
): Promise<Page[]> {
  const statement = byIds([...new Set(pages.flatMap((each) => each.ids))])
  const rows = pages.some((each) => each.ids.length > 0) ? await readRows(client, statement) : []
  const byId = new Map(rows.map((row) => [row.id, statement.decode(row)]))
  // Omits records that were deleted between the two statements.
  return pages.map((each) => ({ records: each.ids.flatMap((id) => byId.get(id) ?? []), total: each.total }))
}

function findLongLists(
  client: object,
  lists: JoinTableLists,
  { page, counted }: Pick<PagesArgs, 'page' | 'counted'>,
): Promise<Page[]> | undefined {
  const { model, ids } = lists
  const count = counted && ifSupported(() => compileJoinTableTotals(lists, counted))
  const find = page.take === 0 ? undefined : ifSupported(() => compileJoinTablePages(lists, page))
  const byIds = find && ifSupported(() => compileFindByIds(model.name, page))
  if ((counted && !count) || (page.take !== 0 && !byIds)) return undefined
  return Promise.all([
    find?.(client),
    count && queryRows<{ position: number; total: number }>(client, { ...count, prepared: undefined }),
  ]).then(([found, totals]) => {
    const totalOf = new Map(totals?.map(({ position, total }) => [position, total]))
    const pages = ids.map((_, index) => ({
      ids: found?.[index] ?? [],
      total: totals && (totalOf.get(index + 1) ?? 0),
    }))
    return byIds ? readPages(client, byIds, pages) : pages.map(({ total }) => ({ records: [], total }))
  })
}

/** Compiles a statement that reads the IDs of each page, the number of records in each list, or both. */
function compileListsForEach(
  model: string,
  ids: readonly number[],
  page: FindArgs | undefined,
  total: object | undefined,
) {
  const table = Table.create(model, { opaqueParams: false })
  const list = page ? sql`ARRAY(${pageSql(table, page, table.column('"id"'))}) AS ids` : empty
  const counted = table.subquery(model)
  const condition = total && whereSql(counted, total)
  const count = condition ? sql`(SELECT count(*)::int FROM ${counted.from()} WHERE ${condition}) AS total` : empty
  const comma = page && total ? raw(', ') : empty
  return toTextAndValues(sql`SELECT ${list}${comma}${count} FROM ${parentsSql(ids)} ORDER BY parent.position`)
}

/** Compiles a statement that reads the records of all pages, with the position of their parent. */
function compileFindForEach(modelName: string, ids: readonly number[], page: FindArgs) {
  checkArgs(page)
  const table = Table.create(modelName, { opaqueParams: false, firstAlias: firstFreeAlias })
  const order = orderOfPageSql(table.model, page.orderBy)
  return buildStatement(compileSelectionOfRead(table.model, page), {
    columns: 'parent.position::int AS parent, ',
    from: sql`${parentsSql(ids)} CROSS JOIN LATERAL (${pageSql(table, page, raw(`${table.alias}.*`))}) AS t0`,
    orderBy: order ? `parent.position, ${order}` : 'parent.position',
    usesGenericPlan: false,
  })
}
