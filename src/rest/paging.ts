import type { PostKind } from '../content/kinds.ts'
import { LegacyError } from './errors.ts'
import { type Json, withItems } from './json.ts'
import type { Answer } from './route.ts'
import type { Query, Urls } from './urls.ts'

/** Events, venues and organizers answer so when a later page than the first has no items. */
export const pastTheEnd = (kind: PostKind) =>
  new LegacyError(404, `${kind}-archive-page-not-found`, 'The list has fewer pages.')

interface Listed {
  readonly items: readonly Json[]
  readonly total: number
  readonly totalPages: number
}

interface Position {
  readonly page: number
  /** Path of the collection, with a trailing slash. */
  readonly path: string
  /** Effective parameters beside the page, in the order they are shown. */
  readonly query: Query
  /** Whether the page's own address names page 1 (contract c.13: the three lists of posts do). */
  readonly namesFirstPage: boolean
}

/** The envelope of a list: its items under `key`, links that exist, totals in the body and in headers. */
export function envelope(
  key: string,
  { items, total, totalPages }: Listed,
  { page, path, query, namesFirstPage }: Position,
  urls: Urls,
): Answer {
  const address = (number: number | undefined) => urls.link(path, { page: number, ...query })
  const hasNext = page < totalPages
  const self = page === 1 && !namesFirstPage ? undefined : page
  return {
    body: withItems(key, items, {
      rest_url: address(self),
      ...(hasNext ? { next_rest_url: address(page + 1) } : {}),
      ...(page > 1 ? { previous_rest_url: address(page === 2 ? undefined : page - 1) } : {}),
      total,
      total_pages: totalPages,
    }),
    totals: [total, totalPages],
  }
}
