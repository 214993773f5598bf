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
  description: 'Events that are not hidden from lists, by default ordered by start.',
})
