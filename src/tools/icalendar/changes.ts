// Compares an event of a file with the stored event, and returns the input of the mutation that makes the stored one equal.
import { isDeepStrictEqual } from 'node:util'
import { decodeHTML } from 'entities'
import { isEmail } from '../../basics/contact-links.ts'
import type { Settings } from '../../basics/env.ts'
import { DomainError } from '../../basics/errors.ts'
import { languageCode } from '../../basics/language.ts'
import { computeSchedule } from '../../calendar/event/schedule.ts'
import { toStoredSchedule } from '../../calendar/series/stored-schedule.ts'
import { readHtmlInput, readLineInput } from '../../calendar/text/text-input.ts'
import type { LanguageCode, UpdateEventInput } from '../../generated/graphql/graphql.ts'
import type { ImportedEvent } from './read-event.ts'
import type { IcsLocation } from './read-links.ts'
import type { RecordMatcher } from './record-matcher.ts'
import type { SeriesSchedule } from './series-schedule.ts'
import type { StoredEvent } from './stored-events.ts'
import { toScheduleInput } from './times.ts'

/** What an import does with a location that no venue matches: `create` makes a venue, the others import it as text. */
export type VenueMode = 'match' | 'create' | 'text'

/** An event of the file, the stored event with the same UID, and what is needed to compare both. */
export interface EventComparison {
  readonly event: ImportedEvent
  readonly stored: StoredEvent | undefined
  readonly settings: Settings
  readonly matching: RecordMatcher
  readonly venues: VenueMode
  note(text: string): void
}

/** The input fields that the mutations of events and series share, and the schedule of a series. */
export type EventChanges = Omit<UpdateEventInput, 'id' | 'currentSlug' | 'ifUnmodifiedSince' | 'scope'> & {
  readonly schedule?: SeriesSchedule
}

/** Whether a stored event is a date of a series. */
export const isDate = (stored: StoredEvent | undefined): boolean =>
  stored !== undefined && !stored.series && stored.event.originalStartsLocal !== null

/** Returns the fields whose values in the file differ from the stored event; all fields for a new event. */
export async function computeChanges(comparison: EventComparison): Promise<EventChanges> {
  const { event, stored, settings } = comparison
  const { onlineUrl, imageUrl, access, locations } = event
  const isOnline = onlineUrl !== undefined || access !== ''
  const attendanceMode: EventChanges['attendanceMode'] = !isOnline
    ? undefined
    : locations.length > 0
      ? 'MIXED'
      : 'ONLINE'
  const cost = event.cost === undefined ? undefined : [readLineInput(event.cost) ?? ''].filter((entry) => entry !== '')
  // A file in another language than the first import has other names of venues and categories: links are not compared.
  const hasLinks = stored?.hasLinksOfFile ?? true
  return {
    ...(await textChanges(comparison)),
    ...timeChanges(comparison),
    ...statusChange(comparison),
    ...differing({ onlineUrl, attendanceMode }, stored?.event),
    ...differing({ cost }, { cost: stored?.event.costEntries ?? [] }),
    ...differing({ imageUrl }, stored),
    ...(hasLinks && {
      ...differing({ website: foreignWebsite(event, settings) }, stored?.event),
      ...locationChanges(comparison),
      ...organizerChange(comparison),
      ...categoryChanges(comparison),
    }),
  }
}

/** Returns the fields whose value in `after` is set and differs from the value in `before`. */
const differing = <Fields extends object>(after: Fields, before: Partial<Record<keyof Fields, unknown>> = {}) =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Fields]),
    ),
  ) as Partial<Fields>

/** Returns the website of the event; undefined for a URL of this site, which this site's own feeds contain. */
function foreignWebsite({ website }: ImportedEvent, { publicUrl, pagesUrl }: Settings): string | undefined {
  const isOwn = [publicUrl, pagesUrl].some((root) => website === root || website?.startsWith(`${root}/`))
  return isOwn ? undefined : website
}

/** Characters of a title or name. Mutations reject longer ones. */
const maxNameLength = 800

/** Returns input fields for the first text, and input translations for the texts in other languages. */
async function textChanges({ event: { texts }, stored, note }: EventComparison): Promise<EventChanges> {
  const changes: object[] = []
  for (const [index, { language, title, description }] of texts.entries()) {
    const before = stored?.event.translations.find((text) => text.language === languageCode(language))
    const name = title === undefined ? undefined : readLineInput(title)?.slice(0, maxNameLength)
    if (title !== undefined && title.length > maxNameLength) note(`The title was cut to ${maxNameLength} characters.`)
    const html = description === undefined ? undefined : await sanitized(description)
    const ofDate = index === 0 && isDate(stored) && before ? textsOfDate(before, name, html) : {}
    changes.push({
      ...(name !== undefined &&
        name !== before?.name &&
        !ofDate.dateLabel && { [index === 0 ? 'title' : 'name']: name }),
      ...(html !== undefined && html !== (before?.description ?? '') && !ofDate.dateNote && { description }),
      ...differing(ofDate, stored?.event),
    })
  }
  const translations = changes.flatMap((change, index) => {
    if (index === 0 || hasNoChanges(change)) return []
    return { language: languageCode(texts[index]?.language ?? '') as LanguageCode, ...change }
  })
  return { ...changes[0], ...(translations.length > 0 && { translations }) }
}

/** Returns the sanitized description; unchanged if it is invalid: the mutation reports that. */
async function sanitized(description: string): Promise<string> {
  try {
    return (await readHtmlInput('description', description)) ?? ''
  } catch (error) {
    if (error instanceof DomainError) return description
    throw error
  }
}

/** Returns the label in a title such as `Concert (premiere)`, and the note before a description, as feeds of this service write them. */
function textsOfDate(
  series: StoredEvent['event']['translations'][number],
  title: string | undefined,
  html: string | undefined,
) {
  const label =
    title?.startsWith(`${series.name} (`) && title.endsWith(')') && title.slice((series.name?.length ?? 0) + 2, -1)
  const [, note] =
    (html?.endsWith(series.description ?? '') &&
      /^<p>([^<]+)<\/p>\s*$/.exec(html.slice(0, html.length - (series.description?.length ?? 0)))) ||
    []
  return { ...(label && { dateLabel: label }), ...(note && { dateNote: decodeHTML(note) }) }
}

function timeChanges({ event: { times, schedule }, stored, settings }: EventComparison): EventChanges {
  if (schedule) {
    const [after, before] = [schedule, stored?.series?.schedule].map(
      (each) => each && { ...toStoredSchedule(each), timeZone: each.timeZone, allDay: each.allDay },
    )
    return isDeepStrictEqual(after, before) ? {} : { schedule }
  }
  if (!times || stored?.series) return {}
  const input = toScheduleInput(times, settings.endOfDayCutoff)
  try {
    const { startsAt, endsAt, timeZone, allDay } = computeSchedule(input, undefined, settings)
    const isOfSeries = isDate(stored) && allDay === stored?.event.allDay
    if (isOfSeries && !allDay) return differing({ startsAt, endsAt }, stored?.event)
    if (hasNoChanges(differing({ startsAt, endsAt, timeZone, allDay }, stored?.event))) return {}
    const { startsLocal, endsLocal } = input
    return isOfSeries && timeZone === stored?.event.timeZone ? { startsLocal, endsLocal } : input
  } catch (error) {
    // Invalid times stay in the input: the mutation reports the problem.
    if (error instanceof DomainError) return input
    throw error
  }
}

export const hasNoChanges = (changes: object): boolean => Object.keys(changes).length === 0

/** STATUS:CONFIRMED keeps the stored status unless the event is cancelled or postponed: iCalendar has no "moved online". */
function statusChange({ event: { eventStatus }, stored }: EventComparison): EventChanges {
  const before = stored?.event.eventStatus ?? 'SCHEDULED'
  const isConfirmed = before !== 'CANCELLED' && before !== 'POSTPONED'
  return eventStatus === 'SCHEDULED' && isConfirmed ? {} : differing({ eventStatus }, { eventStatus: before })
}

function locationChanges({ event, stored, matching, venues: mode, note }: EventComparison): EventChanges {
  const { locations, access } = event
  // A date that is online has not the place of its series.
  const isOnlineDate = isDate(stored) && event.onlineUrl !== undefined && stored?.event.venues.length !== 0
  if (locations.length === 0)
    return { ...(isOnlineDate && { venues: [] }), ...(access !== '' && locationField(access, stored)) }
  const before = stored?.event.venues.map(({ databaseId }) => databaseId) ?? []
  const found = locations.map((location) => ({
    location,
    id: mode === 'text' ? undefined : matching.findVenue(location, before),
  }))
  const create = mode === 'create'
  const venues = found.flatMap(({ id, location }) => {
    if (id !== undefined) return { id }
    return create ? { create: newVenue(location) } : []
  })
  const unknown = found.flatMap(({ id, location }) => (id === undefined && !create ? location.text : []))
  if (mode === 'match') {
    for (const text of unknown) note(`No venue matches ${JSON.stringify(text)}: it was imported as text.`)
  }
  const text = [...unknown, access].filter((each) => each !== '').join('; ') || undefined
  const isSame = venues.every(({ id }) => id !== undefined && before.includes(id))
  return { ...(!isSame && { venues }), ...locationField(text, stored) }
}

/** Input for a new venue, within the limits of the mutation: 800 characters for names, 2000 for addresses. */
function newVenue({ text, name, address, website, coordinates }: IcsLocation) {
  const isLong = name.length > maxNameLength
  return {
    name: name.slice(0, maxNameLength),
    address: (isLong ? text : address).slice(0, 2000),
    ...(website !== undefined && { website }),
    ...(coordinates && { coordinates }),
  }
}

/** The custom field `location` stores the text of a location for which there is no venue. */
function locationField(text: string | undefined, stored: StoredEvent | undefined): EventChanges {
  const before = stored?.event.customFields ?? []
  const own = before.find(({ key }) => key === 'location')
  if (text === own?.value) return {}
  const others = before.flatMap(({ key, label, value }) => (key === 'location' ? [] : { key, label, value }))
  const added = text === undefined ? [] : [{ key: 'location', label: 'Location', value: text }]
  return { customFields: [...others, ...added] }
}

function organizerChange({ event: { organizers }, stored, matching, note }: EventComparison): EventChanges {
  const before = stored?.event.organizers.map(({ databaseId }) => databaseId) ?? []
  const found = organizers.map((contact) => ({ contact, id: matching.findOrganizer(contact, before) }))
  if (found.every(({ id }) => id !== undefined && before.includes(id))) return {}
  return {
    organizers: found.map(({ id, contact: { name, email = '', phone = '', website = '' } }) => {
      if (id !== undefined) return { id }
      const isValid = email === '' || isEmail(email)
      if (!isValid) note(`The e-mail address of an organizer was left out: ${email.slice(0, 100)} is not valid.`)
      return { create: { name: name.slice(0, maxNameLength), email: isValid ? email : '', phone, website } }
    }),
  }
}

/** Links each name of CATEGORIES to the category, or else the tag, with this name. Creates a category if there is neither. */
function categoryChanges({ event: { categories: names }, stored, matching }: EventComparison): EventChanges {
  if (names === undefined) return {}
  const terms = names.map((name) => {
    const category = matching.findCategory(name)
    return { name, category, tag: category === undefined ? matching.findTag(name) : undefined }
  })
  const linksTo = (kind: 'category' | 'tag', before: readonly { readonly databaseId: number }[] = []) => {
    const ids = new Set(terms.flatMap((term) => term[kind] ?? []))
    const isSame = before.length === ids.size && before.every(({ databaseId }) => ids.has(databaseId))
    return { isSame, links: [...ids].map((id) => ({ id })) }
  }
  const [categories, tags] = [linksTo('category', stored?.event.categories), linksTo('tag', stored?.event.tags)]
  const added = terms.filter(({ category, tag }) => category === undefined && tag === undefined)
  const created = added.map(({ name }) => ({ nameOrSlug: name }))
  return {
    ...((created.length > 0 || !categories.isSame) && { categories: [...categories.links, ...created] }),
    ...(!tags.isSame && { tags: tags.links }),
  }
}
