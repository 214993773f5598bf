// Reads a page of a list for each of several parents, such as the first events of each venue: one statement finds the IDs and
// totals of all parents, another reads the records.
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
import { checkArgs, compileFindByIds, type FindArgs, pageSql, readRows, toTextAndValues } from './statement.ts'
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
  const ofLong = long && findLongLists(client, long, { page, counted })
  if (ofLong) return ofLong
  const linked = (where: object = {}) => ({ AND: [where, forEach.where(parentId)] })
  const ofParent = { ...page, where: linked(page.where) }
  const total = counted && linked(counted)
  const isEmpty = page.take === 0
  const lists = ifSupported(() => compileListsForEach(model, ids, isEmpty ? undefined : ofParent, total))
  const byIds = isEmpty ? undefined : ifSupported(() => compileFindByIds(model, page))
  if (!lists || (!isEmpty && !byIds)) return undefined
  const found = queryRows<PageOfIds>(client, { ...lists, prepared: undefined })
  return found.then((pages) => (byIds ? readPages(client, byIds, pages) : withoutRecords(pages)))
}

interface PageOfIds {
  readonly ids: readonly unknown[]
  readonly total?: number | undefined
}

const withoutRecords = (pages: readonly PageOfIds[]): Page[] => pages.map(({ total }) => ({ records: [], total }))

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
    return byIds ? readPages(client, byIds, pages) : withoutRecords(pages)
  })
}

/** Compiles a statement that reads the IDs of each page, the number of records in each list, or both. */
function compileListsForEach(
  model: string,
  ids: readonly number[],
  page: FindArgs | undefined,
  total: object | undefined,
) {
  if (page) checkArgs(page)
  const table = Table.create(model, { opaqueParams: false })
  const list = page ? sql`ARRAY(${pageSql(table, page, table.column('"id"'))}) AS ids` : empty
  const counted = table.subquery(model)
  const condition = total && whereSql(counted, total)
  const count = condition ? sql`(SELECT count(*)::int FROM ${counted.from()} WHERE ${condition}) AS total` : empty
  const comma = page && total ? raw(', ') : empty
  return toTextAndValues(sql`SELECT ${list}${comma}${count} FROM ${parentsSql(ids)} ORDER BY parent.position`)
}
