// Finds the stored venues, organizers, categories and tags that a file refers to by name.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { foldLine } from '../../calendar/text/fold.ts'
import {
  CliCalendarCategoriesDocument,
  type CliCalendarEventFragment,
  type CliCalendarOrganizerFragment,
  CliCalendarOrganizersDocument,
  CliCalendarTagsDocument,
  type CliCalendarTermFragment,
  type CliCalendarVenueFragment,
  CliCalendarVenuesDocument,
} from '../../generated/graphql/graphql.ts'
import { type ConnectionPage, type ExecuteOperation, readAllNodes } from '../operations.ts'
import type { Coordinates, IcsLocation, OrganizerContact } from './read-links.ts'

export interface RecordMatcher {
  /** Finds the venue of a location. Of several matching venues, prefers a current venue of the event. */
  findVenue(location: IcsLocation, current: readonly number[]): number | undefined
  findOrganizer(contact: OrganizerContact, current: readonly number[]): number | undefined
  findCategory(name: string): number | undefined
  findTag(name: string): number | undefined
  /** Adds the records of a written event, so that later events match venues and others that were created with it. */
  addRecordsOf(event: Pick<CliCalendarEventFragment, 'venues' | 'organizers' | 'categories' | 'tags'>): void
  /** Returns a matcher with the same records, to which others can be added. */
  branch(): RecordMatcher
}

/** Reads all venues, organizers, categories and tags of the site. */
export async function createRecordMatcher(execute: ExecuteOperation, first: number): Promise<RecordMatcher> {
  const venues = createIndex(namesOf<CliCalendarVenueFragment>)
  const organizers = createIndex(namesOf<CliCalendarOrganizerFragment>)
  const emails = createIndex(({ email }: CliCalendarOrganizerFragment) => [email ?? ''])
  const categories = createIndex(namesAndSlugs)
  const tags = createIndex(namesAndSlugs)
  const readAll = async <Item>(document: PageDocument<Item>, add: (item: Item) => void) => {
    const read = async (after: string | null) => (await execute(document, { first, after }, { forEditing: true })).page
    for await (const item of readAllNodes(read)) add(item)
  }
  await readAll(CliCalendarVenuesDocument, venues.add)
  await readAll(CliCalendarOrganizersDocument, (organizer) => {
    organizers.add(organizer)
    emails.add(organizer)
  })
  await readAll(CliCalendarCategoriesDocument, categories.add)
  await readAll(CliCalendarTagsDocument, tags.add)
  return toMatcher({ venues, organizers, emails, categories, tags })
}

interface Indexes {
  readonly venues: Index<CliCalendarVenueFragment>
  readonly organizers: Index<CliCalendarOrganizerFragment>
  readonly emails: Index<CliCalendarOrganizerFragment>
  readonly categories: Index<CliCalendarTermFragment>
  readonly tags: Index<CliCalendarTermFragment>
}

function toMatcher({ venues, organizers, emails, categories, tags }: Indexes): RecordMatcher {
  return {
    findVenue: (location, current) => {
      const candidates = [location.text, location.name].flatMap(venues.find)
      const starting = candidates.length > 0 ? candidates : venues.findStartOf(location.text)
      const samePlaces = starting.filter((venue) => isSamePlace(venue, location))
      return oneOf(samePlaces, current)
    },
    findOrganizer: ({ name, email }, current) => {
      const byName = organizers.find(name).filter((organizer) => !email || !organizer.email)
      return (email ? oneOf(emails.find(email), current) : undefined) ?? oneOf(byName, current)
    },
    findCategory: (name) => categories.find(name)[0]?.databaseId,
    findTag: (name) => tags.find(name)[0]?.databaseId,
    addRecordsOf: (event) => {
      event.venues.forEach(venues.add)
      event.organizers.forEach(organizers.add)
      event.organizers.forEach(emails.add)
      event.categories.forEach(categories.add)
      event.tags.forEach(tags.add)
    },
    branch: () =>
      toMatcher({
        venues: venues.branch(),
        organizers: organizers.branch(),
        emails: emails.branch(),
        categories: categories.branch(),
        tags: tags.branch(),
      }),
  }
}

type PageDocument<Item> = TypedDocumentNode<{ page: ConnectionPage<Item> }, { first: number; after?: string | null }>

const oneOf = (found: readonly { readonly databaseId: number }[], current: readonly number[]): number | undefined =>
  (found.find(({ databaseId }) => current.includes(databaseId)) ?? found[0])?.databaseId

const namesOf = <Item extends Omit<CliCalendarOrganizerFragment, 'email'>>({ name, translations }: Item): string[] => [
  name,
  ...translations.map((text) => text.name ?? ''),
]

const namesAndSlugs = (term: CliCalendarTermFragment): string[] => [
  ...namesOf(term),
  term.slug,
  ...term.translations.map(({ slug }) => slug ?? ''),
]

interface Index<Item> {
  add(item: Item): void
  find(text: string): Item[]
  /** Finds items whose text is the part of this text before a comma, semicolon or bracket; the longest part first. */
  findStartOf(text: string): Item[]
  branch(): Index<Item>
}

/** An index of items by their texts, without regard to case and accents. */
function createIndex<Item extends { readonly databaseId: number }>(
  textsOf: (item: Item) => string[],
  findBefore: (text: string) => Item[] = () => [],
): Index<Item> {
  const byText = new Map<string, Map<number, Item>>()
  const find = (text: string) => [...findBefore(text), ...(byText.get(foldLine(text))?.values() ?? [])]
  return {
    add: (item) => {
      for (const text of new Set(textsOf(item).map(foldLine))) {
        if (text === '') continue
        const items = byText.get(text) ?? new Map<number, Item>()
        byText.set(text, items.set(item.databaseId, item))
      }
    },
    find,
    findStartOf: (text) => {
      const ends = [...text.matchAll(/[,;(]/g)].slice(0, 20).map(({ index }) => index)
      return ends.reverse().flatMap((end) => find(text.slice(0, end)))
    },
    branch: () => createIndex(textsOf, find),
  }
}

/** Metres. Two points at most this far apart can describe the same place. */
const maxDistance = 500

/** Whether a location can be the venue with the same name: neither coordinates nor address contradict that. */
function isSamePlace(venue: CliCalendarVenueFragment, { text, address, coordinates }: IcsLocation): boolean {
  if (coordinates && venue.coordinates) return distance(coordinates, venue.coordinates) <= maxDistance
  const parts = [venue.address, venue.city, venue.zip].map((part) => foldLine(part ?? '')).filter((part) => part !== '')
  return address === '' || parts.length === 0 || parts.some((part) => foldLine(text).includes(part))
}

/** Metres between two points on a plane, which is precise enough for short distances. */
function distance(from: Coordinates, to: Coordinates): number {
  const degree = 111_320
  const north = (to.latitude - from.latitude) * degree
  const east = (to.longitude - from.longitude) * degree * Math.cos((from.latitude * Math.PI) / 180)
  return Math.hypot(north, east)
}
