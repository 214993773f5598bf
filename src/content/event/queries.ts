import { queryFromInfo } from '@pothos/plugin-prisma'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { between, orderBy, type SortKey } from '../../graphql/keyset.ts'
import { type Page, PageInterface, slice, toConnection, toPage, totalCount } from '../../graphql/paging.ts'
import { SortDirection } from '../enums.ts'
import { identify } from '../identify.ts'
import { postRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { EventFilter, eventsWhere } from './filter.ts'
import { Event } from './type.ts'
import { visibleEvents } from './visibility.ts'

const EventOrderField = builder.enumType('EventOrderField', {
  description: 'What events are ordered by; ties go by publication, then by number.',
  values: {
    START: { value: 'startsAt', description: 'Instant of the start.' },
    START_LOCAL: { value: 'startsLocal', description: 'Wall clock of the start.' },
    PUBLICATION: { value: 'publishedAt', description: 'Date of publication.' },
  } as const,
})

const EventOrder = builder.inputType('EventOrder', {
  description: 'An order of events.',
  fields: (t) => ({
    field: t.field({ type: EventOrderField, required: true, description: 'What to order by.' }),
    direction: t.field({ type: SortDirection, defaultValue: 'asc', description: 'Which end comes first.' }),
  }),
})

type Order = typeof EventOrder.$inferInput

/** Columns of every order: a cursor of one list carries no more than these. */
const sortColumns = { id: true, startsAt: true, startsLocal: true, publishedAt: true } as const

function sortKeys(order: Order | null | undefined): SortKey[] {
  const column = order?.field ?? 'startsAt'
  const descending = order?.direction === 'desc'
  const columns = new Set([column, 'publishedAt'])
  return [
    ...[...columns].map((name) => ({ column: name, descending, type: 'date' as const })),
    { column: 'id', descending, type: 'integer' },
  ]
}

const EventPage = builder.objectRef<Page<typeof Event.$inferType>>('EventPage').implement({
  description: 'A page of events.',
  interfaces: [PageInterface],
  fields: (t) => ({ items: t.field({ type: [Event], description: 'Its events.', resolve: (page) => page.items() }) }),
})

builder.queryFields((t) => ({
  event: t.prismaField({
    type: Event,
    nullable: true,
    description: 'An event by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (query, _root, args, context) => {
      const identity = identify('event', 'Event', args)
      const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const event = await context.db.event.findFirst({ ...query, where: { AND: [named, visibleEvents(context)] } })
      if (event) return event
      throw await postRefusal(context, 'event', identity)
    },
  }),
  events: t.connection(
    {
      type: Event,
      description: 'Events that are listed, by start unless another order is given.',
      args: {
        filter: t.arg({ type: EventFilter, description: 'Which events.' }),
        orderBy: t.arg({ type: EventOrder, description: 'In which order.' }),
      },
      resolve: (_root, args, context, info) => {
        const where = eventsWhere(args.filter ?? {}, context)
        const keys = sortKeys(args.orderBy)
        const query = queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']], select: sortColumns })
        return toConnection(args, context.settings, {
          keys,
          load: (bounds, inverted, take) =>
            context.db.event.findMany({
              ...query,
              where: { AND: [where, ...between<Prisma.EventWhereInput>(keys, bounds)] },
              orderBy: orderBy<Prisma.EventOrderByWithRelationInput>(keys, inverted),
              take,
            }),
          node: (event) => event,
          count: () => context.db.event.count({ where }),
        })
      },
    },
    {
      description: 'Events, with cursors.',
      fields: (field) => ({ totalCount: field.int(totalCount) }),
    },
    { description: 'An event in a list.' },
  ),
  eventsPage: t.field({
    type: EventPage,
    description: 'The same list as `events`, by page numbers.',
    args: {
      page: t.arg.int({ description: 'From 1.' }),
      perPage: t.arg.int({ description: 'Events on a page.' }),
      filter: t.arg({ type: EventFilter, description: 'Which events.' }),
      orderBy: t.arg({ type: EventOrder, description: 'In which order.' }),
    },
    resolve: (_root, args, context, info) => {
      const where = eventsWhere(args.filter ?? {}, context)
      const position = slice(args, context.settings)
      const query = queryFromInfo({ context, info, path: ['items'] })
      const items = () =>
        context.db.event.findMany({
          ...query,
          where,
          orderBy: orderBy<Prisma.EventOrderByWithRelationInput>(sortKeys(args.orderBy), false),
          skip: position.skip,
          take: position.take,
        })
      return toPage(position, items, () => context.db.event.count({ where }))
    },
  }),
}))
