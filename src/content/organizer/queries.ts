import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { type Page, PageInterface, slice, totalCount } from '../../graphql/paging.ts'
import { type RecordSelection, selectionOf } from '../../graphql/record-selection.ts'
import { direction } from '../enums.ts'
import { identify } from '../identify.ts'
import { linkedFilterFields, linkedWhere } from '../linked-filter.ts'
import { connectionOf, hasGenericPlan, type ListOrder, pageOf } from '../list.ts'
import { postOrder, postOrderValues } from '../post-order.ts'
import { findRecord } from '../records.ts'
import { postRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { Organizer } from './type.ts'
import { visibleOrganizers } from './visibility.ts'

const OrganizerFilter = builder.inputType('OrganizerFilter', {
  description: 'Which organizers; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => linkedFilterFields(t, 'organizers'),
})

const OrganizerOrderField = builder.enumType('OrganizerOrderField', {
  description: 'What organizers are ordered by.',
  values: postOrderValues,
})

const OrganizerOrder = builder.inputType('OrganizerOrder', {
  description: 'An order of organizers.',
  fields: (t) => ({
    field: t.field({ type: OrganizerOrderField, required: true, description: 'What to order by.' }),
    direction: t.field(direction),
  }),
})

type Filter = typeof OrganizerFilter.$inferInput
type Order = typeof OrganizerOrder.$inferInput

const organizersWhere = async (filter: Filter, context: Context): Promise<Prisma.OrganizerWhereInput> => ({
  AND: await linkedWhere('organizer', filter, context),
})

function organizerOrder(order: Order | null | undefined, { search }: Filter, context: Context): ListOrder {
  const given = order ? { field: order.field, descending: order.direction === 'desc' } : undefined
  return postOrder('organizer', given, search, context)
}

interface Args {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: typeof OrganizerOrder.$inferInput | null | undefined
}

const organizerList = async ({ filter, orderBy }: Args, selection: RecordSelection, context: Context) => ({
  where: await organizersWhere(filter ?? {}, context),
  order: organizerOrder(orderBy, filter ?? {}, context),
  selection,
  usesGenericPlan: hasGenericPlan(filter ?? {}, [], context),
})

const OrganizerPage = builder.objectRef<Page<typeof Organizer.$inferType>>('OrganizerPage').implement({
  description: 'A page of organizers.',
  interfaces: [PageInterface],
  fields: (t) => ({
    items: t.field({ type: [Organizer], description: 'Its organizers.', resolve: (page) => page.items() }),
  }),
})

builder.queryFields((t) => ({
  organizer: t.field({
    type: Organizer,
    nullable: true,
    description: 'An organizer by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (_root, args, context, info) => {
      const selection = selectionOf(context, info)
      const identity = identify('organizer', args)
      const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const organizer = await findRecord<typeof Organizer.$inferType>(context, 'organizer', selection, {
        AND: [named, visibleOrganizers(context)],
      })
      if (organizer) return organizer
      throw await postRefusal(context, 'organizer', identity)
    },
  }),
  organizers: t.connection(
    {
      type: Organizer,
      description: 'Who holds events, the newest first.',
      args: {
        filter: t.arg({ type: OrganizerFilter, description: 'Which organizers.' }),
        orderBy: t.arg({ type: OrganizerOrder, description: 'In which order.' }),
      },
      resolve: async (_root, args, context, info) => {
        const selection = selectionOf(context, info, { paths: [['edges', 'node'], ['nodes']] })
        const list = await organizerList(args, selection, context)
        return connectionOf<typeof Organizer.$inferType>(context, 'organizer', list, args)
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
      orderBy: t.arg({ type: OrganizerOrder, description: 'In which order.' }),
    },
    resolve: async (_root, args, context, info) => {
      const part = slice(args, context.settings)
      const selection = selectionOf(context, info, { path: ['items'] })
      const list = await organizerList(args, selection, context)
      return pageOf<typeof Organizer.$inferType>(context, 'organizer', list, part)
    },
  }),
}))
