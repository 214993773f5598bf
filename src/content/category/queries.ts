import { queryFromInfo } from '@pothos/plugin-prisma'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { between, orderBy, type SortKey } from '../../graphql/keyset.ts'
import { type Page, PageInterface, slice, toConnection, toPage, totalCount } from '../../graphql/paging.ts'
import { countedEvents } from '../count.ts'
import { reachableEvents } from '../event/visibility.ts'
import { identify } from '../identify.ts'
import { termRefusal } from '../refusal.ts'
import { inLanguage } from '../served.ts'
import { Category } from './type.ts'

const CategoryFilter = builder.inputType('CategoryFilter', {
  description: 'Which categories; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    include: t.intList({ description: 'These categories.' }),
    exclude: t.intList({ description: 'Not these categories.' }),
    parent: t.int({ description: 'Directly part of this category; 0: of none.' }),
    event: t.int({ description: 'Those of this event.' }),
    hideEmpty: t.boolean({
      description: 'Leave out categories that are carried by no published event, nor their parts by one.',
    }),
  }),
})

function categoriesWhere(filter: typeof CategoryFilter.$inferInput, context: Context): Prisma.CategoryWhereInput {
  const filters: Prisma.CategoryWhereInput[] = [inLanguage(context)]
  if (filter.include) filters.push({ id: { in: filter.include } })
  if (filter.exclude) filters.push({ id: { notIn: filter.exclude } })
  if (filter.parent != null) filters.push({ parentId: filter.parent === 0 ? null : filter.parent })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  if (filter.hideEmpty) {
    filters.push({ descendants: { some: { descendant: { events: { some: { event: countedEvents(context) } } } } } })
  }
  return { AND: filters }
}

/** By name, as it is served: the list is read from the rows of served text. */
const nameKeys: readonly SortKey[] = [
  { column: 'name', type: 'text' },
  { column: 'categoryId', type: 'integer' },
]
const order = orderBy<Prisma.CategoryTextOrderByWithRelationInput>

const CategoryPage = builder.objectRef<Page<typeof Category.$inferType>>('CategoryPage').implement({
  description: 'A page of categories.',
  interfaces: [PageInterface],
  fields: (t) => ({
    items: t.field({ type: [Category], description: 'Its categories.', resolve: (page) => page.items() }),
  }),
})

builder.queryFields((t) => ({
  category: t.prismaField({
    type: Category,
    nullable: true,
    description: 'A category by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (query, _root, args, context) => {
      const identity = identify('category', 'Category', args)
      const where = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const category = await context.db.category.findFirst({ ...query, where })
      if (category) return category
      throw await termRefusal(context, 'category', identity)
    },
  }),
  categories: t.connection(
    {
      type: Category,
      description: 'Kinds of events, by name.',
      args: { filter: t.arg({ type: CategoryFilter, description: 'Which categories.' }) },
      resolve: (_root, args, context, info) => {
        const where = categoriesWhere(args.filter ?? {}, context)
        const query = queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']], select: { id: true } })
        return toConnection(args, context.settings, {
          keys: nameKeys,
          load: (bounds, inverted, take) =>
            context.db.categoryText.findMany({
              select: { name: true, categoryId: true, category: query },
              where: {
                AND: [
                  { language: context.language, category: where },
                  ...between<Prisma.CategoryTextWhereInput>(nameKeys, bounds),
                ],
              },
              orderBy: order(nameKeys, inverted),
              take,
            }),
          node: (row) => row.category,
          count: () => context.db.category.count({ where }),
        })
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
    },
    resolve: (_root, args, context, info) => {
      const where = categoriesWhere(args.filter ?? {}, context)
      const position = slice(args, context.settings)
      const query = queryFromInfo({ context, info, path: ['items'], select: { id: true } })
      const items = async () => {
        const rows = await context.db.categoryText.findMany({
          select: { category: query },
          where: { language: context.language, category: where },
          orderBy: order(nameKeys, false),
          skip: position.skip,
          take: position.take,
        })
        return rows.map((row) => row.category)
      }
      return toPage(position, items, () => context.db.category.count({ where }))
    },
  }),
}))
