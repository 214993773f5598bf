import { builder } from '../../service/graphql/builder.ts'
import { addOrderInputType } from '../list/order-input.ts'
import { eventLinkFilterFields, postFilterConditions, postFilterFields } from '../list/post-filter.ts'
import { inputToPostOrder, postOrderValues } from '../list/post-order.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { Organizer } from './type.ts'

const OrganizerFilter = builder.inputType('OrganizerFilter', {
  description: 'Selects organizers. Criteria combine with AND.',
  fields: (t) => ({ ...postFilterFields(t, 'organizer'), ...eventLinkFilterFields(t) }),
})

const OrganizerOrder = addOrderInputType('organizer', 'Sort keys of organizers.', postOrderValues)

addRecordQueries('organizer', {
  type: Organizer,
  filter: OrganizerFilter,
  order: OrganizerOrder,
  description: 'Organizers of events, by default the newest first.',
  list: async ({ filter, orderBy }, context, withUnlisted) => ({
    where: { AND: await postFilterConditions('organizer', filter ?? {}, context, withUnlisted) },
    order: inputToPostOrder('organizer', orderBy?.field, orderBy?.direction, filter?.search, context),
  }),
})
