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
import { Organizer } from './type.ts'
import { visibleOrganizers } from './visibility.ts'

const OrganizerFilter = builder.inputType('OrganizerFilter', {
  description: 'Which organizers; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    include: t.intList({ description: 'These organizers.' }),
    event: t.int({ description: 'Linked to this event.' }),
    status: t.field({ type: [RecordStatus], description: 'In one of these; by default in any but the trash.' }),
  }),
})

function organizersWhere(filter: typeof OrganizerFilter.$inferInput, context: Context): Prisma.OrganizerWhereInput {
  const filters: Prisma.OrganizerWhereInput[] = [
    visibleOrganizers(context),
    filter.status ? inStatus(filter.status, context) : unlessTrashed,
    inLanguage(context),
  ]
  if (filter.include) filters.push({ id: { in: filter.include } })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  return { AND: filters }
}

const OrganizerPage = builder.objectRef<Page<typeof Organizer.$inferType>>('OrganizerPage').implement({
  description: 'A page of organizers.',
  interfaces: [PageInterface],
  fields: (t) => ({
    items: t.field({ type: [Organizer], description: 'Its organizers.', resolve: (page) => page.items() }),
  }),
})

const order = orderBy<Prisma.OrganizerOrderByWithRelationInput>

builder.queryFields((t) => ({
  organizer: t.prismaField({
    type: Organizer,
    nullable: true,
    description: 'An organizer by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (query, _root, args, context) => {
      const identity = identify('organizer', 'Organizer', args)
      const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const organizer = await context.db.organizer.findFirst({
        ...query,
        where: { AND: [named, visibleOrganizers(context)] },
      })
      if (organizer) return organizer
      throw await postRefusal(context, 'organizer', identity)
    },
  }),
  organizers: t.connection(
    {
      type: Organizer,
      description: 'Who holds events, the newest first.',
      args: { filter: t.arg({ type: OrganizerFilter, description: 'Which organizers.' }) },
      resolve: (_root, args, context, info) => {
        const where = organizersWhere(args.filter ?? {}, context)
        const select = { id: true, publishedAt: true } as const
        const query = queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']], select })
        return toConnection(args, context.settings, {
          keys: newestFirst,
          load: (bounds, inverted, take) =>
            context.db.organizer.findMany({
              ...query,
              where: { AND: [where, ...between<Prisma.OrganizerWhereInput>(newestFirst, bounds)] },
              orderBy: order(newestFirst, inverted),
              take,
            }),
          node: (organizer) => organizer,
          count: () => context.db.organizer.count({ where }),
        })
      },
    },
    { description: 'Organizers, with cursors.', fields: (field) => ({ totalCount: field.int(totalCount) }) },
    { description: 'An organizer in a list.' },
  ),
  organizersPage: t.field({
    type: OrganizerPage,
    description: 'The same list as `organizers`, by page numbers.',
    args: {
      page: t.arg.int({ description: 'From 1.' }),
      perPage: t.arg.int({ description: 'Organizers on a page.' }),
      filter: t.arg({ type: OrganizerFilter, description: 'Which organizers.' }),
    },
    resolve: (_root, args, context, info) => {
      const where = organizersWhere(args.filter ?? {}, context)
      const position = slice(args, context.settings)
      const query = queryFromInfo({ context, info, path: ['items'] })
      const items = () =>
        context.db.organizer.findMany({
          ...query,
          where,
          orderBy: order(newestFirst, false),
          skip: position.skip,
          take: position.take,
        })
      return toPage(position, items, () => context.db.organizer.count({ where }))
    },
  }),
}))
