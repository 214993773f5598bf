// Orders that venues and organizers share.

import { badInputError } from '../../basics/errors.ts'
import type { PostKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { newestFirst } from '../../service/graphql/keyset.ts'
import { createTextOrder, type ListOrder } from './list-query.ts'
import { relevanceOrder } from './relevance.ts'

export const postOrderValues = {
  PUBLICATION: { value: 'publishedAt', description: 'Publication date, then ID.' },
  NAME: { value: 'name', description: 'Name in the language of the operation, then ID.' },
  RELEVANCE: {
    value: 'relevance',
    description:
      'Relevance for `filter.search`, including inflected forms. Ascending puts the best match first. Of equal matches, the newest comes first.',
  },
} as const

/** Converts an order to sort keys, by default newest first. Throws badInputError for an order by relevance without a search. */
export function inputToPostOrder(
  kind: PostKind,
  field: (typeof postOrderValues)[keyof typeof postOrderValues]['value'] | undefined,
  direction: 'asc' | 'desc' | null | undefined,
  search: string | null | undefined,
  context: Context,
): ListOrder {
  if (field === undefined) return { keys: newestFirst }
  const descending = direction === 'desc'
  if (field === 'name') return createTextOrder(kind, field, descending, context)
  if (field === 'publishedAt') return { keys: newestFirst.map((key) => ({ ...key, descending })) }
  if (search == null) throw badInputError({ orderBy: 'RELEVANCE requires filter.search.' })
  const keys = newestFirst.map((key) => ({ ...key, descending: !descending }))
  return { keys, value: relevanceOrder(kind, search, descending, context) }
}
