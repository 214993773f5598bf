// Loads lists of records as connections or pages.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import type { ErrorKind } from '../../basics/errors.ts'
import type { ForEach } from '../../engine/postgres/record-reads.ts'
import type { Context } from '../../service/context.ts'
import {
  type Connection,
  type CursorSlice,
  cursorSlice,
  type Page,
  type Slice,
  selectedParts,
  toConnection,
  toPage,
} from '../../service/graphql/pagination.ts'
import type { ListTotal } from './cached-count.ts'
import { keysInCursors, type ListQuery, type Rows } from './list-query.ts'
import { findLists } from './rows.ts'
import type { FindSearchMatch } from './search-input.ts'

/** Where the selection of a connection has its records. */
export const nodePaths = { paths: [['edges', 'node'], ['nodes']] }

interface WithSearchMatch {
  readonly searchMatch: (() => ReturnType<FindSearchMatch>) | undefined
}

/** A connection or, with `parents`, one for each parent in the order of their IDs. */
export async function connectionsOf<Node extends object>(
  context: Context,
  kind: ErrorKind,
  list: ListQuery,
  args: DefaultConnectionArguments,
  info: GraphQLResolveInfo,
  { parents, listTotal }: { readonly parents?: ForEach; readonly listTotal?: ListTotal | undefined } = {},
): Promise<(Connection<Node> & WithSearchMatch)[]> {
  const slice = cursorSlice(args, context.settings)
  const { rows: hasRows, total } = selectedParts(info)
  const { after, before, inverted, limit } = slice
  const cachedTotal = total ? listTotal?.get() : undefined
  const take = hasRows ? limit : 0
  if (cachedTotal !== undefined && take === 0) return [toListConnection(slice, list, { rows: [], total: cachedTotal })]
  const query = {
    ...{ bounds: { after, before }, inverted, take },
    total: total && cachedTotal === undefined,
    // The row after the page only decides whether there is a next one.
    unread: limit - slice.expectedSize,
  }
  const pages = await findLists<Node>(context, kind, list, query, parents)
  if (query.total) listTotal?.set(pages[0]?.total)
  return pages.map((page) => toListConnection(slice, list, { ...page, total: cachedTotal ?? page.total }))
}

function toListConnection<Node extends object>(
  slice: CursorSlice,
  list: ListQuery,
  page: Rows<Node>,
): Connection<Node> & WithSearchMatch {
  const connection = toConnection(slice, keysInCursors(list.order), {
    ...page,
    keysOf: (row) => row.keys,
    node: (row) => row.record,
  })
  const { searchMatch } = list
  return { ...connection, searchMatch: searchMatch && (() => searchMatch(hasRecords(page))) }
}

const hasRecords = ({ rows, total = 0 }: Rows<object>): boolean => rows.length > 0 || total > 0

export function pageOf<Node extends object>(
  context: Context,
  kind: ErrorKind,
  list: ListQuery,
  slice: Slice,
  listTotal?: ListTotal | undefined,
): Page<Node> & WithSearchMatch {
  const load = pageLoader(async (query: PageParts) => {
    const [page] = await findLists<Node>(context, kind, list, query)
    if (query.total) listTotal?.set(page?.total)
    return page
  }, slice)
  const page = toPage(
    slice,
    async () => ((await load({ items: true }))?.rows ?? []).map(({ record }) => record),
    async () => listTotal?.get() ?? (await load({ total: true }))?.total ?? 0,
  )
  const { searchMatch } = list
  const isAnyFound = async () => {
    if (listTotal?.get()) return true
    const found = await load({})
    return found !== undefined && hasRecords(found)
  }
  return { ...page, searchMatch: searchMatch && (async () => searchMatch(await isAnyFound())) }
}

interface PageParts {
  readonly skip: number
  readonly take: number
  readonly total: boolean
}

/**
 * Loads items and total together where both are selected in one operation. Without parts, it returns those that are selected
 * beside it, if any.
 */
function pageLoader<Result>(find: (query: PageParts) => Promise<Result>, { skip, take }: Slice) {
  let requested: { items?: boolean; total?: boolean } = {}
  let pending: Promise<Result | undefined> | undefined
  return (parts: { items?: boolean; total?: boolean }): Promise<Result | undefined> => {
    requested = { ...requested, ...parts }
    pending ??= Promise.resolve().then(() => {
      const { items, total = false } = requested
      requested = {}
      pending = undefined
      if (!items && !total) return undefined
      return find(items ? { skip, take, total } : { skip: 0, take: 0, total })
    })
    return pending
  }
}
