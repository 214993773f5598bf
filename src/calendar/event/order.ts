import { badInputError } from '../../basics/errors.ts'
import { dayMs, wallClockToDate } from '../../basics/time.ts'
import type { Context } from '../../service/context.ts'
import type { SortKey } from '../../service/graphql/keyset.ts'
import { placeOrderComplexity, relevanceComplexity, searchComplexity } from '../../service/graphql/limits/complexity.ts'
import { isStorableDate } from '../../service/graphql/scalars.ts'
import type { BoundedRange } from '../list/date-range.ts'
import { eventDistanceOrder, requireCenter } from '../list/distance.ts'
import { createTextOrder, type ListOrder } from '../list/list-query.ts'
import { addOrderInputType } from '../list/order-input.ts'
import { relevanceOrder } from '../list/relevance.ts'
import type { EventTimes } from './days.ts'
import type { EventFilter, EventSelection } from './filter.ts'
import { createEventOrder, isComputedEventOrder } from './order-values.ts'

export const EventOrder = addOrderInputType(
  'event',
  'Sort keys of events. Ties are broken by publication date, then by ID.',
  {
    START: { value: 'startsAt', description: 'Instant of the start.' },
    START_LOCAL: { value: 'startsLocal', description: 'Local time of the start.' },
    END: { value: 'endsAt', description: 'Instant of the end.' },
    PUBLICATION: { value: 'publishedAt', description: 'Publication date.' },
    MODIFIED: { value: 'modifiedAt', description: 'Time of the last modification.' },
    TITLE: { value: 'title', description: 'Title in the language of the operation, then ID.' },
    PRICE: {
      value: 'price',
      description:
        'Lowest number among the cost and the prices of tickets, whatever the currency, then start. Events without a price come last in both directions.',
      extensions: searchComplexity,
    },
    AUTHOR: {
      value: 'author',
      description: 'Display name of the author, then start. Events without an author come last in both directions.',
      extensions: searchComplexity,
    },
    PLACE_NAME: {
      value: 'placeName',
      description:
        'Name of the first venue in the language of the operation, then start. Events without a venue come last in both directions.',
      extensions: placeOrderComplexity,
    },
    ALL_DAY: {
      value: 'allDay',
      description:
        'Events with a time of day first, then events that last whole days, each by start. Locked events come last in both directions.',
      extensions: searchComplexity,
    },
    DISTANCE: {
      value: 'distance',
      description: 'Distance from `filter.near` to the nearest venue, then start.',
    },
    RELEVANCE: {
      value: 'relevance',
      description:
        'Relevance for `filter.search`, including inflected forms. Ascending puts the best match first. Equal matches are sorted by start. Of more than 50 matches, those with the words in the title and those closest to today are ranked; the others follow by start.',
      extensions: relevanceComplexity,
    },
  },
)

type SortColumn = 'startsAt' | 'startsLocal' | 'endsAt' | 'publishedAt' | 'modifiedAt'

type Order = typeof EventOrder.$inferInput
type Filter = typeof EventFilter.$inferInput

/** Converts an order of events to sort keys, by default the start. Throws badInputError if the order requires a missing filter. */
export function inputToEventOrder(
  order: Order | null | undefined,
  filter: Filter,
  selection: EventSelection,
  context: Context,
): ListOrder {
  const { search, near } = filter
  const field = order?.field ?? 'startsAt'
  const descending = order?.direction === 'desc'
  if (field === 'title') return createTextOrder('event', 'name', descending, context)
  if (field === 'relevance') {
    if (search == null) throw badInputError({ orderBy: 'RELEVANCE requires filter.search.' })
    return { keys: columnKeys('startsAt', descending), value: relevanceOrder('event', search, descending, context) }
  }
  if (field === 'distance') {
    if (near == null) throw badInputError({ orderBy: 'DISTANCE requires filter.near.' })
    const value = eventDistanceOrder(selection, requireCenter(near), descending)
    return { keys: columnKeys('startsAt', false), value }
  }
  if (isComputedEventOrder(field))
    return { keys: columnKeys('startsAt', false), value: createEventOrder(field, descending, context) }
  return { keys: columnKeys(field, descending), bounds: startBounds(field, selection.times) }
}

/** Local times and UTC differ by less than a day: a filter on one implies bounds of the other, a day wider. */
function startBounds(field: SortColumn, times: readonly EventTimes[]): object | undefined {
  const bounds = times.flatMap(({ startsAt, startsLocal }): object[] => {
    if (field === 'startsLocal' && startsAt) return [{ startsLocal: widened(startsAt) }]
    return field === 'startsAt' && startsLocal ? [{ startsAt: widened(startsLocal) }] : []
  })
  return bounds.length > 0 ? { AND: bounds } : undefined
}

function widened(range: BoundedRange<Date | string>): BoundedRange<Date> {
  const moved = (bound: Date | string | null | undefined, days: number) => {
    const date = typeof bound === 'string' ? wallClockToDate(bound) : bound
    return date && new Date(date.getTime() + days * dayMs)
  }
  const bounds = { gte: moved(range.gt ?? range.gte, -1), lte: moved(range.lt ?? range.lte, 1) }
  // A bound that the database cannot store excludes nothing.
  return Object.fromEntries(Object.entries(bounds).filter(([, bound]) => bound && isStorableDate(bound)))
}

function columnKeys(column: SortColumn, descending: boolean): SortKey[] {
  return [
    ...[...new Set([column, 'publishedAt'])].map((name) => ({ column: name, descending, type: 'date' as const })),
    { column: 'id', descending, type: 'integer' },
  ]
}
