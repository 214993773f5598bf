// Views of the calendar in addresses of legacy sites, such as `/events/category/music/2026-12/` and
// `/events/list/page/2/?tribe-bar-date=2026-12-24`.
import { isDay } from '../../basics/dates/whole-days.ts'

export interface CalendarView {
  /** Undefined if the URL names no view, so that the site chooses one. */
  readonly name: 'list' | 'month' | 'day' | undefined
  /** `YYYY-MM-DD` or `YYYY-MM`: the day or month, or the first day of a list. */
  readonly date: string | undefined
  /** From 1. */
  readonly page: number
  readonly search: string | undefined
  /** Slug of the category in the query. */
  readonly category: string | undefined
  readonly isPast: boolean
  readonly isFeatured: boolean
}

interface CalendarAddress {
  /** The segments of the path that precede the segments of the view, such as `events` in `/events/2026-12/`. */
  readonly segments: readonly string[]
  readonly view: CalendarView
}

interface AddressOptions {
  /** Current day of the site. */
  readonly today: string
  /** Name of the parameter for a category. */
  readonly categoryTaxonomy: string
  /** Number of segments at the start of the path that never belong to a view. */
  readonly kept?: number
}

const names: Readonly<Record<string, 'list' | 'month' | 'day'>> = {
  ...{ list: 'list', photo: 'list', map: 'list', summary: 'list', week: 'list', past: 'list' },
  ...{ month: 'month', day: 'day', today: 'day' },
}

/** Reads the view of the calendar from the last segments of a path and from the query. */
export function readCalendarAddress(
  path: string,
  query: Readonly<Record<string, unknown>>,
  { today, categoryTaxonomy, kept = 0 }: AddressOptions,
): CalendarAddress {
  const segments = path.split('/').filter((segment) => segment !== '')
  const words = new Set<string>()
  let date: string | undefined
  let page = Number(text(query.paged) ?? text(query.tribe_paged))
  while (segments.length > kept) {
    const [before, last = ''] = [segments.at(-2), segments.at(-1)]
    if (isDate(last)) date = last
    else if (before === 'page' && segments.length > kept + 1 && /^\d{1,9}$/.test(last)) page = Number(segments.pop())
    else if (last === 'featured' || Object.hasOwn(names, last)) words.add(last)
    else break
    segments.pop()
  }
  const display = [query.eventDisplay, query.tribe_event_display, query.tribe_display].flatMap(
    (value) => text(value) ?? [],
  )
  const [word] = [...words, ...display].filter((each) => Object.hasOwn(names, each))
  const queried = text(query['tribe-bar-date'])
  const name = word === undefined ? undefined : names[word]
  return {
    segments,
    view: {
      name: name ?? (date === undefined ? undefined : isDay(date) ? 'day' : 'month'),
      date: date ?? (words.has('today') ? today : queried !== undefined && isDate(queried) ? queried : undefined),
      page: Number.isSafeInteger(page) && page > 0 ? page : 1,
      search: text(query['tribe-bar-search']),
      category: text(query[categoryTaxonomy])
        ?.split('/')
        .findLast((slug) => slug !== ''),
      isPast: words.has('past') || display.includes('past'),
      isFeatured: words.has('featured') || /^(1|true)$/.test(text(query.featured) ?? ''),
    },
  }
}

const isDate = (text: string): boolean => isDay(text.length === 'YYYY-MM'.length ? `${text}-01` : text)

/** Returns a query value that is a text and not empty; otherwise undefined. */
function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, 200).toWellFormed() : ''
  return trimmed === '' ? undefined : trimmed
}

/** Selects the events with the title that start on the day: legacy sites have one address for all dates of an event. */
export const occurrenceFilter = (title: string, day: string) => ({
  between: { from: day, to: day, timeZone: 'local', match: 'STARTING' as const },
  // Only words, because quotes and hyphens are operators of the search.
  search: (title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, 10).join(' '),
})
