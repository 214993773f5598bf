// The filters of the table are in the URL, so that they survive a reload and can be sent to a colleague.
import { useSearchParams } from 'wouter'
import type { EventFilter, EventOrder, EventStatus, LanguageCode, RecordStatus } from '../../gql/graphql.ts'
import { codeOf } from '../../site.ts'

export const recordStates = ['PUBLISHED', 'DRAFT', 'PENDING', 'SCHEDULED', 'PRIVATE'] as const satisfies RecordStatus[]
export const eventStates = ['CANCELLED', 'POSTPONED', 'RESCHEDULED', 'MOVED_ONLINE'] as const satisfies EventStatus[]
export const times = ['upcoming', 'past', 'all'] as const

const names = ['search', 'time', 'state', 'category', 'venue', 'text', 'once'] as const
export type FilterName = (typeof names)[number]
export type Filters = Readonly<Record<FilterName, string>>

export function useFilters() {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Filters
  const setFilter = (name: FilterName, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return { filters, setFilter, clearFilters: () => setParams({}, { replace: true }) }
}

const includes = <Item extends string>(items: readonly Item[], value: string): Item[] =>
  items.filter((item) => item === value)
const unlessEmpty = <Item>(items: Item[]): Item[] | undefined => (items.length > 0 ? items : undefined)

/** What the table asks the service for. */
export function toEventFilter({ search, time, state, category, venue, text, once }: Filters): EventFilter {
  const [kind, tag] = text.split(':')
  const language: LanguageCode[] | undefined = tag ? [codeOf(tag)] : undefined
  return {
    search: search || undefined,
    when: time === 'all' ? undefined : time === 'past' ? 'PAST' : 'UPCOMING',
    status: unlessEmpty(includes(recordStates, state)),
    eventStatus: unlessEmpty(includes(eventStates, state)),
    categories: category ? [category] : undefined,
    venues: venue ? [venue] : undefined,
    missingTranslation: kind === 'missing' ? language : undefined,
    translatedInto: kind === 'written' ? language : undefined,
    occurrences: once ? 'NEXT' : undefined,
  }
}

export const toEventOrder = ({ time }: Filters) =>
  ({ field: 'START', direction: time === 'past' ? 'DESC' : 'ASC' }) as const satisfies EventOrder
