// What a feed shows: all events, one event, or the events of a venue, organizer, category or tag.
import type { Context } from '../context.ts'
import { notFound, trashed } from '../errors.ts'
import {
  type EventFilter,
  FeedCategoryDocument,
  FeedEventDocument,
  type FeedEventFragment,
  FeedOrganizerDocument,
  FeedTagDocument,
  FeedVenueDocument,
} from '../generated/graphql/graphql.ts'
import type { Execute } from '../graphql/execute.ts'

export type SubjectKind = 'events' | 'event' | 'venue' | 'organizer' | 'category' | 'tag'

export interface Subject {
  /** Name of the record; undefined for all events. */
  readonly name?: string
  /** URL of its page; undefined for all events. */
  readonly url?: string
  /** Selects its events. */
  readonly filter: EventFilter
  /** The event, if the address is that of one. */
  readonly event?: FeedEventFragment
}

interface NamedRecord {
  readonly databaseId: number
  readonly name: string
  readonly url: string
}

type Find = (slug: string, context: Context, execute: Execute) => Promise<Subject>

const ofRecord =
  (
    kind: 'venue' | 'organizer' | 'category' | 'tag',
    find: (slug: string, context: Context, execute: Execute) => Promise<NamedRecord | null | undefined>,
    filterOf: (id: number) => EventFilter,
  ): Find =>
  async (slug, context, execute) => {
    const record = await find(slug, context, execute)
    if (!record) throw notFound(kind, 'slug')
    const { databaseId, name, url } = record
    return { name, url, filter: filterOf(databaseId) }
  }

const finders: Readonly<Record<SubjectKind, Find>> = {
  events: async () => ({ filter: {} }),
  event: async (slug, context, execute) => {
    const { event } = await execute(FeedEventDocument, { slug }, context)
    if (!event) throw notFound('event', 'slug')
    if (event.status === 'TRASH') throw trashed('event')
    return { name: event.title, url: event.url, filter: {}, event }
  },
  venue: ofRecord(
    'venue',
    async (slug, context, execute) => (await execute(FeedVenueDocument, { slug }, context)).venue,
    (id) => ({ venues: [id] }),
  ),
  organizer: ofRecord(
    'organizer',
    async (slug, context, execute) => (await execute(FeedOrganizerDocument, { slug }, context)).organizer,
    (id) => ({ organizers: [id] }),
  ),
  category: ofRecord(
    'category',
    async (slug, context, execute) => (await execute(FeedCategoryDocument, { slug }, context)).category,
    (id) => ({ categories: [id] }),
  ),
  tag: ofRecord(
    'tag',
    async (slug, context, execute) => (await execute(FeedTagDocument, { slug }, context)).tag,
    (id) => ({ tags: [id] }),
  ),
}

/** Throws like the GraphQL query of the record, and notFound or trashed. */
export const findSubject = (kind: SubjectKind, slug: string, context: Context, execute: Execute): Promise<Subject> =>
  finders[kind](slug, context, execute)
