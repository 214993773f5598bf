import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import type { NodeKind } from '../../basics/errors.ts'
import { memoizeOnce } from '../../basics/memoize.ts'
import { selectedFieldNames } from '../../engine/execution/analyze-operation.ts'
import type { ListsOfParents } from '../../engine/postgres/record-reads.ts'
import type { Context } from '../../service/context.ts'
import {
  type Connection,
  createCursorSlice,
  type LoadedRows,
  type Page,
  type Slice,
  selectedConnectionParts,
  toConnection,
} from '../../service/graphql/pagination.ts'
import { keysInCursors, type ListQuery } from './list-query.ts'
import { readLists } from './rows.ts'
import type { FindSearchMatch } from './search-input.ts'

/** Paths of the records in the selection of a connection. */
export const nodePaths = { paths: [['edges', 'node'], ['nodes']] }

interface WithSearchMatch {
  readonly searchMatch: (() => ReturnType<FindSearchMatch>) | undefined
}

/** Creates a connection or, with `parents`, one for each parent in the order of their IDs. */
export async function loadConnections<Node extends object>(
  context: Context,
  kind: NodeKind,
  list: ListQuery,
  args: DefaultConnectionArguments,
  info: GraphQLResolveInfo,
  parents?: ListsOfParents,
): Promise<(Connection<Node> & WithSearchMatch)[]> {
  const { searchMatch, cachedTotal } = list
  const cursors = createCursorSlice(args, context.settings)
  const { rows: hasRows, total: hasTotal } = selectedConnectionParts(info)
  const { after, before, inverted, limit } = cursors
  const known = hasTotal ? cachedTotal?.get() : undefined
  const query = {
    ...{ bounds: { after, before }, inverted, take: hasRows ? limit : 0 },
    total: hasTotal && known === undefined,
    // The row after the page only decides whether there is a next page.
    unread: limit - cursors.expectedSize,
  }
  const isKnown = known !== undefined && query.take === 0
  const pages = isKnown ? [{ rows: [], total: known }] : await readLists<Node>({ context, kind, list, parents }, query)
  if (query.total) cachedTotal?.set(pages[0]?.total)
  return pages.map((page) => {
    const found = { ...page, total: known ?? page.total }
    const connection = toConnection<Node>(cursors, keysInCursors(list.order), found)
    return { ...connection, searchMatch: searchMatch && (() => searchMatch(hasRecords(found))) }
  })
}

const hasRecords = ({ rows, total = 0 }: LoadedRows<object>): boolean => rows.length > 0 || total > 0

/** Creates a numbered page. Loads items and total together if both are selected. */
export function loadNumberedPage<Node extends object>(
  context: Context,
  kind: NodeKind,
  list: ListQuery,
  { number, skip, take }: Slice,
  info: GraphQLResolveInfo,
): Page<Node> & WithSearchMatch {
  const { searchMatch, cachedTotal } = list
  const names = selectedFieldNames(info)
  const hasItems = names.has('items')
  const hasTotal = names.has('total') || names.has('totalPages')
  const known = hasTotal || names.has('searchMatch') ? cachedTotal?.get() : undefined
  const load = memoizeOnce(async (): Promise<LoadedRows<Node>> => {
    const total = hasTotal && known === undefined
    if (!hasItems && !total) return { rows: [], total: known }
    const [page] = await readLists<Node>({ context, kind, list }, { skip, take: hasItems ? take : 0, total })
    if (total) cachedTotal?.set(page?.total)
    return { rows: page?.rows ?? [], total: known ?? page?.total }
  })
  return {
    number,
    perPage: take,
    items: async () => (await load()).rows.map(({ record }) => record),
    total: async () => known ?? (await load()).total ?? 0,
    searchMatch: searchMatch && (async () => searchMatch(known ? true : hasRecords(await load()))),
  }
}
