// What a feed shows: all events, one event, or the events of a venue, organizer, category or tag.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { notFound, trashed } from '../../basics/errors.ts'
import {
  type EventFilter,
  FeedCategoryDocument,
  FeedChildCategoryDocument,
  FeedEventDocument,
  type FeedEventFragment,
  FeedOccurrencesDocument,
  FeedOrganizerDocument,
  FeedTagDocument,
  FeedVenueDocument,
} from '../../generated/graphql/graphql.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { type CalendarView, occurrenceFilter } from '../../service/http/calendar-view.ts'

export type SubjectKind = 'events' | RecordKind

export interface Subject {
  /** Name of the record; undefined for all events. */
  readonly name?: string
  /** URL of its page; undefined for all events. */
  readonly url?: string
  /** Selects its events. */
  readonly filter: EventFilter
  readonly view?: CalendarView | undefined
  /** The event, if the address is that of one. */
  readonly event?: FeedEventFragment
}

interface NamedRecord {
  readonly databaseId: number
  readonly name: string
  readonly url: string
}

export interface FeedAddress {
  /** Slug of the record; empty for all events. */
  readonly slug: string
  /** What else the address of a legacy site selects. */
  readonly view?: CalendarView | undefined
  /** The category that the address means if it exists, instead of a view of its parent. */
  readonly child?: { readonly slug: string; readonly parent: string; readonly view: CalendarView } | undefined
}

type Find = (address: FeedAddress, context: Context, execute: Execute) => Promise<Subject>

type FindRecord = TypedDocumentNode<{ readonly subject?: NamedRecord | null }, { slug: string }>

const ofRecord =
  (
    kind: 'venue' | 'organizer' | 'category' | 'tag',
    document: FindRecord,
    filterOf: (id: number) => EventFilter,
  ): Find =>
  async ({ slug, child, view }, context, execute) => {
    const { categories } = child ? await execute(FeedChildCategoryDocument, child, context) : {}
    const [childCategory] = categories?.nodes ?? []
    const record = childCategory ?? (await execute(document, { slug }, context)).subject
    if (!record) throw notFound(kind, 'slug')
    const { databaseId, name, url } = record
    return { name, url, filter: filterOf(databaseId), view: childCategory ? child?.view : view }
  }

const finders: Readonly<Record<SubjectKind, Find>> = {
  events: async ({ view }) => ({ filter: {}, view }),
  event: async ({ slug, view }, context, execute) => {
    const { event: first } = await execute(FeedEventDocument, { slug }, context)
    if (!first) throw notFound('event', 'slug')
    if (first.status === 'TRASH') throw trashed('event')
    const event = (view?.date && (await occurrenceOn(view.date, first, context, execute))) || first
    return { name: event.title, url: event.url, filter: {}, event }
  },
  venue: ofRecord('venue', FeedVenueDocument, (id) => ({ venues: [id] })),
  organizer: ofRecord('organizer', FeedOrganizerDocument, (id) => ({ organizers: [id] })),
  category: ofRecord('category', FeedCategoryDocument, (id) => ({ categories: [id] })),
  tag: ofRecord('tag', FeedTagDocument, (id) => ({ tags: [id] })),
}

async function occurrenceOn(day: string, first: FeedEventFragment, context: Context, execute: Execute) {
  if (first.startsLocal.startsWith(day)) return first
  const { events } = await execute(FeedOccurrencesDocument, { filter: occurrenceFilter(first.title, day) }, context)
  return events.nodes.find(({ title }) => title === first.title)
}

/** Throws like the GraphQL query of the record, and notFound or trashed. */
export const findSubject = (
  kind: SubjectKind,
  address: FeedAddress,
  context: Context,
  execute: Execute,
): Promise<Subject> => finders[kind](address, context, execute)
