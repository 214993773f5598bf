// The inputs of the mutations that write the records of a legacy site. Values that no mutation would accept, such as a
// website without a scheme, are left out with a note instead of losing the record.

import { DomainError } from '../../basics/errors.ts'
import { dateWallClock, isZone, toInstant, toWallClock, wallClockDate } from '../../basics/time.ts'
import { onlineUrlInput } from '../../calendar/event/state.ts'
import type { createEvent } from '../../calendar/event/write.ts'
import type { createOrganizer } from '../../calendar/organizer/write.ts'
import { plainText, removedTags } from '../../calendar/text/sanitize.ts'
import { checkEmail, checkUrl } from '../../calendar/text/text-input.ts'
import type { createVenue } from '../../calendar/venue/write.ts'
import type {
  SourceEvent,
  SourceId,
  SourceKind,
  SourceOrganizer,
  SourceTerm,
  SourceText,
  SourceVenue,
} from './source-records.ts'

type EventInput = Parameters<typeof createEvent>[1]
type VenueInput = Parameters<typeof createVenue>[1]
type OrganizerInput = Parameters<typeof createOrganizer>[1]

/** What an input needs besides the record. */
export interface InputContext {
  /** The language of the operation: the original one, or another one of this site. */
  readonly language: string
  readonly languages: readonly string[]
  /** Languages in which the record was imported before, and which the site lacks now. */
  readonly removedLanguages: readonly string[]
  readonly authorId: number | undefined
  /** The ID here of a record that the event or category refers to; undefined if it was not imported. */
  link(kind: SourceKind['kind'], id: SourceId): number | undefined
  /** Records for the report what differs from the site. */
  note(text: string): void
}

export function eventInput(record: SourceEvent, context: InputContext): EventInput {
  const { link } = context
  const links = (kind: SourceKind['kind'], ids: readonly SourceId[]) => {
    const found = [...new Set(ids.flatMap((id) => link(kind, id) ?? []))]
    return found.map((id) => ({ id: String(id) }))
  }
  const parent = record.parent === undefined ? undefined : link('event', record.parent)
  noteTimes(record, context)
  const { name: title, ...texts } = textInputs(record, context)
  return {
    title,
    ...texts,
    ...postInputs(record, context),
    startsLocal: wallClock('start', record.startsLocal),
    endsLocal: wallClock('end', record.endsLocal),
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    timeZone: record.timeZone,
    allDay: record.allDay,
    cost: [...record.cost],
    website: record.website === undefined ? null : (validUrl('website', record.website, context) ?? null),
    showMap: record.showMap,
    showMapLink: record.showMapLink,
    hideFromListings: record.hideFromListings,
    sticky: record.sticky,
    featured: record.featured,
    customFields: record.customFields.map((field) => ({ ...field })),
    eventStatus: record.eventStatus,
    attendanceMode: record.attendanceMode,
    onlineUrl: orNote(record.onlineUrl, 'onlineUrl', onlineUrlInput, context) ?? null,
    parentId: parent === undefined ? null : String(parent),
    venues: links('venue', record.venues),
    organizers: links('organizer', record.organizers),
    categories: links('category', record.categories),
    tags: links('tag', record.tags),
  }
}

export function venueInput(record: SourceVenue, context: InputContext): VenueInput {
  const { address, city, country, province, state, stateProvince, zip, phone, showMap, showMapLink } = record
  return {
    ...textInputs(record, context),
    ...postInputs(record, context),
    ...{ address, city, country, province, state, stateProvince, zip, phone, showMap, showMapLink },
    website: validUrl('website', record.website, context) ?? '',
    coordinates: coordinates(record, context),
  }
}

export function organizerInput(record: SourceOrganizer, context: InputContext): OrganizerInput {
  const { phone } = record
  const email = orNote(record.email, 'email', (text) => checkEmail('email', text), context) ?? ''
  const website = validUrl('website', record.website, context) ?? ''
  return { ...textInputs(record, context), ...postInputs(record, context), phone, email, website }
}

export function termInput(record: SourceTerm, context: InputContext) {
  const parent = record.parent === undefined ? undefined : context.link('category', record.parent)
  const input = textInputs(record, context, (html) => plainText(html, { decodeEntities: true }))
  const { excerpt: _, ...texts } = input
  return { ...texts, ...(record.kind === 'category' && { parentId: parent === undefined ? null : String(parent) }) }
}

const postInputs = (
  { status, publishedAt, modifiedAt }: SourceEvent | SourceVenue | SourceOrganizer,
  context: InputContext,
) => ({
  status,
  publishedAt: publishedAt ?? modifiedAt,
  authorId: context.authorId === undefined ? undefined : String(context.authorId),
})

/** Null removes a text that the site lacks. */
function textInputs(
  { texts }: SourceKind,
  { language, languages, removedLanguages, note }: InputContext,
  description: (html: string) => string = (html) => html,
) {
  const fieldsOf = (text: SourceText) => ({
    description: text.description === undefined ? null : description(text.description),
    excerpt: text.excerpt ?? null,
    slug: text.slug || null,
  })
  const own = texts[language]
  if (!own) throw new Error(`The record has no text in ${language}`)
  const others = Object.entries(texts).filter(([other]) => other !== language)
  const unknown = others.filter(([other]) => !languages.includes(other)).map(([other]) => other)
  if (unknown.length > 0)
    note(`The text in ${unknown.join(', ')} was left out: LANGUAGES here is ${languages.join(', ')}.`)
  const written = [own, ...others.filter(([other]) => languages.includes(other)).map(([, text]) => text)]
  const removed = removedTags(written.map(({ description = '', excerpt = '' }) => description + excerpt).join('\n'))
  if (removed.length > 0) note(`These tags are not allowed in descriptions and were removed: ${removed.join(', ')}.`)
  const translations = others
    .filter(([other]) => languages.includes(other))
    .map(([other, text]) => ({ language: other, name: text.name.trim() || null, ...fieldsOf(text) }))
  const emptied = removedLanguages
    .filter((other) => languages.includes(other) && texts[other] === undefined)
    .map((other) => ({ language: other, name: null, description: null, excerpt: null, slug: null }))
  const all = [...translations, ...emptied].sort((a, b) => (a.language < b.language ? -1 : 1))
  return { name: own.name, ...fieldsOf(own), translations: all }
}

/** Throws unless it is a local time of the calendar: the GraphQL scalar checks this for other callers. */
function wallClock(edge: 'start' | 'end', text: string): string {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? wallClockDate(text) : undefined
  if (time && dateWallClock(time) === text) return text
  throw new DomainError(
    'BAD_INPUT',
    `The ${edge} ${text.slice(0, 40)} is not a local time such as 2026-11-22T20:00:00.`,
  )
}

function noteTimes({ timeZone, allDay, ...record }: SourceEvent, { note }: InputContext): void {
  if (!isZone(timeZone) || allDay) return
  for (const edge of ['start', 'end'] as const) {
    const [local, instant] = [wallClock(edge, record[`${edge}sLocal`]), record[`${edge}sAt`]]
    const shown = toWallClock(toInstant(local, timeZone), timeZone)
    if (shown !== local) note(`The ${edge} ${local} does not exist in ${timeZone}; it became ${shown}.`)
    else if (instant && toWallClock(instant, timeZone) !== local) {
      note(
        `The ${edge} is ${local} in ${timeZone}. The site also states ${instant.toISOString()}, which is another time.`,
      )
    }
  }
}

const validUrl = (field: string, url: string | undefined, context: InputContext) =>
  orNote(url, field, (text) => checkUrl(field, text), context)

/** The checked value; undefined with a note if it is invalid. */
function orNote<Result>(
  value: string | undefined,
  field: string,
  check: (value: string | undefined) => Result,
  { note }: InputContext,
): Result | undefined {
  try {
    return check(value)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    note(
      `${field} was left out: ${value?.slice(0, 100)} is not a valid ${field === 'email' ? 'e-mail address' : 'URL'}.`,
    )
    return undefined
  }
}

function coordinates({ latitude, longitude }: SourceVenue, { note }: InputContext) {
  if (latitude === undefined || longitude === undefined) return null
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  note(`The coordinates ${latitude}, ${longitude} were left out: they are not on the globe.`)
  return null
}
