import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { type Page, PageInterface, slice, totalCount } from '../../graphql/paging.ts'
import { type RecordSelection, selectionOf } from '../../graphql/record-selection.ts'
import { countedEvents } from '../count.ts'
import { direction } from '../enums.ts'
import { identify } from '../identify.ts'
import { connectionOf, pageOf } from '../list.ts'
import { findRecord } from '../records.ts'
import { termRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { type FoundTerms, termFilterFields, termOrder, termOrderValues, termsWhere } from '../term-list.ts'
import { Category } from './type.ts'

const CategoryFilter = builder.inputType('CategoryFilter', {
  description: 'Which categories; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    ...termFilterFields(t, 'categories'),
    parent: t.int({ description: 'Directly part of this category; 0: of none.' }),
    hideEmpty: t.boolean({
      description: 'Leave out categories that are carried by no published event, nor their parts by one.',
    }),
  }),
})

type Filter = typeof CategoryFilter.$inferInput

interface Found extends Pick<FoundTerms, 'included'> {
  readonly where: Prisma.CategoryWhereInput
}

async function categoriesWhere(filter: Filter, context: Context): Promise<Found> {
  const { where, included } = await termsWhere('category', filter, context)
  const filters: Prisma.CategoryWhereInput[] = [where]
  if (filter.parent != null) filters.push({ parentId: filter.parent === 0 ? null : filter.parent })
  if (filter.hideEmpty) {
    filters.push({ descendants: { some: { descendant: { events: { some: { event: countedEvents(context) } } } } } })
  }
  return { where: { AND: filters }, included }
}

const CategoryOrderField = builder.enumType('CategoryOrderField', {
  description: 'What categories are ordered by; ties go by number unless said otherwise.',
  values: {
    ...termOrderValues,
    PARENT: {
      value: 'parent',
      description: 'Number of the parent, those without one first; ties go by name. By page number only.',
    },
  } as const,
})

const CategoryOrder = builder.inputType('CategoryOrder', {
  description: 'An order of categories.',
  fields: (t) => ({
    field: t.field({ type: CategoryOrderField, required: true, description: 'What to order by.' }),
    direction: t.field(direction),
  }),
})

interface Args {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: typeof CategoryOrder.$inferInput | null | undefined
}

async function categoryList({ filter, orderBy }: Args, selection: RecordSelection, context: Context) {
  const { where, included } = await categoriesWhere(filter ?? {}, context)
  const wanted = { field: orderBy?.field ?? 'name', descending: orderBy?.direction === 'desc' }
  const order = termOrder('category', wanted, { included, search: filter?.search }, context)
  return { where, order, selection }
}

const CategoryPage = builder.objectRef<Page<typeof Category.$inferType>>('CategoryPage').implement({
  description: 'A page of categories.',
  interfaces: [PageInterface],
  fields: (t) => ({
    items: t.field({ type: [Category], description: 'Its categories.', resolve: (page) => page.items() }),
  }),
})

builder.queryFields((t) => ({
  category: t.field({
    type: Category,
    nullable: true,
    description: 'A category by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (_root, args, context, info) => {
      const selection = selectionOf(context, info)
      const identity = identify('category', args)
      const where = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const category = await findRecord<typeof Category.$inferType>(context, 'category', selection, where)
      if (category) return category
      throw await termRefusal(context, 'category', identity)
    },
  }),
  categories: t.connection(
    {
      type: Category,
      description: 'Kinds of events, by name.',
      args: {
        filter: t.arg({ type: CategoryFilter, description: 'Which categories.' }),
        orderBy: t.arg({ type: CategoryOrder, description: 'In which order.' }),
      },
      resolve: async (_root, args, context, info) => {
        const selection = selectionOf(context, info, { paths: [['edges', 'node'], ['nodes']] })
        const list = await categoryList(args, selection, context)
        return connectionOf<typeof Category.$inferType>(context, 'category', list, args)
      },
    },
    { description: 'Categories, with cursors.', fields: (field) => ({ totalCount: field.int(totalCount) }) },
    { description: 'A category in a list.' },
  ),
  categoriesPage: t.field({
    type: CategoryPage,
    description: 'The same list as `categories`, by page numbers.',
    args: {
      page: t.arg.int({ description: 'From 1.' }),
      perPage: t.arg.int({ description: 'Categories on a page.' }),
      filter: t.arg({ type: CategoryFilter, description: 'Which categories.' }),
      orderBy: t.arg({ type: CategoryOrder, description: 'In which order.' }),
    },
    resolve: async (_root, args, context, info) => {
      const part = slice(args, context.settings)
      const selection = selectionOf(context, info, { path: ['items'] })
      const list = await categoryList(args, selection, context)
      return pageOf<typeof Category.$inferType>(context, 'category', list, part)
    },
  }),
}))
