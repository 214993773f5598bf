import { wallClockToDate } from '../../basics/time.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { defineRecordList } from '../list/record-connection.ts'
import { addRecordQueries, type DateArgs } from '../list/record-queries.ts'
import { EventFilter, toEventSelection } from './filter.ts'
import { EventOrder, inputToEventOrder } from './order.ts'
import { Event } from './type.ts'

export const eventList = defineRecordList({
  type: Event,
  filter: EventFilter,
  order: EventOrder,
  list: async ({ filter, orderBy }, context, withUnlisted) => {
    const selection = await toEventSelection(filter ?? {}, context, { withUnlisted })
    return {
      where: selection.where,
      searchMatch: selection.searchMatch,
      order: inputToEventOrder(orderBy, filter ?? {}, selection, context),
    }
  },
})

addRecordQueries('event', {
  ...eventList,
  slugColumns: ['seriesId'],
  withSameSlug: async (event, args, context) => {
    const { seriesId } = event as { readonly seriesId: number | null }
    return seriesId === null ? undefined : datesOf(seriesId, args, context)
  },
  description: 'Events that are not hidden from lists, by default ordered by start.',
})

/** Of the dates of a series, the one of the day, or the next that has not ended, else the last. */
async function datesOf(seriesId: number, { day, dayNumber }: DateArgs, { now, reads }: Context) {
  if (!day)
    return [
      { where: { seriesId, endsAt: { gte: now } }, orderBy: [{ startsAt: 'asc' }, { id: 'asc' }] },
      { where: { seriesId }, orderBy: [{ startsAt: 'desc' }, { id: 'desc' }] },
    ]
  if (dayNumber != null && (dayNumber < 1 || dayNumber > 32_767)) return []
  // The day after the last one, 9999-12-31, is none.
  const onDay = { gte: wallClockToDate(`${day}T00:00:00`), lte: wallClockToDate(`${day}T23:59:59`) }
  const rows = await reads.rows<{ id: number }>(Prisma.sql`
    WITH RECURSIVE split (id) AS (
      SELECT ${seriesId}::int UNION SELECT series.id FROM series JOIN split ON split_from_id = split.id)
    TABLE split`)
  const ids = { in: rows.map(({ id }) => id) }
  // Dates that were moved from this day, that left the series, or that are those of a series that was split from it.
  const moved = { OR: [{ seriesId: ids }, { formerSeriesId: ids }] }
  return [
    { where: { seriesId, startsLocal: onDay, dayNumber: dayNumber ?? 1 } },
    {
      where: { AND: [moved, { OR: [{ startsLocal: onDay }, { originalStartsLocal: onDay }] }] },
      orderBy: [{ startsLocal: 'asc' }, { id: 'asc' }],
    },
  ]
}
