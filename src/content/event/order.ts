import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import type { SortKey } from '../../graphql/keyset.ts'
import { isStorable } from '../../graphql/scalars.ts'
import { wallClockDate } from '../../time.ts'
import { direction } from '../enums.ts'
import { eventsByDistance } from '../list/distance.ts'
import type { ListOrder } from '../list/pages.ts'
import { byRelevance } from '../text/search.ts'
import type { EventFilter, FoundEvents, Range } from './filter.ts'

const EventOrderField = builder.enumType('EventOrderField', {
  description: 'What events are ordered by; ties go by publication, then by number.',
  values: {
    START: { value: 'startsAt', description: 'Instant of the start.' },
    START_LOCAL: { value: 'startsLocal', description: 'Wall clock of the start.' },
    END: { value: 'endsAt', description: 'Instant of the end.' },
    PUBLICATION: { value: 'publishedAt', description: 'Date of publication.' },
    TITLE: { value: 'title', description: 'Title as it is served; ties go by number.' },
    DISTANCE: {
      value: 'distance',
      description: 'From the place of `filter.near` to the nearest venue; ties go by start. By page number only.',
    },
    RELEVANCE: {
      value: 'relevance',
      description:
        'How well the words of `filter.search` fit, in any of their forms: the best match is first in ascending order. Ties go by start. By page number only.',
    },
  } as const,
})

export const EventOrder = builder.inputType('EventOrder', {
  description: 'An order of events.',
  fields: (t) => ({
    field: t.field({ type: EventOrderField, required: true, description: 'What to order by.' }),
    direction: t.field(direction),
  }),
})

type SortColumn = 'startsAt' | 'startsLocal' | 'endsAt' | 'publishedAt'

type Order = typeof EventOrder.$inferInput
type Filter = typeof EventFilter.$inferInput

/** Throws badInput for an order by what the filter doesn't name. */
export function eventOrder(
  order: Order | null | undefined,
  filter: Filter,
  { venues }: FoundEvents,
  context: Context,
): ListOrder {
  const { search, near } = filter
  const field = order?.field ?? 'startsAt'
  const descending = order?.direction === 'desc'
  if (field === 'title') {
    const keys = [
      { column: 'name', descending, type: 'text' } as const,
      { column: 'eventId', descending, type: 'integer' } as const,
    ]
    return { of: 'text', keys }
  }
  if (field === 'relevance') {
    if (search == null) throw badInput({ orderBy: 'Relevance needs filter.search.' })
    const sort: ListOrder['sort'] = (ids, part) => byRelevance('event', ids, search, { ...part, descending }, context)
    return { of: 'record', keys: columnKeys('startsAt', false), sort }
  }
  if (field === 'distance') {
    if (near == null) throw badInput({ orderBy: 'Distance needs filter.near.' })
    const sort: ListOrder['sort'] = (ids, part) => eventsByDistance(ids, venues, near, { ...part, descending }, context)
    return { of: 'record', keys: columnKeys('startsAt', false), sort }
  }
  return { of: 'record', keys: columnKeys(field, descending), bounds: startBounds(field, filter) }
}

/** Clocks and instants are less than a day apart: bounds of one are bounds of the other. */
function startBounds(field: SortColumn, { startsAt, startsLocal }: Filter): object | undefined {
  if (field === 'startsLocal' && startsAt) return { startsLocal: widened(startsAt, (bound) => bound.getTime()) }
  if (field === 'startsAt' && startsLocal) {
    return { startsAt: widened(startsLocal, (bound) => wallClockDate(bound).getTime()) }
  }
  return undefined
}

const day = 86_400_000

function widened<Bound>(range: Range<Bound>, timeOf: (bound: Bound) => number): Range<Date> {
  const [from, until] = [range.gt ?? range.gte, range.lt ?? range.lte]
  const bounds: Range<Date> = {}
  if (from != null) bounds.gte = new Date(timeOf(from) - day)
  if (until != null) bounds.lte = new Date(timeOf(until) + day)
  // Beyond the ends of time nothing lies that a bound could keep out.
  return Object.fromEntries(Object.entries(bounds).filter(([, bound]) => isStorable(bound)))
}

function columnKeys(column: SortColumn, descending: boolean): SortKey[] {
  return [
    ...[...new Set([column, 'publishedAt'])].map((name) => ({ column: name, descending, type: 'date' as const })),
    { column: 'id', descending, type: 'integer' },
  ]
}
