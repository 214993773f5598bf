// Reads one VEVENT component.
import { createHash } from 'node:crypto'
import type { EventStatus } from '../../generated/graphql/graphql.ts'
import { inheritProperties } from './inherit.ts'
import { hasCredentials } from './online-places.ts'
import { type Component, findProperties, findProperty, textOf } from './parse-components.ts'
import {
  conferencePropertyNames,
  type IcsLocation,
  type OrganizerContact,
  readImageUrl,
  readPlacesAndContacts,
} from './read-links.ts'
import { type EventText, readTexts, type TextOptions } from './read-texts.ts'
import type { Reporter } from './report.ts'
import type { SeriesSchedule } from './series-schedule.ts'
import { type EventTimes, readTimes } from './times.ts'
import type { ZoneFinder } from './zone-finder.ts'

/** An event of the file. A field that the file does not set is undefined: the stored value stays. */
export interface ImportedEvent {
  readonly uid: string
  readonly line: number
  readonly sequence: number | undefined
  /** LAST-MODIFIED, or else DTSTAMP, as text that can be compared with `<`. */
  readonly revised: string
  readonly lastModified: Date | undefined
  /** Titles and descriptions. The language of the first one becomes the original language of a new event. */
  readonly texts: readonly EventText[]
  readonly times?: EventTimes | undefined
  /** The schedule of a series, instead of `times`. */
  readonly schedule?: SeriesSchedule | undefined
  /** The dates that the file itself excludes (EXDATE). The schedule excludes more. */
  readonly excludedByFile?: readonly string[] | undefined
  /** METHOD of the calendar, in upper case. */
  readonly method: string
  readonly eventStatus: EventStatus | undefined
  readonly isPrivate: boolean
  readonly categories?: readonly string[] | undefined
  readonly locations: readonly IcsLocation[]
  /** Access data of the online meeting, such as `Meeting ID: 123 456`; usually empty. */
  readonly access: string
  readonly organizers: readonly OrganizerContact[]
  readonly website?: string | undefined
  readonly onlineUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly cost?: string | undefined
}

/** Options for reading the components of one calendar. */
export interface ReadOptions extends TextOptions {
  readonly zones: ZoneFinder
  readonly method: string
  readonly reporter: Reporter
}

/** A component with the reading options of the calendar that contains it. */
export interface VEvent {
  readonly component: Component
  readonly options: ReadOptions
}

/** A component without RECURRENCE-ID: it describes a recurring event as a whole, or an event that occurs once. */
export interface MasterEvent extends VEvent {
  readonly event: ImportedEvent & { readonly times: EventTimes }
}

/** Reads an event, or reports it as skipped and returns undefined. A changed date inherits missing fields from `series`. */
export function readEvent({ component: own, options }: VEvent, series?: MasterEvent): ImportedEvent | undefined {
  const { reporter, zones, method } = options
  const component = series ? inheritProperties(own, series.component) : own
  const { line } = component
  const uid = uidOf(component)
  const note = reporter.noteOn({ uid, line })
  const skip = (reason: string) => void reporter.skip({ uid, line }, reason)
  if (component.damage) return skip(component.damage)
  const common = {
    uid,
    line,
    sequence: readSequence(component),
    revised: textOf(findProperty(component, 'last-modified') ?? findProperty(component, 'dtstamp')) ?? '',
    lastModified: readLastModified(component),
    method,
    eventStatus: readStatus(component, method, note),
  }
  // Of a cancellation only the status is read: its title, such as "Canceled: Concert", must not replace the stored title.
  if (isCancellation({ component, options }) && !series) {
    return { ...common, method: 'CANCEL', isPrivate: false, texts: [], locations: [], access: '', organizers: [] }
  }
  if (component.unread.includes('dtstart')) return skip('Its DTSTART cannot be read.')
  const times = readTimes(component, zones, note, series?.event.times.start)
  if (typeof times === 'string') return skip(times)
  const texts = readTexts(component, options, note)
  if (!findProperty(component, 'recurrence-id')) {
    if (!times) return skip('The event has no DTSTART, which is the start.')
    if (texts[0]?.title === undefined) return skip('The event has no SUMMARY, which is the title.')
  }
  if (!findProperty(component, 'uid')) note('The event has no UID: a UID was derived from its title and start.')
  countUnread(own, options, note)
  if (own.properties.some(({ values }) => values.some((value) => typeof value === 'string' && hasCredentials(value))))
    note('User names and passwords in web addresses were left out.')
  const access = textOf(findProperty(component, 'class'))?.toUpperCase()
  const { website, ...links } = readPlacesAndContacts(component, options.isOwn)
  return {
    ...common,
    texts,
    times,
    isPrivate: access === 'PRIVATE' || access === 'CONFIDENTIAL',
    categories: categoriesOf(component),
    ...links,
    // In a file of this service, URL is the page of the event on the exporting site, unless the UID came from elsewhere.
    website: options.isOwn && /^\d+(-\d+)?@/.test(uid) ? undefined : website,
    cost: textOf(findProperty(component, 'x-cost')),
  }
}

export function readSequence(component: Component): number | undefined {
  const text = textOf(findProperty(component, 'sequence')) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function readLastModified(component: Component): Date | undefined {
  const text = textOf(findProperty(component, 'last-modified')) ?? ''
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Returns the status of the event; undefined without a known STATUS. */
function readStatus(component: Component, method: string, note: (text: string) => void): EventStatus | undefined {
  if (method === 'CANCEL' || isCancelled(component)) return 'CANCELLED'
  const status = textOf(findProperty(component, 'status'))?.toUpperCase()
  if (status === undefined || status === '') return undefined
  if (status === 'CONFIRMED') return 'SCHEDULED'
  if (status === 'TENTATIVE') return 'POSTPONED'
  note(`STATUS:${status.slice(0, 30)} is unknown and was not read.`)
  return undefined
}

/** Whether the component cancels an event or a whole series (METHOD:CANCEL), without describing it. */
export const isCancellation = ({ component, options: { method } }: VEvent): boolean =>
  method === 'CANCEL' ||
  (isCancelled(component) && !findProperty(component, 'dtstart') && !findProperty(component, 'recurrence-id'))

const isCancelled = (component: Component) => /^cancell?ed$/i.test(textOf(findProperty(component, 'status')) ?? '')

/** Maximum number of characters of a UID. Longer UIDs, and UIDs with control characters, are replaced by their hash. */
const maxUidLength = 400

/** Returns the UID; a hash of title and start if the component has no UID. */
export function uidOf(component: Component): string {
  const uid = textOf(findProperty(component, 'uid')) ?? ''
  if (uid !== '' && uid.length <= maxUidLength && !/[\p{Cc}\p{Cs}]/u.test(uid)) return uid
  const [start, title] = ['dtstart', 'summary'].map((name) => textOf(findProperty(component, name)) ?? '')
  const source = uid === '' ? `${start}\n${title}` : uid
  return `${createHash('sha256').update(source.toWellFormed()).digest('hex').slice(0, 32)}@import-ics`
}

/** The names of CATEGORIES, without duplicates that differ only in case. */
function categoriesOf(component: Component): string[] | undefined {
  const properties = findProperties(component, 'categories')
  if (properties.length === 0) return undefined
  const names = properties.flatMap(({ values }) => values.map((value) => String(value).replace(/\s+/g, ' ').trim()))
  return [...new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name])).values()]
}

/** Properties that the report does not list as ignored: they are imported, or are internal state of a calendar program. */
const readProperties = new Set(
  `uid dtstamp dtstart dtend duration summary description x-alt-desc styled-description status class categories location geo
  organizer contact url image sequence last-modified created transp priority rrule rdate exdate recurrence-id x-cost x-timezone
  x-apple-structured-location x-microsoft-cdo-alldayevent`
    .split(/\s+/)
    .concat(conferencePropertyNames),
)

function countUnread(component: Component, { reporter }: ReadOptions, note: (text: string) => void): void {
  const imageUrl = readImageUrl(component)
  for (const { name, values } of component.properties) {
    const isImage = name === 'attach' && String(values[0]) === imageUrl
    if (!readProperties.has(name) && !isImage) reporter.addUnread(name.toUpperCase())
    if (name === 'image' && /^data:/i.test(String(values[0]))) note('Images embedded in the file are not imported.')
  }
  for (const { name } of component.children) if (name !== 'vlocation') reporter.addUnread(name.toUpperCase())
}
