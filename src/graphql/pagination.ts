// The two kinds of pagination of every list: Relay connections, and numbered pages.
import { type DefaultConnectionArguments, parseCursorConnectionArgs } from '@pothos/plugin-relay'
import type { Settings } from '../env.ts'
import { badInput } from '../errors.ts'
import { memoizeOnce } from '../memoize.ts'
import { builder } from './builder.ts'
import { type Bounds, type SortKey, toCursor } from './keyset.ts'
import { countComplexity } from './limits/complexity.ts'

export interface Page<Row> {
  readonly number: number
  readonly perPage: number
  readonly items: () => Promise<(Row | Promise<Row>)[]>
  /** Records on all pages; counted only if selected. */
  readonly total: () => Promise<number>
}

interface PageArgs {
  readonly page?: number | null | undefined
  readonly perPage?: number | null | undefined
}

export interface Slice {
  readonly number: number
  readonly skip: number
  readonly take: number
}

/** What of a list a page is: the size defaults to the site's and is capped at its maximum. Throws badInput below 1. */
export function slice({ page, perPage }: PageArgs, { perPageDefault, perPageMax }: Settings): Slice {
  const number = page ?? 1
  const size = perPage ?? perPageDefault
  if (number < 1) throw badInput({ page: 'page must be at least 1.' })
  if (size < 1) throw badInput({ perPage: 'perPage must be at least 1.' })
  const take = Math.min(size, perPageMax)
  return { number, take, skip: (number - 1) * take }
}

export function toPage<Row>(
  { number, take }: Slice,
  items: () => Promise<(Row | Promise<Row>)[]>,
  count: () => Promise<number>,
): Page<Row> {
  return { number, perPage: take, items, total: memoizeOnce(count) }
}

/** How many records of a relation are returned. Throws badInput below 0. */
export function relationSize(first: number | null | undefined, { perPageDefault, perPageMax }: Settings): number {
  if (first != null && first < 0) throw badInput({ first: 'first must be at least 0.' })
  return Math.min(first ?? perPageDefault, perPageMax)
}

interface Edge<Node> {
  readonly cursor: string
  readonly node: Node
}

interface ConnectionList<Row, Node> {
  readonly keys: readonly SortKey[]
  /** The rows between two cursors, in the order of the keys or its reverse. */
  readonly load: (bounds: Bounds, inverted: boolean, limit: number) => Promise<Row[]>
  readonly keysOf: (row: Row) => object
  readonly node: (row: Row) => Node
  /** Yields to the event loop between edges with long texts. */
  readonly pace?: <Item extends Edge<Node>>(edges: readonly Item[]) => (Item | Promise<Item>)[]
  readonly count: () => Promise<number>
}

/** A Relay connection by keyset. Calls `count` only if totalCount is selected. */
export async function toConnection<Row extends object, Node>(
  args: DefaultConnectionArguments,
  { perPageDefault, perPageMax }: Settings,
  { keys, load, keysOf, node, pace = (edges) => [...edges], count }: ConnectionList<Row, Node>,
) {
  const sizes = { defaultSize: perPageDefault, maxSize: perPageMax }
  const page = parseCursorConnectionArgs({ args, ...sizes })
  const rowsAndNext = await load(page, page.inverted, page.limit)
  const rows = rowsAndNext.slice(0, page.expectedSize)
  if (page.inverted) rows.reverse()
  const edges = rows.map((row) => ({ cursor: toCursor(keys, keysOf(row)), node: node(row) }))
  return {
    edges: pace(edges),
    pageInfo: {
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
      hasPreviousPage: page.hasPreviousPage(rowsAndNext.length),
      hasNextPage: page.hasNextPage(rowsAndNext.length),
    },
    totalCount: count,
  }
}

/** Fields of all page types, in addition to the items. */
export const PageInterface = builder.interfaceRef<Page<unknown>>('Page').implement({
  description: 'A numbered page of a list.',
  fields: (t) => ({
    page: t.int({ description: 'Number of this page, from 1.', resolve: (page) => page.number }),
    perPage: t.int({ description: 'Maximum number of items per page.', resolve: (page) => page.perPage }),
    total: t.int({
      description: 'Total number of items on all pages.',
      extensions: countComplexity,
      resolve: (page) => page.total(),
    }),
    totalPages: t.int({
      description: 'Number of pages; 0 when nothing matches.',
      extensions: countComplexity,
      resolve: async (page) => Math.ceil((await page.total()) / page.perPage),
    }),
  }),
})

/** Field of all connections, in addition to those of Relay. */
export const totalCount = {
  description: 'Number of items in the whole list.',
  extensions: countComplexity,
  resolve: (list: { totalCount: () => Promise<number> }) => list.totalCount(),
}
