// Pagination of lists, by Relay connections or by numbered pages.
import { type DefaultConnectionArguments, parseCursorConnectionArgs } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import type { Settings } from '../../basics/env.ts'
import { badInputError } from '../../basics/errors.ts'
import { selectedFieldNames } from '../../engine/execution/analyze-operation.ts'
import { builder } from './builder.ts'
import { type SortKey, toCursor } from './keyset.ts'
import { countComplexity } from './limits/complexity.ts'
import { maxPageSize } from './page-size.ts'

/** A numbered page of a list. */
export interface Page<Row> {
  readonly number: number
  readonly perPage: number
  readonly items: () => Promise<(Row | Promise<Row>)[]>
  /** Returns the number of records on all pages. Called only if the total is selected. */
  readonly total: () => Promise<number>
}

export interface PageArgs {
  readonly page?: number | null | undefined
  readonly perPage?: number | null | undefined
}

export type Slice = ReturnType<typeof createPageSlice>

/** Returns which part of a list a page shows. Throws badInputError for a number or size out of range. */
export function createPageSlice({ page, perPage }: PageArgs, settings: Settings) {
  const number = page ?? 1
  if (number < 1) throw badInputError({ page: 'page must be at least 1.' })
  const take = requirePageSize('perPage', perPage, 1, maxPageSize(settings)) ?? settings.perPageDefault
  return { number, take, skip: (number - 1) * take }
}

/** Returns the page size. Throws badInputError for a size out of range. */
export function requirePageSize(
  name: 'first' | 'last' | 'perPage',
  size: number | null | undefined,
  min: number,
  max: number,
): number | undefined {
  if (size == null || (size >= min && size <= max)) return size ?? undefined
  throw badInputError({ [name]: `${name} must be from ${min} to ${max}.` })
}

interface Edge<Node> {
  readonly node: Node
  readonly cursor: string
}

export interface Connection<Node> {
  readonly edges: readonly (Edge<Node> | Promise<Edge<Node>>)[]
  readonly pageInfo: {
    readonly hasPreviousPage: boolean
    readonly hasNextPage: boolean
    readonly startCursor: string | undefined
    readonly endCursor: string | undefined
  }
  /** Number of records in the list; undefined unless the field is selected. */
  readonly totalCount: number | undefined
}

type CursorSlice = ReturnType<typeof parseCursorConnectionArgs>

/** Returns which part of a list a connection shows. Throws badInputError for a size out of range. */
export function createCursorSlice(args: DefaultConnectionArguments, settings: Settings): CursorSlice {
  const maxSize = maxPageSize(settings)
  requirePageSize('first', args.first, 0, maxSize)
  requirePageSize('last', args.last, 0, maxSize)
  return parseCursorConnectionArgs({ args, defaultSize: settings.perPageDefault, maxSize })
}

/** Returns what the selection of a connection field requires: rows, total, or both. */
export function selectedConnectionParts(info: GraphQLResolveInfo): { readonly rows: boolean; readonly total: boolean } {
  const names = selectedFieldNames(info)
  return { rows: ['edges', 'nodes', 'pageInfo'].some((name) => names.has(name)), total: names.has('totalCount') }
}

/** The rows that were read for a connection. */
export interface LoadedRows<Node> {
  /** The rows of the slice and perhaps the next one, in the order of the keys, or its reverse if the slice is inverted. */
  readonly rows: readonly { readonly keys: object; readonly record: Node }[]
  /** Number of rows of the slice and the next one, if they are not all in `rows`. */
  readonly found?: number | undefined
  readonly total: number | undefined
}

/** Creates a Relay connection from the rows of a slice. */
export function toConnection<Node>(
  page: CursorSlice,
  keys: readonly SortKey[],
  { rows: rowsAndNext, found = rowsAndNext.length, total }: LoadedRows<Node>,
): Connection<Node> {
  const rows = rowsAndNext.slice(0, page.expectedSize)
  if (page.inverted) rows.reverse()
  const edges = rows.map((row) => ({ node: row.record, cursor: toCursor(keys, row.keys) }))
  return {
    edges,
    pageInfo: {
      hasPreviousPage: page.hasPreviousPage(found),
      hasNextPage: page.hasNextPage(found),
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
    totalCount: total,
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

/** Field of all connections, in addition to the fields that Relay defines. */
export const totalCount = {
  description: 'Number of items in the whole list.',
  extensions: countComplexity,
  resolve: ({ totalCount }: Pick<Connection<unknown>, 'totalCount'>) => {
    if (totalCount === undefined) throw new Error('The total of this list was not loaded.')
    return totalCount
  },
}
