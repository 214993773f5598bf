// What the form holds: one value for each field, and for each text one in each language, so that changes can be merged by them.
import { parseAbsolute, parseDateTime, toZoned } from '@internationalized/date'
import type { EventAttendanceMode, EventStatus, FormEventFragment, LanguageCode } from '../../gql/graphql.ts'
import { contentLanguages } from '../../site.ts'
import { type Picture, readPicture } from './picture.ts'
import { type Dates, emptySpan, readSchedule, readSpan, weeklyRepeat } from './schedule.ts'

export const textFields = ['title', 'excerpt', 'description'] as const
export type TextField = (typeof textFields)[number]
export type TextKey = `${TextField}.${LanguageCode}`

export interface Choice {
  readonly id: string
  readonly name: string
  readonly detail?: string | null
}

export interface TicketValue {
  readonly name: string
  readonly price: string
  readonly currency: string
  readonly capacity: number | null
  readonly salesStart: string | null
  readonly salesEnd: string | null
}

interface OtherValues {
  readonly dates: Dates
  readonly venues: readonly Choice[]
  readonly attendanceMode: EventAttendanceMode
  readonly onlineUrl: string
  readonly organizers: readonly Choice[]
  readonly image: Picture | null
  /** `free`, or prices, which are empty if unknown. */
  readonly cost: 'free' | readonly string[]
  readonly tickets: readonly TicketValue[]
  readonly website: string
  readonly categories: readonly Choice[]
  readonly tags: readonly Choice[]
  readonly eventStatus: EventStatus
  /** Local time at which the event is published; empty for at once. */
  readonly publishedAt: string
  /** Empty: as it is. Null: no password from now on. */
  readonly password: string | null
  readonly hideFromListings: boolean
  readonly featured: boolean
}

export type Values = Readonly<Record<TextKey, string>> & OtherValues
export type FieldName = keyof Values
/** A function gets the values that the form has by then, for changes that wait for the service. */
export type ChangeValues = (part: Partial<Values> | ((latest: Values) => Partial<Values>)) => void

export const emptyValues = (timeZone: string): Values => ({
  ...texts(() => ''),
  dates: {
    ...{ kind: 'once', first: emptySpan, more: [], allDay: false, timeZone, excluded: [], rules: [] },
    repeat: weeklyRepeat,
  },
  ...{ venues: [], attendanceMode: 'OFFLINE', onlineUrl: '', organizers: [], image: null, cost: [], tickets: [] },
  ...{ website: '', categories: [], tags: [], eventStatus: 'SCHEDULED', publishedAt: '', password: '' },
  ...{ hideFromListings: false, featured: false },
})

/** `now` decides whether the event is still to be published. */
export function readValues(event: FormEventFragment, siteTimeZone: string, now: number): Values {
  const choices = (records: readonly Choice[]) => records.map(({ id, name }) => ({ id, name }))
  const isAllDay = event.allDay ?? false
  const { series } = event
  return {
    ...texts((field, language) => {
      const translation = event.translations.find((each) => each.language === language)
      return translation?.[field === 'description' ? 'descriptionHtml' : field] ?? ''
    }),
    dates: series
      ? readSchedule(series)
      : {
          ...{ kind: 'once', more: [], allDay: isAllDay, timeZone: event.timeZone, excluded: [], rules: [] },
          ...{ first: readSpan(event, isAllDay), repeat: weeklyRepeat },
        },
    venues: event.venues.map(({ id, name, city }) => ({ id, name, detail: city })),
    organizers: choices(event.organizers),
    categories: choices(event.categories),
    tags: choices(event.tags),
    attendanceMode: event.attendanceMode,
    onlineUrl: event.onlineUrl ?? '',
    image: event.image && readPicture(event.image),
    cost: event.cost?.maximum === '0' ? 'free' : event.costEntries,
    tickets: event.tickets.map(({ name, price, currency, capacity, salesStart, salesEnd }) => ({
      ...{ name, price, currency, capacity, salesStart, salesEnd },
    })),
    website: event.website === event.url ? '' : (event.website ?? ''),
    eventStatus: event.eventStatus,
    publishedAt: Date.parse(event.publishedAt) > now ? toSiteTime(event.publishedAt, siteTimeZone) : '',
    password: '',
    hideFromListings: event.hideFromListings ?? false,
    featured: event.featured ?? false,
  }
}

function texts(read: (field: TextField, language: LanguageCode) => string): Record<TextKey, string> {
  const entries = contentLanguages.flatMap((language) =>
    textFields.map((field): [TextKey, string] => [`${field}.${language}`, read(field, language)]),
  )
  return Object.fromEntries(entries) as Record<TextKey, string>
}

const toSiteTime = (instant: string, timeZone: string): string =>
  parseAbsolute(instant, timeZone).toString().slice(0, 16)

/** The instant of a local time of the site. */
export const toInstant = (local: string, timeZone: string): string =>
  toZoned(parseDateTime(local), timeZone).toAbsoluteString()

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export const fieldNames = (values: Values): FieldName[] => Object.keys(values) as FieldName[]

/** The languages in which the event has a title. */
export const titledLanguages = (values: Values): LanguageCode[] =>
  contentLanguages.filter((language) => values[`title.${language}`].trim() !== '')

/** The text that visitors see instead of one that is missing in a language, and its language. */
export function fallbackOf(values: Values, field: TextField, language: LanguageCode) {
  const other = contentLanguages.find((each) => each !== language && values[`${field}.${each}`] !== '')
  return other && { language: other, text: values[`${field}.${other}`] }
}
