// Series in iCalendar: rules describe the dates of a series where they can, instead of an event for each date.
import {
  type EventFilter,
  type FeedEventFragment,
  FeedSeriesDocument,
  type FeedSeriesQuery,
} from '../../generated/graphql/graphql.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { type FeedEventsPage, readEventPages } from './event-pages.ts'
import type { FeedItem } from './format.ts'

interface Reader {
  /** The filter of the list. */
  readonly filter: EventFilter
  readonly execute: Execute
  newContext(): Promise<Context>
  isShown(event: FeedEventFragment): boolean
}

type Series = Extract<NonNullable<FeedSeriesQuery['nodes'][number]>, { id: string }>

/** Replaces the first event of each series on a page by the series, and by its dates that no rule has. */
export async function toItems(events: readonly FeedEventFragment[], reader: Reader): Promise<FeedItem[]> {
  const { filter, execute, newContext, isShown } = reader
  const ids = events.flatMap(({ series }) => series?.id ?? [])
  if (ids.length === 0) return [...events]
  const { nodes } = await execute(FeedSeriesDocument, { ids }, await newContext())
  const found = new Map(nodes.flatMap((node) => (node && 'id' in node ? [[node.id, node as Series] as const] : [])))
  const others = [...found.values()].flatMap(({ icalendar }) => icalendar?.otherDates ?? [])
  const ruleOf = new Map(others.map(({ databaseId, rule }) => [databaseId, rule]))
  const idsOf = (isOfRule: boolean) => [...ruleOf].flatMap(([id, rule]) => ((rule !== null) === isOfRule ? id : []))
  const withoutRules = [...found.values()].flatMap(({ id, icalendar }) => (icalendar ? [] : id))
  const inList = { ...filter, occurrences: 'EACH', mustExist: false } as const
  const changed = await readByIds(idsOf(true), {}, reader)
  const ofList = [
    ...(await readByIds(idsOf(false), inList, reader)),
    ...(withoutRules.length > 0
      ? await readAll({ ...inList, series: withoutRules }, Number.POSITIVE_INFINITY, reader)
      : []),
  ]
  const [changedOf, datesOf] = [changed, ofList].map((dates) => Map.groupBy(dates, ({ series }) => series?.id))
  return events.flatMap((event): FeedItem[] => {
    const series = found.get(event.series?.id ?? '')
    if (!series) return [event]
    const { id, icalendar, modifiedAt, ...values } = series
    const dates = datesOf?.get(id) ?? []
    if (!icalendar) return dates
    const ofRules = (changedOf?.get(id) ?? []).map((date) => {
      const latest = {
        sequence: Math.max(date.sequence, values.sequence),
        modifiedAt: later(date.modifiedAt, modifiedAt),
      }
      return { event: { ...date, ...latest }, rule: ruleOf.get(date.databaseId) ?? 0, isShown: isShown(date) }
    })
    const latest = ofRules.reduce((time, { event: date }) => later(time, date.modifiedAt), modifiedAt)
    const { rules, startsAt, endsAt } = icalendar
    const item = { ...event, ...values, modifiedAt: latest, dateLabel: null, dateNote: null }
    return [{ ...item, repeats: { rules, changed: ofRules, startsAt, endsAt } }, ...dates]
  })
}

const later = (a: Date, b: Date): Date => (a > b ? a : b)

/** Number of IDs in one filter. */
const idsPerRead = 100

async function readByIds(ids: readonly number[], filter: EventFilter, reader: Reader): Promise<FeedEventFragment[]> {
  const events: FeedEventFragment[] = []
  for (let index = 0; index < ids.length; index += idsPerRead) {
    const include = ids.slice(index, index + idsPerRead).map(String)
    events.push(...(await readAll({ ...filter, include }, idsPerRead, reader)))
  }
  return events
}

async function readAll(filter: EventFilter, count: number, { execute, newContext }: Reader) {
  const pages: FeedEventsPage['events'][] = []
  for await (const { events } of readEventPages({ filter, orderBy: { field: 'START' } }, count, execute, newContext))
    pages.push(events)
  return pages.flat()
}
