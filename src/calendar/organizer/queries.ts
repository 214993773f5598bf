import { builder } from '../../service/graphql/builder.ts'
import { addOrderInput } from '../list/order-input.ts'
import { eventLinkFilterFields, postFilterFields, postWhere } from '../list/post-filter.ts'
import { postOrder, postOrderValues } from '../list/post-order.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { Organizer } from './type.ts'

const OrganizerFilter = builder.inputType('OrganizerFilter', {
  description: 'Selects organizers. Criteria combine with AND.',
  fields: (t) => ({ ...postFilterFields(t, 'organizer'), ...eventLinkFilterFields(t) }),
})

const OrganizerOrder = addOrderInput('organizer', 'Sort keys of organizers.', postOrderValues)

addRecordQueries('organizer', {
  type: Organizer,
  filter: OrganizerFilter,
  order: OrganizerOrder,
  description: 'Organizers of events, by default the newest first.',
  list: async ({ filter, orderBy }, context) => ({
    where: { AND: await postWhere('organizer', filter ?? {}, context) },
    order: postOrder('organizer', orderBy?.field, orderBy?.direction, filter?.search, context),
  }),
})
