import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { eventLinkFilterFields, eventLinkWhere } from '../list/event-link-filter.ts'
import type { ListOrder } from '../list/list-query.ts'
import { orderInput } from '../list/order-input.ts'
import { postOrder, postOrderValues } from '../list/post-order.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { Organizer } from './type.ts'

const OrganizerFilter = builder.inputType('OrganizerFilter', {
  description: 'Selects organizers. Criteria combine with AND.',
  fields: (t) => eventLinkFilterFields(t, 'organizer'),
})

const OrganizerOrder = orderInput('organizer', 'Sort keys of organizers.', postOrderValues)

type Filter = typeof OrganizerFilter.$inferInput
type Order = typeof OrganizerOrder.$inferInput

const organizersWhere = async (filter: Filter, context: Context): Promise<Prisma.OrganizerWhereInput> => ({
  AND: await eventLinkWhere('organizer', filter, context),
})

function organizerOrder(order: Order | null | undefined, { search }: Filter, context: Context): ListOrder {
  const listOrder = order ? { field: order.field, descending: order.direction === 'desc' } : undefined
  return postOrder('organizer', listOrder, search, context)
}

addRecordQueries('organizer', {
  type: Organizer,
  filter: OrganizerFilter,
  order: OrganizerOrder,
  description: 'Organizers of events, by default the newest first.',
  list: async ({ filter, orderBy }, context) => ({
    where: await organizersWhere(filter ?? {}, context),
    order: organizerOrder(orderBy, filter ?? {}, context),
  }),
})
