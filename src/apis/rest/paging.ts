import type { Settings } from '../../basics/env.ts'
import type { PostKind } from '../../kinds.ts'
import { LegacyError } from './errors.ts'
import { Json } from './json.ts'
import type { RestResult } from './route.ts'
import type { Query, Urls } from './urls.ts'

/** The error for a page after the last one, for events, venues and organizers. */
export const pageNotFound = (kind: PostKind) =>
  new LegacyError(404, `${kind}-archive-page-not-found`, 'The list has fewer pages.')

/** A larger page size counts as the maximum of the site. */
export const clampedPageSize = (size: number | undefined, { perPageMax }: Settings): number | undefined =>
  size === undefined ? undefined : Math.min(size, perPageMax)

export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly perPage: number
  readonly total: number
  readonly totalPages: number
}

interface ListAddress {
  readonly page: number
  /** Path of the collection, with a trailing slash. */
  readonly path: string
  /** Effective parameters without the page, in the order that links show. */
  readonly query: Query
  /** Whether `rest_url` of page 1 has the parameter `page` (contract c.13: it has for events, venues and organizers). */
  readonly selfLinkHasPage: boolean
}

/** A list response: items under `key`, links to the neighbouring pages, totals in the body and in headers. */
export function listResult(
  key: string,
  { items, total, totalPages }: Pick<ListPage<Json>, 'items' | 'total' | 'totalPages'>,
  { page, path, query, selfLinkHasPage }: ListAddress,
  urls: Urls,
): RestResult {
  const address = (number: number | undefined) => urls.link(path, { page: number, ...query })
  const hasNext = page < totalPages
  const self = page === 1 && !selfLinkHasPage ? undefined : page
  return {
    body: Json.list(key, items, {
      rest_url: address(self),
      ...(hasNext ? { next_rest_url: address(page + 1) } : {}),
      ...(page > 1 ? { previous_rest_url: address(page === 2 ? undefined : page - 1) } : {}),
      total,
      total_pages: totalPages,
    }),
    totals: [total, totalPages],
  }
}
