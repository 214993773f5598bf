// The query string of the landing page: view, month or day, search and filters.
import type { FastifyRequest } from 'fastify'
import { isDay } from '../../basics/dates/whole-days.ts'
import { languageCode } from '../../basics/language.ts'
import type { EventFilter, LanguageCode } from '../../generated/graphql/graphql.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { formatQueryString, homeUrl, type PageContext, type PageRequest, pageParamOf } from './page.ts'

/** Query parameters of the filters that visitors set by links. */
const filterNames = ['category', 'city', 'price', 'language'] as const
export type FilterName = (typeof filterNames)[number]

export interface CalendarQuery {
  readonly view: 'month' | 'list'
  readonly search?: string | undefined
  /** The month, such as `2026-11`. Default: the current month in the month view, all upcoming events in the list. */
  readonly month?: string | undefined
  /** The list of this day only, such as `2026-11-21`. */
  readonly date?: string | undefined
  /** The last day of a list of several days that begins on `date`. */
  readonly to?: string | undefined
  readonly filters: Readonly<Partial<Record<FilterName, string>>>
}

/** Whether the calendar has a page for the month, such as `2026-11`. */
export const hasMonthPage = (month: string): boolean => isDay(`${month}-01`)

/** Reads the query string of a request. Ignores parameters with an invalid value. */
export function readCalendarQuery(
  request: FastifyRequest,
  { search, settings }: Pick<PageRequest, 'search' | 'settings'>,
): CalendarQuery {
  const params = queryOf(request)
  const text = (name: string, isValid: (value: string) => boolean): string | undefined => {
    const value = params[name]
    return typeof value === 'string' && isValid(value) ? value : undefined
  }
  const isShort = (value: string) =>
    value !== '' && value.length <= 200 && !value.includes('\0') && value.isWellFormed()
  const filters = {
    category: text('category', isShort),
    city: text('city', isShort),
    price: text('price', (value) => value === 'free' || value === 'paid'),
    language: text('language', (value) => settings.languages.includes(value)),
  }
  const date = text('date', isDay)
  const to = text('to', (value) => isDay(value) && date !== undefined && value > date)
  const month = text('month', hasMonthPage)
  const view = text('view', (value) => value === 'list' || value === 'month')
  // A search without a month finds events of all months, which only the list can show.
  const isList =
    date !== undefined ||
    view === 'list' ||
    (view !== 'month' && month === undefined && (search !== undefined || params.page !== undefined))
  return {
    view: isList ? 'list' : 'month',
    search,
    month: date === undefined ? month : undefined,
    date,
    to,
    filters: defined(filters),
  }
}

const defined = <Value>(values: Readonly<Partial<Record<FilterName, Value | undefined>>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<FilterName, Value>
  >

/** Returns the event filter of the search and the filters, without dates. */
export function toEventFilter({ search, filters }: Pick<CalendarQuery, 'search' | 'filters'>): EventFilter {
  const { category, city, price, language } = filters
  return {
    ...(search !== undefined && { search }),
    ...(category !== undefined && { categories: [category] }),
    ...(city !== undefined && { cities: [city] }),
    ...(price !== undefined && { price: { free: price === 'free' } }),
    ...(language !== undefined && { translatedInto: [languageCode(language) as LanguageCode] }),
  }
}

/** Whether search engines should not index the page, because there are too many combinations of filters. */
export const isFiltered = ({ search, date, filters }: CalendarQuery): boolean =>
  search !== undefined || date !== undefined || Object.keys(filters).length > 0

/** Formats the query string with its question mark; empty for the current month without filters. */
export function formatCalendarQuery({ view, search, month, date, to, filters }: CalendarQuery, page = 1): string {
  const defaultView = date !== undefined || (search !== undefined && month === undefined) ? 'list' : 'month'
  return formatQueryString({
    view: view === defaultView ? undefined : view,
    ...{ month, date, to: date && to, search, ...filters },
    page: pageParamOf(page),
  })
}

/** Returns the link to this query: the query string or, if that is empty, the path of the landing page. */
export const calendarHref = (query: CalendarQuery, { settings, language }: PageContext, page = 1): string =>
  formatCalendarQuery(query, page) || homeUrl(language, settings)

/** Formats the query string of the feed with the same search and filters. */
export const formatFeedQuery = ({ search, filters: { category, ...filters } }: CalendarQuery): string =>
  formatQueryString({ search, categories: category, ...filters })

/** Returns the query with another value of the filter; without the filter if the value is undefined. */
export function replaceFilter(query: CalendarQuery, name: FilterName, value: string | undefined): CalendarQuery {
  const { [name]: _, ...others } = query.filters
  return { ...query, filters: value === undefined ? others : { ...others, [name]: value } }
}
