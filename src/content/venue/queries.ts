import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { newestFirst } from '../../graphql/keyset.ts'
import { type Page, PageInterface, slice, totalCount } from '../../graphql/paging.ts'
import { type RecordSelection, selectionOf } from '../../graphql/record-selection.ts'
import { direction } from '../enums.ts'
import { identify } from '../identify.ts'
import { linkedFilterFields, linkedWhere } from '../linked-filter.ts'
import { connectionOf, hasGenericPlan, type ListOrder, pageOf } from '../list.ts'
import { Near, venuesByDistance, venuesNear } from '../near.ts'
import { unlocked } from '../password.ts'
import { postOrder, postOrderValues } from '../post-order.ts'
import { findRecord } from '../records.ts'
import { postRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { Venue } from './type.ts'
import { visibleVenues } from './visibility.ts'

const VenueFilter = builder.inputType('VenueFilter', {
  description: 'Which venues; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    ...linkedFilterFields(t, 'venues'),
    located: t.boolean({ description: 'Only venues whose coordinates are known, or only others.' }),
    near: t.field({ type: Near, description: 'Within a distance from a place.' }),
  }),
})

type Filter = typeof VenueFilter.$inferInput

async function venuesWhere(filter: Filter, context: Context): Promise<Prisma.VenueWhereInput> {
  const filters: Prisma.VenueWhereInput[] = await linkedWhere('venue', filter, context)
  if (filter.located != null) filters.push(unlocked(context), { latitude: filter.located ? { not: null } : null })
  if (filter.near) filters.push(unlocked(context), { id: { in: await venuesNear(filter.near, context) } })
  return { AND: filters }
}

const VenueOrderField = builder.enumType('VenueOrderField', {
  description: 'What venues are ordered by.',
  values: {
    ...postOrderValues,
    DISTANCE: {
      value: 'distance',
      description: 'From the place of `filter.near`; ties go the newest first. By page number only.',
    },
  } as const,
})

const VenueOrder = builder.inputType('VenueOrder', {
  description: 'An order of venues.',
  fields: (t) => ({
    field: t.field({ type: VenueOrderField, required: true, description: 'What to order by.' }),
    direction: t.field(direction),
  }),
})

type Order = typeof VenueOrder.$inferInput

function venueOrder(order: Order | null | undefined, { search, near }: Filter, context: Context): ListOrder {
  if (!order) return postOrder('venue', undefined, search, context)
  const { field } = order
  const descending = order.direction === 'desc'
  if (field !== 'distance') return postOrder('venue', { field, descending }, search, context)
  if (near == null) throw badInput({ orderBy: 'Distance needs filter.near.' })
  const sort: ListOrder['sort'] = (ids, part) => venuesByDistance(ids, near, { ...part, descending }, context)
  return { of: 'record', keys: newestFirst, sort }
}

interface Args {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: typeof VenueOrder.$inferInput | null | undefined
}

const venueList = async ({ filter, orderBy }: Args, selection: RecordSelection, context: Context) => ({
  where: await venuesWhere(filter ?? {}, context),
  order: venueOrder(orderBy, filter ?? {}, context),
  selection,
  usesGenericPlan: hasGenericPlan(filter ?? {}, [], context),
})

const VenuePage = builder.objectRef<Page<typeof Venue.$inferType>>('VenuePage').implement({
  description: 'A page of venues.',
  interfaces: [PageInterface],
  fields: (t) => ({ items: t.field({ type: [Venue], description: 'Its venues.', resolve: (page) => page.items() }) }),
})

builder.queryFields((t) => ({
  venue: t.field({
    type: Venue,
    nullable: true,
    description: 'A venue by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (_root, args, context, info) => {
      const selection = selectionOf(context, info)
      const identity = identify('venue', args)
      const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const venue = await findRecord<typeof Venue.$inferType>(context, 'venue', selection, {
        AND: [named, visibleVenues(context)],
      })
      if (venue) return venue
      throw await postRefusal(context, 'venue', identity)
    },
  }),
  venues: t.connection(
    {
      type: Venue,
      description: 'Places where events are held, the newest first.',
      args: {
        filter: t.arg({ type: VenueFilter, description: 'Which venues.' }),
        orderBy: t.arg({ type: VenueOrder, description: 'In which order.' }),
      },
      resolve: async (_root, args, context, info) => {
        const selection = selectionOf(context, info, { paths: [['edges', 'node'], ['nodes']] })
        const list = await venueList(args, selection, context)
        return connectionOf<typeof Venue.$inferType>(context, 'venue', list, args)
      },
    },
    { description: 'Venues, with cursors.', fields: (field) => ({ totalCount: field.int(totalCount) }) },
    { description: 'A venue in a list.' },
  ),
  venuesPage: t.field({
    type: VenuePage,
    description: 'The same list as `venues`, by page numbers.',
    args: {
      page: t.arg.int({ description: 'From 1.' }),
      perPage: t.arg.int({ description: 'Venues on a page.' }),
      filter: t.arg({ type: VenueFilter, description: 'Which venues.' }),
      orderBy: t.arg({ type: VenueOrder, description: 'In which order.' }),
    },
    resolve: async (_root, args, context, info) => {
      const part = slice(args, context.settings)
      const selection = selectionOf(context, info, { path: ['items'] })
      const list = await venueList(args, selection, context)
      return pageOf<typeof Venue.$inferType>(context, 'venue', list, part)
    },
  }),
}))
