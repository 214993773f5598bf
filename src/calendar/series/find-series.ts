// Finds series, each as one of its events.
import { memoizeByObject } from '../../basics/memoize.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'
import { toEventSelection } from '../event/filter.ts'
import { findRecordsByIds, getRecordReads } from '../list/records.ts'
import { readableFilter } from '../rules/status.ts'
import type { StoredDate } from './schedule-text.ts'

interface SeriesEvent {
  readonly id: number
  readonly seriesId: number
}

/** Returns an event that the caller may read for each series, by the ID of the series. */
export async function findSeries(
  context: Context,
  selection: RecordSelection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SeriesEvent>> {
  const { reads } = context
  const dates = await reads.event.matchingRowsSql({ AND: [{ seriesId: { in: [...ids] } }, readableFilter(context)] })
  const rows = await reads.rows<{ id: number }>(
    Prisma.sql`SELECT DISTINCT ON (series_id) id FROM (${dates}) AS dates ORDER BY series_id, starts_at, id`,
  )
  const events = await findRecordsByIds<SeriesEvent>(
    context,
    'event',
    () => selection(['seriesId']),
    rows.map(({ id }) => id),
  )
  return new Map([...events.values()].map((event) => [event.seriesId, event]))
}

/** Returns the next date of each series that lists show and that has not ended; null after the last. */
export async function findNextEvents(
  context: Context,
  selection: RecordSelection,
  ids: readonly number[],
): Promise<(SeriesEvent | null)[]> {
  const filter = { when: 'upcoming', occurrences: 'next', series: ids.map(String) } as const
  const { where } = await toEventSelection(filter, context)
  const { select, toSource } = selection(['seriesId'])
  const rows = (await getRecordReads(context, 'event').findMany({ select, where })) as SeriesEvent[]
  const bySeries = new Map(rows.map((row) => [row.seriesId, toSource<SeriesEvent>(row)]))
  return ids.map((id) => bySeries.get(id) ?? null)
}

/** The columns of the dates that decide how a series is written as iCalendar. */
const calendarColumns = {
  ...{ id: true, originalStartsLocal: true, startsLocal: true, endsLocal: true, startsAt: true, endsAt: true },
  ...{ isExtra: true, changedFields: true, hideFromListings: true },
} as const

/** Dates that the operation has read, by the number of writes before and the ID of the series. */
const datesRead = memoizeByObject((_writes: Context['writes']) => new Map<string, Promise<readonly StoredDate[]>>())

/** Returns all dates of each series. An operation reads those of a series once, for all its events and aliases. */
export function findDatesOfSeries(context: Context, ids: readonly number[]): Promise<(readonly StoredDate[])[]> {
  const { writes } = context
  const read = datesRead(writes)
  const keyOf = (id: number) => `${writes.all.length} ${id}`
  const missing = ids.filter((id) => !read.has(keyOf(id)))
  if (missing.length > 0) {
    const args = { where: { seriesId: { in: missing } }, select: { seriesId: true, ...calendarColumns } }
    const reading = getRecordReads(context, 'event').findMany(args) as Promise<(StoredDate & SeriesEvent)[]>
    const bySeries = reading.then((rows) => Map.groupBy(rows, ({ seriesId }) => seriesId))
    for (const id of missing)
      read.set(
        keyOf(id),
        bySeries.then((dates) => dates.get(id) ?? []),
      )
  }
  return Promise.all(ids.map((id) => read.get(keyOf(id)) ?? []))
}
