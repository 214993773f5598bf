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
import { Tag } from './type.ts'

const TagFilter = builder.inputType('TagFilter', {
  description: 'Which tags; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    include: t.intList({ description: 'These tags.' }),
    exclude: t.intList({ description: 'Not these tags.' }),
    event: t.int({ description: 'Those of this event.' }),
    hideEmpty: t.boolean({ description: 'Leave out tags that are carried by no published event.' }),
  }),
})

function tagsWhere(filter: typeof TagFilter.$inferInput, context: Context): Prisma.TagWhereInput {
  const filters: Prisma.TagWhereInput[] = [inLanguage(context)]
  if (filter.include) filters.push({ id: { in: filter.include } })
  if (filter.exclude) filters.push({ id: { notIn: filter.exclude } })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  if (filter.hideEmpty) {
    filters.push({ events: { some: { event: countedEvents(context) } } })
  }
  return { AND: filters }
}

/** By name, as it is served: the list is read from the rows of served text. */
const nameKeys: readonly SortKey[] = [
  { column: 'name', type: 'text' },
  { column: 'tagId', type: 'integer' },
]
const order = orderBy<Prisma.TagTextOrderByWithRelationInput>

const TagPage = builder.objectRef<Page<typeof Tag.$inferType>>('TagPage').implement({
  description: 'A page of tags.',
  interfaces: [PageInterface],
  fields: (t) => ({ items: t.field({ type: [Tag], description: 'Its tags.', resolve: (page) => page.items() }) }),
})

builder.queryFields((t) => ({
  tag: t.prismaField({
    type: Tag,
    nullable: true,
    description: 'A tag by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (query, _root, args, context) => {
      const identity = identify('tag', 'Tag', args)
      const where = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const tag = await context.db.tag.findFirst({ ...query, where })
      if (tag) return tag
      throw await termRefusal(context, 'tag', identity)
    },
  }),
  tags: t.connection(
    {
      type: Tag,
      description: 'Words that events are marked with, by name.',
      args: { filter: t.arg({ type: TagFilter, description: 'Which tags.' }) },
      resolve: (_root, args, context, info) => {
        const where = tagsWhere(args.filter ?? {}, context)
        const query = queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']], select: { id: true } })
        return toConnection(args, context.settings, {
          keys: nameKeys,
          load: (bounds, inverted, take) =>
            context.db.tagText.findMany({
              select: { name: true, tagId: true, tag: query },
              where: {
                AND: [
                  { language: context.language, tag: where },
                  ...between<Prisma.TagTextWhereInput>(nameKeys, bounds),
                ],
              },
              orderBy: order(nameKeys, inverted),
              take,
            }),
          node: (row) => row.tag,
          count: () => context.db.tag.count({ where }),
        })
      },
    },
    { description: 'Tags, with cursors.', fields: (field) => ({ totalCount: field.int(totalCount) }) },
    { description: 'A tag in a list.' },
  ),
  tagsPage: t.field({
    type: TagPage,
    description: 'The same list as `tags`, by page numbers.',
    args: {
      page: t.arg.int({ description: 'From 1.' }),
      perPage: t.arg.int({ description: 'Tags on a page.' }),
      filter: t.arg({ type: TagFilter, description: 'Which tags.' }),
    },
    resolve: (_root, args, context, info) => {
      const where = tagsWhere(args.filter ?? {}, context)
      const position = slice(args, context.settings)
      const query = queryFromInfo({ context, info, path: ['items'], select: { id: true } })
      const items = async () => {
        const rows = await context.db.tagText.findMany({
          select: { tag: query },
          where: { language: context.language, tag: where },
          orderBy: order(nameKeys, false),
          skip: position.skip,
          take: position.take,
        })
        return rows.map((row) => row.tag)
      }
      return toPage(position, items, () => context.db.tag.count({ where }))
    },
  }),
}))
