// The two ways to page that every list offers: Relay connections, and pages by number.
import { type DefaultConnectionArguments, parseCursorConnectionArgs } from '@pothos/plugin-relay'
import type { Settings } from '../env.ts'
import { badInput } from '../errors.ts'
import { memoizeOnce } from '../memoize.ts'
import { builder } from './builder.ts'
import { type Bounds, type SortKey, toCursor } from './keyset.ts'
import { counts } from './limits/complexity.ts'

export interface Page<Row> {
  readonly number: number
  readonly perPage: number
  readonly items: () => Promise<(Row | Promise<Row>)[]>
  /** Matches over all pages; counted only when asked for. */
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
  if (number < 1) throw badInput({ page: 'page is 1 or more.' })
  if (size < 1) throw badInput({ perPage: 'perPage is 1 or more.' })
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

/** How many records a relation shows. Throws badInput below 0. */
export function relationSize(first: number | null | undefined, { perPageDefault, perPageMax }: Settings): number {
  if (first != null && first < 0) throw badInput({ first: 'first is 0 or more.' })
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
  /** Gives edges with much text the time that they take. */
  readonly pace?: <Item extends Edge<Node>>(edges: readonly Item[]) => (Item | Promise<Item>)[]
  readonly count: () => Promise<number>
}

/** A Relay connection by keyset; `count` is asked only for totalCount. */
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

/** Fields that each kind's page type has beside its items. */
export const PageInterface = builder.interfaceRef<Page<unknown>>('Page').implement({
  description: 'A page of a list, found by its number.',
  fields: (t) => ({
    page: t.int({ description: 'Number of this page, from 1.', resolve: (page) => page.number }),
    perPage: t.int({ description: 'Items on a full page.', resolve: (page) => page.perPage }),
    total: t.int({ description: 'Items on all pages.', extensions: counts, resolve: (page) => page.total() }),
    totalPages: t.int({
      description: 'Number of pages; 0 when nothing matches.',
      extensions: counts,
      resolve: async (page) => Math.ceil((await page.total()) / page.perPage),
    }),
  }),
})

/** Field that every connection has beside Relay's. */
export const totalCount = {
  description: 'Items of the whole list; counted only when asked for.',
  extensions: counts,
  resolve: (list: { totalCount: () => Promise<number> }) => list.totalCount(),
}
