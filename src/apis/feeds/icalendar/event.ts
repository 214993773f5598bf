// VEVENT: an event as a component of iCalendar, with the properties of RFC 7986.
import { mailtoUrl } from '../../../basics/contact-links.ts'
import { allDayDates } from '../../../basics/dates/whole-days.ts'
import { languageOfCode } from '../../../basics/language.ts'
import { isIanaZone, isRepeated, isUtc, toInstant, zoneName } from '../../../basics/time.ts'
import { escapeXml } from '../../../basics/xml.ts'
import type { FeedEventFragment } from '../../../generated/graphql/graphql.ts'
import { addressLines } from '../../pages/components.ts'
import { formatDescription } from '../contents.ts'
import type { Feed, FeedChanges } from '../format.ts'
import { htmlToText } from '../plain-text.ts'
import { type Component, cleanText, extensionProperty, type Property, textProperty, uriProperty } from './property.ts'

/** STATUS of iCalendar by EventStatus of the GraphQL schema. */
const statuses = {
  SCHEDULED: 'CONFIRMED',
  CANCELLED: 'CANCELLED',
  POSTPONED: 'TENTATIVE',
  RESCHEDULED: 'CONFIRMED',
  MOVED_ONLINE: 'CONFIRMED',
} as const satisfies Record<FeedEventFragment['eventStatus'], string>

export function toEventComponent(event: FeedEventFragment, times = timeProperties(event)): Component {
  const { uid, sequence, title, dateLabel, languages, eventStatus } = event
  const properties: readonly Property[] = [
    ...textProperty('uid', uid),
    // Not the time of the request: an unchanged feed must have an unchanged ETag.
    ['dtstamp', {}, 'date-time', utc(event.modifiedAt)],
    ...times,
    ['sequence', {}, 'integer', sequence],
    ['created', {}, 'date-time', utc(event.publishedAt)],
    ['last-modified', {}, 'date-time', utc(event.modifiedAt)],
    ['status', {}, 'text', statuses[eventStatus]],
    ...textProperty('summary', dateLabel ? `${title} (${dateLabel})` : title, { language: languages.tag }),
    ...descriptionProperties(event),
    ...locationProperties(event),
    ...termProperties(event),
    ...organizerProperties(event),
    ...originProperties(event),
    ...(event.image ? uriProperty('image', event.image.url, { display: 'BADGE', fmttype: event.image.mimeType }) : []),
    ...uriProperty('conference', event.onlineUrl, { label: title, language: languages.tag }),
    ['class', {}, 'text', event.status === 'PUBLISHED' ? 'PUBLIC' : 'PRIVATE'],
    ['transp', {}, 'text', event.allDay || eventStatus === 'CANCELLED' ? 'TRANSPARENT' : 'OPAQUE'],
  ]
  return ['vevent', properties, []]
}

/** An event that is no longer in a feed: nothing but that it is cancelled. */
export const toCancelledComponent = ({ uid, sequence }: FeedChanges['removed'][number], { now }: Feed): Component => [
  'vevent',
  [
    ...textProperty('uid', uid),
    ['dtstamp', {}, 'date-time', utc(now)],
    ['sequence', {}, 'integer', sequence],
    ['status', {}, 'text', 'CANCELLED'],
  ],
  [],
]

/** URL and price: of an event imported with a foreign UID, its own website and price; else the URL of its page here. */
function originProperties({ databaseId, uid, url, website, cost }: FeedEventFragment): Property[] {
  // The rules of a series after the first one have the UIDs 12-2@host, 12-3@host and so on.
  if (new RegExp(`^${databaseId}(-\\d+)?@`).test(uid)) return uriProperty('url', url)
  return [...uriProperty('url', website || url), ...extensionProperty('x-cost', cost?.text ?? '')]
}

const utc = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** Whether times are written with a TZID. A TZID such as `+02:00` is avoided: programs such as node-ical misread it. */
export const usesNamedTimeZone = ({ allDay, timeZone }: Pick<FeedEventFragment, 'allDay' | 'timeZone'>): boolean =>
  !allDay && isIanaZone(timeZone) && !isUtc(timeZone)

type Times = Pick<FeedEventFragment, 'allDay' | 'startsAt' | 'endsAt' | 'startsLocal' | 'endsLocal' | 'timeZone'>

export function timeProperties(event: Times): Property[] {
  if (event.allDay) {
    const { first, end } = allDayDates(event)
    return [['dtstart', {}, 'date', first], ['dtend', {}, 'date', end], ...zoneProperty(event)]
  }
  const start = timeProperty('dtstart', event.startsLocal, event.startsAt, event)
  const zone = 'tzid' in start[1] || isUtc(event.timeZone) ? [] : zoneProperty(event)
  // Without DTEND, an event ends when it starts. DTEND must be later than DTSTART.
  if (event.endsAt.getTime() <= event.startsAt.getTime()) return [start, ...zone]
  return [start, timeProperty('dtend', event.endsLocal, event.endsAt, event), ...zone]
}

/** The property X-TIMEZONE, in which import-ics finds the time zone of an event whose DTSTART has no TZID. */
export const zoneProperty = ({ timeZone }: Times) => extensionProperty('x-timezone', timeZone)

/** Returns a local time with its TZID, or a time in UTC for zones without an IANA identifier and for ambiguous local times. */
export function timeProperty(name: string, local: string, instant: Date, event: Times): Property {
  const { timeZone } = event
  const isExact =
    usesNamedTimeZone(event) &&
    !isRepeated(local, timeZone) &&
    toInstant(local, timeZone).getTime() === instant.getTime()
  return isExact ? [name, { tzid: zoneName(timeZone) }, 'date-time', local] : [name, {}, 'date-time', utc(instant)]
}

function descriptionProperties(event: FeedEventFragment): Property[] {
  const { descriptionHtml, dateNote, languages } = event
  const html = `${dateNote ? `<p>${escapeXml(dateNote)}</p>` : ''}${formatDescription(event)}`
  const code = descriptionHtml ? languages.description : languages.excerpt
  const language = code === null ? languages.tag : languageOfCode(code)
  return [
    ...textProperty('description', htmlToText(html), { language }),
    ...extensionProperty('x-alt-desc', html, { fmttype: 'text/html', language }),
  ]
}

const addressOf = ({ name, ...venue }: FeedEventFragment['venues'][number]): string =>
  [name, ...addressLines(venue)].filter(Boolean).join(', ')

function locationProperties({ venues, customFields, languages }: FeedEventFragment): Property[] {
  const [venue] = venues
  if (!venue) return textProperty('location', freeLocation(customFields), { language: languages.tag })
  const located = venues.find(({ coordinates }) => coordinates)
  const text = venues.map(addressOf).join('; ').replace(/\s+/g, ' ')
  const location = textProperty('location', text, { language: venue.languages.tag })
  if (!located?.coordinates) return location
  const { latitude, longitude } = located.coordinates
  return [
    ...location,
    ['geo', {}, 'float', [latitude, longitude]],
    ...uriProperty('x-apple-structured-location', `geo:${latitude},${longitude}`, {
      ...{ 'x-address': addressOf(located), 'x-title': located.name },
    }),
  ]
}

/** Returns the custom field `location`, in which imports store the text of a location that matches no venue. */
function freeLocation(customFields: FeedEventFragment['customFields']): string | undefined {
  const value = customFields.find(({ key }) => key === 'location')?.value
  return typeof value === 'string' ? value : undefined
}

/** Returns CATEGORIES, one property per language, because the parameter LANGUAGE applies to all names of a property. */
function termProperties({ categories, tags }: FeedEventFragment): Property[] {
  const byLanguage = Map.groupBy([...categories, ...tags], ({ languages }) => languages.tag)
  return [...byLanguage].map(([language, terms]) => {
    const names = new Set(terms.map(({ name }) => cleanText(name)))
    return ['categories', { language }, 'text', ...names]
  })
}

function organizerProperties({ organizers }: FeedEventFragment): Property[] {
  const [first] = organizers
  if (!first) return []
  const { name, email, website, url, languages } = first
  const parameters = { cn: name, language: languages.tag }
  // The value must be a URI: without an e-mail address, the website or the page of the organizer.
  const addresses = [mailtoUrl(email ?? ''), website, url].flatMap((uri) =>
    uriProperty('organizer', uri, parameters, 'cal-address'),
  )
  const contacts = organizers.flatMap((organizer) => {
    const details = [organizer.phone, organizer.email].filter(Boolean)
    const text = [organizer.name, ...details].join(', ')
    return details.length === 0 ? [] : textProperty('contact', text, { language: organizer.languages.tag })
  })
  return [...addresses.slice(0, 1), ...contacts]
}
