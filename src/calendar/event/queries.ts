import { recordList } from '../list/record-connection.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { EventFilter, eventsWhere } from './filter.ts'
import { EventOrder, eventOrder } from './order.ts'
import { Event } from './type.ts'

export const eventList = recordList({
  type: Event,
  filter: EventFilter,
  order: EventOrder,
  list: async ({ filter, orderBy }, context) => {
    const selection = await eventsWhere(filter ?? {}, context)
    return {
      where: selection.where,
      searchMatch: selection.searchMatch,
      order: eventOrder(orderBy, filter ?? {}, selection, context),
    }
  },
})

addRecordQueries('event', {
  ...eventList,
  description: 'Events that are not hidden from lists, by default ordered by start.',
})
