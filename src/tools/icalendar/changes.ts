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
  const { onlineUrl, imageUrl, locations } = event
  const isOnline = onlineUrl !== undefined || event.access !== ''
  const attendanceMode = !isOnline ? undefined : locations.length > 0 ? 'MIXED' : 'ONLINE'
  // Names of places and categories in another language would not match, and each language has its own page.
  const hasLinks = stored?.hasLinksOfFile ?? true
  return {
    ...(await textChanges(event.texts, stored, options)),
    ...timeChanges(event, stored, options.settings),
    ...statusChange(event, stored),
    ...differing({ onlineUrl, attendanceMode }, stored?.event),
    ...costChange(event, stored),
    ...differing({ imageUrl }, stored),
    ...(hasLinks && {
      ...differing({ website: foreignWebsite(event, options.settings) }, stored?.event),
      ...locationChanges(event, stored, options),
      ...organizerChange(event, stored, options),
      ...categoryChanges(event, stored, options),
    }),
  }
}

/** The fields that the file has with other values. */
const differing = <Fields extends object>(after: Fields, before: Partial<Record<keyof Fields, unknown>> = {}) =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== undefined && value !== before[name as keyof Fields]),
  ) as Partial<Fields>

/** Calendars of this site link to its own pages. */
function foreignWebsite({ website }: ImportedEvent, { publicUrl, pagesUrl }: Settings): string | undefined {
  const isOwn = [publicUrl, pagesUrl].some((root) => website === root || website?.startsWith(`${root}/`))
  return isOwn ? undefined : website
}

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
  const others = before.flatMap(({ key, label, value }) => (key === 'location' ? [] : { key, label, value }))
  const added = text === undefined ? [] : [{ key: 'location', label: 'Location', value: text }]
  return { customFields: [...others, ...added] }
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
  const linksTo = (ids: readonly (number | undefined)[], before: readonly { readonly databaseId: number }[] = []) => {
    const unique = [...new Set(ids)].filter((id) => id !== undefined)
    const isSame = before.length === unique.length && before.every(({ databaseId }) => unique.includes(databaseId))
    return { isSame, links: unique.map((id) => ({ id })) }
  }
  const categories = linksTo(
    terms.map(({ category }) => category),
    stored?.event.categories,
  )
  const tags = linksTo(
    terms.map(({ tag }) => tag),
    stored?.event.tags,
  )
  const added = terms.filter(({ category, tag }) => category === undefined && tag === undefined)
  const created = added.map(({ name }) => ({ nameOrSlug: name }))
  return {
    ...((created.length > 0 || !categories.isSame) && { categories: [...categories.links, ...created] }),
    ...(!tags.isSame && { tags: tags.links }),
  }
}
