// The parameters of a feed: the filters of the REST list of events.
import { z } from 'zod'
import { parseDate } from '../../basics/dates/natural-date.ts'
import { daysOfMonth } from '../../basics/dates/whole-days.ts'
import type { Settings } from '../../basics/env.ts'
import type { EventFilter } from '../../generated/graphql/graphql.ts'
import type { CalendarView } from '../../service/http/calendar-view.ts'
import { toEventFilter } from '../pages/calendar-query.ts'
import { invalidParamsError } from '../rest/errors.ts'
import { checkLocationParams, eventsParams, toEventsVariables, toSyncFilter } from '../rest/events/params.ts'
import { dateBoundsExpiry } from '../rest/events/window.ts'
import {
  createLanguageParam,
  createLegacyLanguageParams,
  findDateRangeErrors,
  flagParam,
  languageOfParams,
  nonEmptyTextParam,
  type Params,
  readParams,
  syncTokenParam,
} from '../rest/params.ts'

const { page, ...listParams } = eventsParams

/** Filters of the HTML pages that the REST API does not have. */
const pageParams = {
  city: nonEmptyTextParam.max(200).optional().describe('Only events at a venue in this city.'),
  price: z.enum(['free', 'paid'], 'free or paid').optional().describe('Only events that are free, or only others.'),
  language: nonEmptyTextParam.optional().describe('Only events whose title is written in this language.'),
}

const feedParams = {
  ...listParams,
  ...pageParams,
  after: nonEmptyTextParam
    .optional()
    .describe('Cursor of the event before the first one, as in the address of the next page.'),
  expand: flagParam.default(false).describe('Whether each date of a series is an event of its own.'),
  sync_token: syncTokenParam
    .optional()
    .describe('Follows the list: empty for all events, then the token of the last response for what changed since.'),
}

/** The first supported day: as a filter, it only replaces the default dates. */
export const firstDay = parseDate('0001-01-01')

const dateParams = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const

export type FeedParams = Params<typeof feedParams> & {
  readonly translation_language?: string | undefined
  readonly language?: string | undefined
}

export const hasDateParams = (query: object): boolean => ['include', ...dateParams].some((name) => name in query)

/** Throws invalidParamsError if a parameter is invalid. */
export function readFeedParams(
  query: object,
  now: Date,
  { languages, legacyAddresses, feedPastDays }: Settings,
): FeedParams {
  const shape = {
    ...feedParams,
    language: createLanguageParam(languages),
    translation_language: createLanguageParam(languages),
    ...(legacyAddresses && createLegacyLanguageParams(languages)),
  }
  const { values, errors } = readParams(shape, query as Readonly<Record<string, unknown>>)
  const allErrors = { ...checkLocationParams(values), ...findDateRangeErrors(values, now), ...errors }
  if (Object.keys(allErrors).length > 0) throw invalidParamsError(allErrors)
  const params = { ...values, translation_language: languageOfParams(values)?.value } as FeedParams
  // The default dates change every day, and tokens are only valid for the same dates.
  if (params.include || params.sync_token !== undefined || dateParams.some((name) => params[name])) return params
  return { ...params, ends_after: parseDate(`-${feedPastDays} days`) }
}

const pageFilter = ({ city, price, language }: FeedParams): EventFilter =>
  toEventFilter({ filters: { ...(city && { city }), ...(price && { price }), ...(language && { language }) } })

/** Returns the filter for a calendar view in a URL of a legacy site, such as a month. A view without a date filters nothing by date. */
function viewFilter({ name, date, search, category, isPast, isFeatured }: CalendarView): EventFilter {
  const isMonth = date?.length === 'YYYY-MM'.length || name === 'month'
  const days = date && (isMonth ? daysOfMonth(date.slice(0, 7)) : { from: date, to: name === 'day' ? date : undefined })
  return {
    ...(days && { between: { ...days, timeZone: 'local', match: 'OVERLAPPING' } }),
    ...(search && { search }),
    ...(category && { categories: [category] }),
    ...(isPast && { when: 'PAST' }),
    ...(isFeatured && { featured: true }),
  }
}

/** Whether a filter may leave out dates of a series, all of which have the same content. */
export const selectsDates = (query: object, view?: CalendarView): boolean =>
  hasDateParams(query) || view?.date !== undefined || view?.isPast === true

/** Returns the event filter, and when its relative dates change, in milliseconds since 1970. */
export function createFeedFilter(params: FeedParams, now: Date, settings: Settings, view?: CalendarView) {
  const dates = view?.date || view?.isPast ? { ends_after: firstDay } : {}
  const ownFilter =
    params.sync_token === undefined
      ? (toEventsVariables({ ...params, ...dates, page: 1 }, now, settings).variables.filter as EventFilter)
      : toSyncFilter(params, now, settings)
  return {
    filter: { ...ownFilter, ...pageFilter(params), ...(view && viewFilter(view)) },
    expiresAt: params.include ? Number.POSITIVE_INFINITY : dateBoundsExpiry(params, now, settings),
  }
}
