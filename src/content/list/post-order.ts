// Orders of venues and organizers.
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { newestFirst, type SortKey } from '../../graphql/keyset.ts'
import type { PostKind } from '../kinds.ts'
import { byRelevance } from '../text/search.ts'
import type { ListOrder } from './pages.ts'

export const postOrderValues = {
  PUBLICATION: { value: 'publishedAt', description: 'Date of publication; ties go by number.' },
  NAME: { value: 'name', description: 'Name as it is served; ties go by number.' },
  RELEVANCE: {
    value: 'relevance',
    description:
      'How well the words of `filter.search` fit, in any of their forms: the best match is first in ascending order. Ties go the newest first. By page number only.',
  },
} as const

interface Order {
  readonly field: 'publishedAt' | 'name' | 'relevance'
  readonly descending: boolean
}

/** The newest first unless an order is given. Throws badInput for an order by what the filter doesn't name. */
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
  if (search == null) throw badInput({ orderBy: 'Relevance needs filter.search.' })
  const sort: ListOrder['sort'] = (ids, part) => byRelevance(kind, ids, search, { ...part, descending }, context)
  return { of: 'record', keys: newestFirst, sort }
}
