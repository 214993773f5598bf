import { defineRecordList } from '../list/record-connection.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { EventFilter, toEventSelection } from './filter.ts'
import { EventOrder, inputToEventOrder } from './order.ts'
import { Event } from './type.ts'

export const eventList = defineRecordList({
  type: Event,
  filter: EventFilter,
  order: EventOrder,
  list: async ({ filter, orderBy }, context) => {
    const selection = await toEventSelection(filter ?? {}, context)
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
  // Of the dates of a series, the next that has not ended, else the last.
  withSameSlug: (event, { now }) => {
    const { seriesId } = event as { readonly seriesId: number | null }
    if (seriesId === null) return undefined
    return [
      { where: { seriesId, endsAt: { gte: now } }, orderBy: [{ startsAt: 'asc' }, { id: 'asc' }] },
      { where: { seriesId }, orderBy: [{ startsAt: 'desc' }, { id: 'desc' }] },
    ]
  },
  description: 'Events that are not hidden from lists, by default ordered by start.',
})
