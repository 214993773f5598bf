import { badInputError } from '../../basics/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { newestFirst } from '../../service/graphql/keyset.ts'
import { searchComplexity } from '../../service/graphql/limits/complexity.ts'
import { findVenuesNear, Near, requireCenter, venueDistanceOrder } from '../list/distance.ts'
import type { ListOrder } from '../list/list-query.ts'
import { addOrderInputType } from '../list/order-input.ts'
import { eventLinkFilterFields, postFilterConditions, postFilterFields } from '../list/post-filter.ts'
import { inputToPostOrder, postOrderValues } from '../list/post-order.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { unlockedFilter } from '../rules/record-password.ts'
import { Venue } from './type.ts'

const VenueFilter = builder.inputType('VenueFilter', {
  description: 'Selects venues. Criteria combine with AND.',
  fields: (t) => ({
    ...postFilterFields(t, 'venue'),
    ...eventLinkFilterFields(t),
    located: t.boolean({ description: 'True: only venues with coordinates. False: only venues without coordinates.' }),
    near: t.field({ type: Near, description: 'Only venues within this circle.', extensions: searchComplexity }),
  }),
})

type Filter = typeof VenueFilter.$inferInput

async function venuesWhere(filter: Filter, context: Context, withUnlisted?: boolean): Promise<Prisma.VenueWhereInput> {
  const filters: Prisma.VenueWhereInput[] = await postFilterConditions('venue', filter, context, withUnlisted)
  if (filter.located != null) filters.push(unlockedFilter(context), { latitude: filter.located ? { not: null } : null })
  if (filter.near)
    filters.push(unlockedFilter(context), {
      id: { in: (await findVenuesNear(filter.near, {}, context)).map(({ id }) => id) },
    })
  return { AND: filters }
}

const VenueOrder = addOrderInputType('venue', 'Sort keys of venues.', {
  ...postOrderValues,
  DISTANCE: {
    value: 'distance',
    description: 'Distance from `filter.near`, then the newest first.',
  },
})

type Order = typeof VenueOrder.$inferInput

function venueOrder(order: Order | null | undefined, { search, near }: Filter, context: Context): ListOrder {
  if (order?.field !== 'distance') return inputToPostOrder('venue', order?.field, order?.direction, search, context)
  if (near == null) throw badInputError({ orderBy: 'DISTANCE requires filter.near.' })
  return { keys: newestFirst, value: venueDistanceOrder(requireCenter(near), order.direction === 'desc') }
}

addRecordQueries('venue', {
  type: Venue,
  filter: VenueFilter,
  order: VenueOrder,
  description: 'Venues of events, by default the newest first.',
  list: async ({ filter, orderBy }, context, withUnlisted) => ({
    where: await venuesWhere(filter ?? {}, context, withUnlisted),
    order: venueOrder(orderBy, filter ?? {}, context),
  }),
})
