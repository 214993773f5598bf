import { queryFromInfo } from '@pothos/plugin-prisma'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { between, newestFirst, orderBy } from '../../graphql/keyset.ts'
import { type Page, PageInterface, slice, toConnection, toPage, totalCount } from '../../graphql/paging.ts'
import { RecordStatus } from '../enums.ts'
import { reachableEvents } from '../event/visibility.ts'
import { identify } from '../identify.ts'
import { postRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { inStatus, unlessTrashed } from '../status.ts'
import { Venue } from './type.ts'
import { visibleVenues } from './visibility.ts'

const VenueFilter = builder.inputType('VenueFilter', {
  description: 'Which venues; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    include: t.intList({ description: 'These venues.' }),
    event: t.int({ description: 'Linked to this event.' }),
    status: t.field({ type: [RecordStatus], description: 'In one of these; by default in any but the trash.' }),
  }),
})

function venuesWhere(filter: typeof VenueFilter.$inferInput, context: Context): Prisma.VenueWhereInput {
  const filters: Prisma.VenueWhereInput[] = [
    visibleVenues(context),
    filter.status ? inStatus(filter.status, context) : unlessTrashed,
    inLanguage(context),
  ]
  if (filter.include) filters.push({ id: { in: filter.include } })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  return { AND: filters }
}

const VenuePage = builder.objectRef<Page<typeof Venue.$inferType>>('VenuePage').implement({
  description: 'A page of venues.',
  interfaces: [PageInterface],
  fields: (t) => ({ items: t.field({ type: [Venue], description: 'Its venues.', resolve: (page) => page.items() }) }),
})

const order = orderBy<Prisma.VenueOrderByWithRelationInput>

builder.queryFields((t) => ({
  venue: t.prismaField({
    type: Venue,
    nullable: true,
    description: 'A venue by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (query, _root, args, context) => {
      const identity = identify('venue', 'Venue', args)
      const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const venue = await context.db.venue.findFirst({ ...query, where: { AND: [named, visibleVenues(context)] } })
      if (venue) return venue
      throw await postRefusal(context, 'venue', identity)
    },
  }),
  venues: t.connection(
    {
      type: Venue,
      description: 'Places where events are held, the newest first.',
      args: { filter: t.arg({ type: VenueFilter, description: 'Which venues.' }) },
      resolve: (_root, args, context, info) => {
        const where = venuesWhere(args.filter ?? {}, context)
        const select = { id: true, publishedAt: true } as const
        const query = queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']], select })
        return toConnection(args, context.settings, {
          keys: newestFirst,
          load: (bounds, inverted, take) =>
            context.db.venue.findMany({
              ...query,
              where: { AND: [where, ...between<Prisma.VenueWhereInput>(newestFirst, bounds)] },
              orderBy: order(newestFirst, inverted),
              take,
            }),
          node: (venue) => venue,
          count: () => context.db.venue.count({ where }),
        })
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
    },
    resolve: (_root, args, context, info) => {
      const where = venuesWhere(args.filter ?? {}, context)
      const position = slice(args, context.settings)
      const query = queryFromInfo({ context, info, path: ['items'] })
      const items = () =>
        context.db.venue.findMany({
          ...query,
          where,
          orderBy: order(newestFirst, false),
          skip: position.skip,
          take: position.take,
        })
      return toPage(position, items, () => context.db.venue.count({ where }))
    },
  }),
}))
