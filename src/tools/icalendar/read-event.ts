// Reads one VEVENT.
import { createHash } from 'node:crypto'
import type { EventStatus } from '../../generated/graphql/graphql.ts'
import { withInherited } from './inherit.ts'
import { hasCredentials } from './online-places.ts'
import { type Component, findProperties, findProperty, type Property, textOf } from './parse-components.ts'
import { type Location, readAccess, readImageUrl, readLocations, readOnlineUrl, readWebsite } from './read-links.ts'
import { type OrganizerContact, readOrganizers } from './read-organizers.ts'
import { cancellation, isCancellation, readLastModified, readSequence, readStatus } from './read-state.ts'
import { type EventText, readTexts, type TextOptions } from './read-texts.ts'
import type { Reporter } from './report.ts'
import { readTimes, type Times } from './times.ts'
import type { Zones } from './zones.ts'

/** An event as its file describes it. Undefined: the file does not say. */
export interface ImportedEvent {
  readonly uid: string
  readonly line: number
  readonly sequence: number | undefined
  /** LAST-MODIFIED, or else DTSTAMP, as text that can be compared. */
  readonly revised: string
  readonly lastModified: Date | undefined
  /** The first one is the original language of a new event. */
  readonly texts: readonly EventText[]
  readonly times: Times | undefined
  /** METHOD of the calendar, in upper case. */
  readonly method: string
  readonly eventStatus: EventStatus | undefined
  readonly isPrivate: boolean
  readonly categories: readonly string[] | undefined
  readonly locations: readonly Location[]
  /** What people enter to attend it online; usually empty. */
  readonly access: string
  readonly organizers: readonly OrganizerContact[]
  readonly website: string | undefined
  readonly onlineUrl: string | undefined
  readonly imageUrl: string | undefined
  readonly cost: string | undefined
}

export interface ReadOptions extends TextOptions {
  readonly zones: Zones
  /** METHOD of the calendar, in upper case. */
  readonly method: string
  readonly reporter: Reporter
}

/** The series of an occurrence. */
interface SeriesPart {
  readonly component: Component
  readonly event: { readonly times: Times }
}

/** The event, or undefined if it was skipped with a reason. An occurrence inherits what it lacks from its series. */
export function readEvent(own: Component, options: ReadOptions, series?: SeriesPart): ImportedEvent | undefined {
  const { reporter, zones, method } = options
  const component = series ? withInherited(own, series.component) : own
  const uid = uidOf(component)
  const { line } = component
  const note = reporter.noteOn({ uid, line })
  const skip = (reason: string) => void reporter.skip({ uid, line }, reason)
  if (component.damage) return skip(component.damage)
  const version = {
    sequence: readSequence(component),
    revised: textOf(findProperty(component, 'last-modified') ?? findProperty(component, 'dtstamp')) ?? '',
    lastModified: readLastModified(component),
  }
  if (isCancellation(component, method) && !series) return { ...cancellation, uid, line, ...version, times: undefined }
  if (component.unread.includes('dtstart')) return skip('Its DTSTART cannot be read.')
  const dated = withStart(component)
  const times = findProperty(dated, 'dtstart') ? readTimes(dated, zones, note, series?.event.times.start) : undefined
  if (typeof times === 'string') return skip(times)
  const texts = readTexts(component, options, note)
  if (!findProperty(component, 'recurrence-id')) {
    if (!times) return skip('It has no DTSTART.')
    if (texts[0]?.title === undefined) return skip('It has no SUMMARY, which is the title.')
  }
  if (!findProperty(component, 'uid')) note('It has no UID: one was derived from its title and start.')
  countUnread(own, options, note)
  if (own.properties.some(({ values }) => values.some((value) => typeof value === 'string' && hasCredentials(value))))
    note('User names and passwords in web addresses were left out.')
  const access = textOf(findProperty(component, 'class'))?.toUpperCase()
  return {
    uid,
    line,
    ...version,
    texts,
    times,
    method,
    eventStatus: readStatus(component, method, note),
    isPrivate: access === 'PRIVATE' || access === 'CONFIDENTIAL',
    categories: categoriesOf(component),
    locations: readLocations(component, options.isOwn),
    access: readAccess(component),
    organizers: readOrganizers(component, options.isOwn),
    // This service writes the page of the event on the site that exports it, in the language of the feed.
    website: options.isOwn && /^\d+@/.test(uid) ? undefined : readWebsite(component),
    onlineUrl: readOnlineUrl(component),
    imageUrl: readImageUrl(component),
    cost: textOf(findProperty(component, 'x-cost')),
  }
}

/** An occurrence with an end only begins when the series says. */
function withStart(component: Component): Component {
  const id = findProperty(component, 'recurrence-id')
  const isDated = findProperty(component, 'dtstart') || findProperties(component, 'dtend', 'duration').length === 0
  if (!id || isDated) return component
  return { ...component, properties: [...component.properties, { ...id, name: 'dtstart' }] }
}

/** Characters that the service stores. Longer UIDs, and those with control characters, are replaced by their hash. */
const maxUidLength = 400

export function uidOf(component: Component): string {
  const uid = textOf(findProperty(component, 'uid')) ?? ''
  if (uid !== '' && uid.length <= maxUidLength && !/[\p{Cc}\p{Cs}]/u.test(uid)) return uid
  const [start, title] = ['dtstart', 'summary'].map((name) => textOf(findProperty(component, name)) ?? '')
  const source = uid === '' ? `${start}\n${title}` : uid
  return `${createHash('sha256').update(source.toWellFormed()).digest('hex').slice(0, 32)}@import-ics`
}

/** Without duplicates, in any case. */
function categoriesOf(component: Component): string[] | undefined {
  const properties = findProperties(component, 'categories')
  if (properties.length === 0) return undefined
  const names = properties.flatMap(({ values }) => values.map((value) => String(value).replace(/\s+/g, ' ').trim()))
  return [...new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name])).values()]
}

/** What is read, and what has no counterpart in this service by its nature, such as the state of the producer's calendar. */
const readProperties = new Set(
  `uid dtstamp dtstart dtend duration summary description x-alt-desc styled-description status class categories location geo
  organizer contact url image sequence last-modified created transp priority rrule rdate exdate recurrence-id conference
  x-google-conference x-microsoft-skypeteamsmeetingurl x-microsoft-onlinemeetingexternallink x-cost x-timezone
  x-apple-structured-location x-microsoft-cdo-alldayevent`.split(/\s+/),
)

function countUnread(component: Component, { reporter }: ReadOptions, note: (text: string) => void): void {
  for (const property of component.properties) {
    if (!readProperties.has(property.name) && !isImage(property, component))
      reporter.addUnread(property.name.toUpperCase())
    if (property.name === 'image' && /^data:/i.test(textOf(property) ?? ''))
      note('Images inside the file are not read.')
  }
  for (const { name } of component.children) {
    if (name !== 'vlocation') reporter.addUnread(name.toUpperCase())
  }
}

const isImage = ({ name, values }: Property, component: Component) =>
  name === 'attach' && String(values[0]) === readImageUrl(component)
