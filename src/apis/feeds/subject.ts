// What a feed shows: all events, one event, or the events of a venue, organizer, category or tag.
import { notFoundError, trashedError } from '../../basics/errors.ts'
import * as documents from '../../generated/graphql/graphql.ts'
import { kinds } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { type CalendarView, occurrenceFilter } from '../../service/http/calendar-view.ts'
import type { KindWithPage } from '../pages/record-pages.ts'

type EventFilter = documents.EventFilter
type FeedEvent = documents.FeedEventFragment
export type FeedSubjectKind = 'events' | KindWithPage

/** The record whose events a feed shows, as a filter and a title. */
export interface FeedSubject {
  readonly name?: string
  readonly url?: string
  readonly filter: EventFilter
  readonly view?: CalendarView | undefined
  readonly event?: FeedEvent
  /** Whether the event is one date of a series, and not the series. */
  readonly isDate?: boolean
}

/** What the path of a feed's URL names. */
export interface FeedAddress {
  /** Slug of the record; empty for all events. */
  readonly slug: string
  /** The day of a date of a series, and its number among the dates of this day. */
  readonly day?: string
  readonly dayNumber?: number
  /** The view that a URL of a legacy site selects, such as a month. */
  readonly view?: CalendarView | undefined
  /** Alternative reading of the URL as a subcategory, used if this category exists; otherwise the last segment is a view. */
  readonly child?: { readonly slug: string; readonly parent: string; readonly view: CalendarView } | undefined
}

/** Reads the record of the feed. Throws the errors of its GraphQL query, notFoundError or trashed. */
export async function findFeedSubject(
  kind: FeedSubjectKind,
  address: FeedAddress,
  context: Context,
  execute: Execute,
): Promise<FeedSubject> {
  const { slug, child, view } = address
  if (kind === 'events') return { filter: {}, view }
  if (kind === 'event') return findEvent(address, context, execute)
  const { categories } = child ? await execute(documents.FeedChildCategoryDocument, child, context) : {}
  const [childCategory] = categories?.nodes ?? []
  const record =
    childCategory ?? (await execute(documents[`Feed${kinds[kind].type}Document`], { slug }, context)).subject
  if (!record) throw notFoundError(kind, 'slug')
  const { databaseId, name, url } = record
  return { name, url, filter: { [kinds[kind].plural]: [databaseId] }, view: childCategory ? child?.view : view }
}

async function findEvent({ view, ...target }: FeedAddress, context: Context, execute: Execute): Promise<FeedSubject> {
  // On a site with addresses of a legacy site, the day can also be that of an event that is no date of a series.
  const own: typeof target = view ? { slug: target.slug } : target
  const { event: first } = await execute(documents.FeedEventDocument, own, context)
  if (!first) throw notFoundError('event', 'slug')
  if (first.status === 'TRASH') throw trashedError('event')
  if (view?.date && first.series) return findEvent(target, context, execute)
  const event = (view?.date && (await occurrenceOn(view.date, first, context, execute))) || first
  return { name: event.title, url: event.url, filter: {}, event, isDate: own.day !== undefined }
}

async function occurrenceOn(day: string, first: FeedEvent, context: Context, execute: Execute) {
  if (first.startsLocal.startsWith(day)) return first
  const variables = { filter: occurrenceFilter(first.title, day) }
  const { events } = await execute(documents.FeedOccurrencesDocument, variables, context)
  return events.nodes.find(({ title }) => title === first.title)
}
