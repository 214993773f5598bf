// Series in iCalendar: rules describe the dates of a series where they can, instead of an event for each date.
import {
  type EventFilter,
  type FeedEventFragment,
  FeedExtentDocument,
  FeedSeriesDocument,
  type FeedSeriesQuery,
} from '../../generated/graphql/graphql.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { type FeedEventsPage, pageSize, readEventPages } from './event-pages.ts'
import type { FeedItem } from './format.ts'

interface Reader {
  /** The filter of the list. */
  readonly filter: EventFilter
  readonly execute: Execute
  newContext(): Promise<Context>
  isShown(event: FeedEventFragment): boolean
  /** Counts events against the rate limit of the client, before they are read. */
  countReads(events: number): Promise<void>
}

type Series = Extract<NonNullable<FeedSeriesQuery['nodes'][number]>, { id: string }>
type OtherDates = NonNullable<Series['icalendar']>['otherDates']

/** A series with more changed dates, which one item would hold in memory, has an event for each date. */
const maxChanged = 500

/** Replaces the first event of each series by the series, followed by its dates that no rule has; at most `count` items. */
export async function* withSeries(
  pages: Iterable<FeedEventsPage> | AsyncIterable<FeedEventsPage>,
  count: number,
  reader: Reader,
): AsyncGenerator<FeedEventsPage, void> {
  let left = count
  for await (const { events, hasNext, next } of pages) {
    const found = await readSeries(events, reader)
    const items = (await toItems(events, found, reader)).slice(0, left)
    left -= items.length
    const filters = await filtersOf(found, left, reader)
    yield { events: items, hasNext: hasNext || filters.length > 0, next }
    for (const [index, filter] of filters.entries()) {
      for await (const page of readDates(filter, left, reader)) {
        left -= page.events.length
        yield { ...page, hasNext: hasNext || page.hasNext || index + 1 < filters.length, next }
      }
    }
    if (left <= 0) return
  }
}

/** Reads the series of events. Without `icalendar`, each of its dates is an event. */
async function readSeries(events: FeedEventsPage['events'], { execute, newContext }: Reader) {
  const ids = events.flatMap(({ series }) => series?.id ?? [])
  const { nodes } = ids.length === 0 ? { nodes: [] } : await execute(FeedSeriesDocument, { ids }, await newContext())
  return nodes.flatMap((node): Series[] => {
    if (!node || !('id' in node)) return []
    const { icalendar, ...series } = node as Series
    return [{ ...series, icalendar: icalendar && changedDates(icalendar).length <= maxChanged ? icalendar : null }]
  })
}

const changedDates = ({ otherDates }: { readonly otherDates: OtherDates }) =>
  otherDates.filter(({ rule }) => rule !== null)

/** The items of a page, without the dates that no rule has. */
async function toItems(events: FeedEventsPage['events'], found: readonly Series[], reader: Reader) {
  const seriesOf = new Map(found.map((series) => [series.id, series]))
  const changed = found.flatMap(({ icalendar }) => (icalendar ? changedDates(icalendar) : []))
  const ruleOf = new Map(changed.map(({ databaseId, rule }) => [databaseId, rule ?? 0]))
  const dates: FeedItem[] = []
  for (const filter of byIds([...ruleOf.keys()]))
    for await (const page of readDates(filter, pageSize, reader)) dates.push(...page.events)
  const datesOf = Map.groupBy(dates, ({ series }) => series?.id)
  return events.flatMap((event): FeedItem[] => {
    const series = seriesOf.get(event.series?.id ?? '')
    if (!series) return [event]
    const { id, icalendar, modifiedAt, ...values } = series
    if (!icalendar) return []
    const ofRules = (datesOf.get(id) ?? []).map((date) => {
      const latest = {
        sequence: Math.max(date.sequence, values.sequence),
        modifiedAt: later(date.modifiedAt, modifiedAt),
      }
      return { event: { ...date, ...latest }, rule: ruleOf.get(date.databaseId) ?? 0, isShown: reader.isShown(date) }
    })
    const latest = ofRules.reduce((time, { event: date }) => later(time, date.modifiedAt), modifiedAt)
    const { rules, startsAt, endsAt } = icalendar
    const item = { ...event, ...values, modifiedAt: latest, dateLabel: null, dateNote: null }
    return [{ ...item, repeats: { rules, changed: ofRules, startsAt, endsAt } }]
  })
}

const later = (a: Date, b: Date): Date => (a > b ? a : b)

/** Returns filters for the dates that no rule has, and counts those that will be read. */
async function filtersOf(found: readonly Series[], left: number, reader: Reader): Promise<EventFilter[]> {
  const inList = { ...reader.filter, occurrences: 'EACH', mustExist: false } as const
  const others = found.flatMap(({ icalendar }) => icalendar?.otherDates ?? [])
  const ids = others.flatMap(({ databaseId, rule }) => (rule === null ? databaseId : []))
  const filters: EventFilter[] = byIds(ids).map((each) => ({ ...inList, ...each }))
  const withoutRules = found.flatMap(({ id, icalendar }) => (icalendar ? [] : id))
  if (withoutRules.length === 0) {
    await reader.countReads(Math.min(ids.length, left))
    return filters
  }
  const filter = { ...inList, series: withoutRules }
  const variables = { filter, dates: filter, allDates: filter }
  const { events } = await reader.execute(FeedExtentDocument, variables, await reader.newContext())
  await reader.countReads(Math.min(ids.length + events.totalCount, left))
  return [...filters, filter]
}

const byIds = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, page) => ({
    include: ids.slice(page * pageSize, (page + 1) * pageSize).map(String),
  }))

const readDates = (filter: EventFilter, count: number, { execute, newContext }: Reader) =>
  readEventPages({ filter, orderBy: { field: 'START' } }, count, execute, newContext)
