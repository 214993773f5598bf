// Compares an event of a file with the stored one, and returns the input of the mutation that makes them equal.
import { isEmail } from '../../basics/contact-links.ts'
import type { Settings } from '../../basics/env.ts'
import { DomainError } from '../../basics/errors.ts'
import { languageCode } from '../../basics/language.ts'
import { type Schedule, schedule } from '../../calendar/event/schedule.ts'
import { htmlInput, lineInput } from '../../calendar/text/text-input.ts'
import type { LanguageCode, UpdateEventInput } from '../../generated/graphql/graphql.ts'
import type { Matching } from './matching.ts'
import type { ImportedEvent } from './read-event.ts'
import type { Location } from './read-links.ts'
import type { EventText } from './read-texts.ts'
import type { StoredEvent } from './stored-events.ts'
import { toScheduleInput } from './times.ts'

export type VenueMode = 'match' | 'create' | 'text'

export interface ChangeOptions {
  readonly settings: Settings
  readonly matching: Matching
  readonly venues: VenueMode
  /** Of the file. */
  readonly language: string
  note(text: string): void
}

/** The fields that the inputs of both mutations have. */
export type EventChanges = Omit<UpdateEventInput, 'id' | 'currentSlug' | 'ifUnmodifiedSince'>

/** The fields of the file that differ from the stored event; all of them for a new one. */
export async function changesOf(
  event: ImportedEvent,
  stored: StoredEvent | undefined,
  options: ChangeOptions,
): Promise<EventChanges> {
  const before = stored?.event
  const isOnline = event.onlineUrl !== undefined || event.access !== ''
  const attendance = !isOnline ? undefined : event.locations.length > 0 ? 'MIXED' : 'ONLINE'
  return {
    ...(await textChanges(event.texts, stored, options)),
    ...timeChanges(event, stored, options.settings),
    ...statusChange(event, stored),
    ...(event.onlineUrl !== undefined && event.onlineUrl !== before?.onlineUrl && { onlineUrl: event.onlineUrl }),
    ...(attendance && attendance !== before?.attendanceMode && { attendanceMode: attendance }),
    ...costChange(event, stored),
    ...(event.imageUrl !== undefined && event.imageUrl !== stored?.imageUrl && { imageUrl: event.imageUrl }),
    ...linkChanges(event, stored, options),
  }
}

/** Calendars of this site link to its own pages. */
const isOwnPage = (url: string, { publicUrl, pagesUrl }: Settings) =>
  [publicUrl, pagesUrl].some((root) => url === root || url.startsWith(`${root}/`))

/** The service limits titles and names to 800 characters. */
const maxNameLength = 800

/** The first text becomes fields of the input, the others its translations. */
async function textChanges(
  texts: readonly EventText[],
  stored: StoredEvent | undefined,
  { note }: ChangeOptions,
): Promise<EventChanges> {
  const changes: object[] = []
  for (const [index, { language, title, description }] of texts.entries()) {
    const before = stored?.event.translations.find((text) => text.language === languageCode(language))
    const name = title === undefined ? undefined : lineInput(title)?.slice(0, maxNameLength)
    if (title !== undefined && title.length > maxNameLength) note(`The title was cut to ${maxNameLength} characters.`)
    changes.push({
      ...(name !== undefined && name !== before?.name && { [index === 0 ? 'title' : 'name']: name }),
      ...((await isChanged(description, before?.description)) && { description: description ?? '' }),
    })
  }
  const translations = changes.flatMap((change, index) => {
    if (index === 0 || Object.keys(change).length === 0) return []
    return [{ language: languageCode(texts[index]?.language ?? '') as LanguageCode, ...change }]
  })
  return { ...changes[0], ...(translations.length > 0 && { translations }) }
}

/** Whether a description, as it would be stored, is another one. The mutation reports one that is too long. */
async function isChanged(description: string | undefined, before: string | null | undefined): Promise<boolean> {
  if (description === undefined) return false
  try {
    return (await htmlInput('description', description)) !== (before ?? '')
  } catch (error) {
    if (error instanceof DomainError) return true
    throw error
  }
}

function timeChanges({ times }: ImportedEvent, stored: StoredEvent | undefined, settings: Settings): EventChanges {
  if (!times) return {}
  const input = toScheduleInput(times, settings.endOfDayCutoff)
  if (!stored) return input
  const { startsAt, endsAt, timeZone, allDay } = stored.event
  try {
    const after: Schedule = schedule(input, undefined, settings)
    const isSame =
      after.startsAt.getTime() === new Date(startsAt).getTime() &&
      after.endsAt.getTime() === new Date(endsAt).getTime() &&
      after.timeZone === timeZone &&
      after.allDay === allDay
    return isSame ? {} : input
  } catch (error) {
    // The mutation reports it.
    if (error instanceof DomainError) return input
    throw error
  }
}

/** iCalendar has fewer terms: an event that was moved online or to another date is confirmed, too. */
function statusChange({ eventStatus }: ImportedEvent, stored: StoredEvent | undefined): EventChanges {
  const before = stored?.event.eventStatus ?? 'SCHEDULED'
  const isConfirmed = before !== 'CANCELLED' && before !== 'POSTPONED'
  if (eventStatus === undefined || eventStatus === before) return {}
  return eventStatus === 'SCHEDULED' && isConfirmed ? {} : { eventStatus }
}

function costChange({ cost }: ImportedEvent, stored: StoredEvent | undefined): EventChanges {
  const entries = cost === undefined ? undefined : [lineInput(cost) ?? ''].filter((entry) => entry !== '')
  const isSame = entries?.join('\n') === (stored?.event.costEntries ?? []).join('\n')
  return entries === undefined || isSame ? {} : { cost: entries }
}

/** Names of places and categories in another language would not match, and each language has its own page. */
function linkChanges(event: ImportedEvent, stored: StoredEvent | undefined, options: ChangeOptions): EventChanges {
  if (stored && options.language !== stored.linkLanguage) return {}
  const { website } = event
  const isNew = website !== undefined && website !== stored?.event.website && !isOwnPage(website, options.settings)
  return {
    ...(isNew && { website }),
    ...locationChanges(event, stored, options),
    ...organizerChange(event, stored, options),
    ...categoryChanges(event, stored, options),
  }
}

function locationChanges(
  { locations, access }: ImportedEvent,
  stored: StoredEvent | undefined,
  { matching, venues: mode, note }: ChangeOptions,
): EventChanges {
  if (locations.length === 0) return access === '' ? {} : locationField(access, stored)
  const before = stored?.event.venues.map(({ databaseId }) => databaseId) ?? []
  const found = locations.map((location) => ({
    location,
    id: mode === 'text' ? undefined : matching.findVenue(location, before),
  }))
  const unknown = found.filter(({ id }) => id === undefined).map(({ location }) => location)
  if (mode === 'create') {
    const isSame = found.every(({ id }) => id !== undefined && before.includes(id))
    const venues = found.map(({ id, location }) => (id === undefined ? { create: newVenue(location) } : { id }))
    return { ...(!isSame && { venues }), ...locationField(access || undefined, stored) }
  }
  if (mode === 'match') {
    for (const { text } of unknown) note(`No venue matches ${JSON.stringify(text)}: it was imported as text.`)
  }
  const texts = [...unknown.map((location) => location.text), access].filter((text) => text !== '')
  const text = texts.length > 0 ? texts.join('; ') : undefined
  const ids = found.flatMap(({ id }) => id ?? [])
  const isSame = ids.every((id) => before.includes(id))
  return { ...(!isSame && { venues: ids.map((id) => ({ id })) }), ...locationField(text, stored) }
}

/** The service limits names to 800 characters, and addresses to 2000. */
function newVenue({ text, name, address, website, coordinates }: Location) {
  const isLong = name.length > maxNameLength
  return {
    name: name.slice(0, maxNameLength),
    address: (isLong ? text : address).slice(0, 2000),
    ...(website !== undefined && { website }),
    ...(coordinates && { coordinates }),
  }
}

/** The custom field `location` has the text of a location without venue. */
function locationField(text: string | undefined, stored: StoredEvent | undefined): EventChanges {
  const before = stored?.event.customFields ?? []
  const own = before.find(({ key }) => key === 'location')
  if (text === own?.value) return {}
  const others = before.flatMap(({ key, label, value }) => (key === 'location' ? [] : [{ key, label, value }]))
  return {
    customFields: [...others, ...(text === undefined ? [] : [{ key: 'location', label: 'Location', value: text }])],
  }
}

function organizerChange(
  { organizers }: ImportedEvent,
  stored: StoredEvent | undefined,
  { matching, note }: ChangeOptions,
): EventChanges {
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

/** Each name is a category, or else a tag, or else a new category. */
function categoryChanges(
  { categories: names }: ImportedEvent,
  stored: StoredEvent | undefined,
  { matching }: ChangeOptions,
): EventChanges {
  if (names === undefined) return {}
  const terms = names.map((name) => {
    const category = matching.findCategory(name)
    return { name, category, tag: category === undefined ? matching.findTag(name) : undefined }
  })
  const unique = (ids: readonly (number | undefined)[]) => [...new Set(ids)].filter((id) => id !== undefined)
  const ids = { categories: unique(terms.map(({ category }) => category)), tags: unique(terms.map(({ tag }) => tag)) }
  const added = terms.filter(({ category, tag }) => category === undefined && tag === undefined)
  const isSame = (kind: 'categories' | 'tags') => {
    const before = stored?.event[kind].map(({ databaseId }) => databaseId) ?? []
    return before.length === ids[kind].length && before.every((id) => ids[kind].includes(id))
  }
  return {
    ...((added.length > 0 || !isSame('categories')) && {
      categories: [...ids.categories.map((id) => ({ id })), ...added.map(({ name }) => ({ nameOrSlug: name }))],
    }),
    ...(!isSame('tags') && { tags: ids.tags.map((id) => ({ id })) }),
  }
}
