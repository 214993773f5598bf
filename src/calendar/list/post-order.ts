// Orders that venues and organizers share.

import { badInput } from '../../basics/errors.ts'
import type { PostKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { newestFirst, type SortKey } from '../../service/graphql/keyset.ts'
import type { ListOrder } from './list-query.ts'
import { byRelevance } from './relevance.ts'

export const postOrderValues = {
  PUBLICATION: { value: 'publishedAt', description: 'Publication date, then ID.' },
  NAME: { value: 'name', description: 'Name in the language of the operation, then ID.' },
  RELEVANCE: {
    value: 'relevance',
    description:
      'Relevance for `filter.search`, including inflected forms. Ascending puts the best match first. Of equal matches, the newest comes first.',
  },
} as const

interface Order {
  readonly field: 'publishedAt' | 'name' | 'relevance'
  readonly descending: boolean
}

/** By default the newest first. Throws badInput for an order by relevance without a search. */
export function postOrder(
  kind: PostKind,
  order: Order | undefined,
  search: string | null | undefined,
  context: Context,
): ListOrder {
  if (order === undefined) return { of: 'record', keys: newestFirst }
  const { field, descending } = order
  const keys = (column: string, id: string, type: SortKey['type']): SortKey[] => [
    { column, descending, type },
    { column: id, descending, type: 'integer' },
  ]
  if (field === 'name') return { of: 'text', keys: keys('name', `${kind}Id`, 'text') }
  if (field === 'publishedAt') return { of: 'record', keys: keys('publishedAt', 'id', 'date') }
  if (search == null) throw badInput({ orderBy: 'RELEVANCE requires filter.search.' })
  return { of: 'record', keys: newestFirst, computed: byRelevance(kind, search, descending, context) }
}
