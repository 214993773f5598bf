import { addRecordQueries } from '../list/record-queries.ts'
import { EventFilter, eventsWhere } from './filter.ts'
import { EventOrder, eventOrder } from './order.ts'
import { Event } from './type.ts'

addRecordQueries('event', {
  type: Event,
  filter: EventFilter,
  order: EventOrder,
  description: 'Events that are listed, by start unless another order is given.',
  list: async ({ filter, orderBy }, context) => {
    const found = await eventsWhere(filter ?? {}, context)
    return {
      where: found.where,
      order: eventOrder(orderBy, filter ?? {}, found, context),
    }
  },
})
