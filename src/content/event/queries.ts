import type { Context } from '../../context.ts'
import { builder } from '../../graphql/builder.ts'
import { type Page, PageInterface, slice, totalCount } from '../../graphql/paging.ts'
import { type RecordSelection, selectionOf } from '../../graphql/record-selection.ts'
import { identify } from '../identify.ts'
import { connectionOf, hasGenericPlan, pageOf } from '../list.ts'
import { findRecord } from '../records.ts'
import { postRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { EventFilter, eventsWhere } from './filter.ts'
import { EventOrder, eventOrder } from './order.ts'
import { Event } from './type.ts'
import { visibleEvents } from './visibility.ts'

interface Args {
  readonly filter?: typeof EventFilter.$inferInput | null | undefined
  readonly orderBy?: typeof EventOrder.$inferInput | null | undefined
}

async function eventList({ filter, orderBy }: Args, selection: RecordSelection, context: Context) {
  const found = await eventsWhere(filter ?? {}, context)
  return {
    where: found.where,
    order: eventOrder(orderBy, filter ?? {}, found, context),
    selection,
    usesGenericPlan: hasGenericPlan(filter ?? {}, ['startsAt', 'endsAt', 'startsLocal', 'endsLocal'], context),
  }
}

const EventPage = builder.objectRef<Page<typeof Event.$inferType>>('EventPage').implement({
  description: 'A page of events.',
  interfaces: [PageInterface],
  fields: (t) => ({ items: t.field({ type: [Event], description: 'Its events.', resolve: (page) => page.items() }) }),
})

builder.queryFields((t) => ({
  event: t.field({
    type: Event,
    nullable: true,
    description: 'An event by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (_root, args, context, info) => {
      const selection = selectionOf(context, info)
      const identity = identify('event', args)
      const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const event = await findRecord<typeof Event.$inferType>(context, 'event', selection, {
        AND: [named, visibleEvents(context)],
      })
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
      resolve: async (_root, args, context, info) => {
        const selection = selectionOf(context, info, { paths: [['edges', 'node'], ['nodes']] })
        const list = await eventList(args, selection, context)
        return connectionOf<typeof Event.$inferType>(context, 'event', list, args)
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
    resolve: async (_root, args, context, info) => {
      const part = slice(args, context.settings)
      const selection = selectionOf(context, info, { path: ['items'] })
      const list = await eventList(args, selection, context)
      return pageOf<typeof Event.$inferType>(context, 'event', list, part)
    },
  }),
}))
