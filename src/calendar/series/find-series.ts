// Finds series, each as one of its events.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'
import { findRecordsByIds } from '../list/records.ts'
import { readableFilter } from '../rules/status.ts'

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
