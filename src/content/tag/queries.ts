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
import { Tag } from './type.ts'

const TagFilter = builder.inputType('TagFilter', {
  description: 'Which tags; all that is given applies. Numbers are `databaseId`s.',
  fields: (t) => ({
    ...termFilterFields(t, 'tags'),
    hideEmpty: t.boolean({ description: 'Leave out tags that are carried by no published event.' }),
  }),
})

type Filter = typeof TagFilter.$inferInput

interface Found extends Pick<FoundTerms, 'included'> {
  readonly where: Prisma.TagWhereInput
}

async function tagsWhere(filter: Filter, context: Context): Promise<Found> {
  const { where, included } = await termsWhere('tag', filter, context)
  const filters: Prisma.TagWhereInput[] = [where]
  if (filter.hideEmpty) filters.push({ events: { some: { event: countedEvents(context) } } })
  return { where: { AND: filters }, included }
}

const TagOrderField = builder.enumType('TagOrderField', {
  description: 'What tags are ordered by; ties go by number unless said otherwise.',
  values: termOrderValues,
})

const TagOrder = builder.inputType('TagOrder', {
  description: 'An order of tags.',
  fields: (t) => ({
    field: t.field({ type: TagOrderField, required: true, description: 'What to order by.' }),
    direction: t.field(direction),
  }),
})

interface Args {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: typeof TagOrder.$inferInput | null | undefined
}

async function tagList({ filter, orderBy }: Args, selection: RecordSelection, context: Context) {
  const { where, included } = await tagsWhere(filter ?? {}, context)
  const wanted = { field: orderBy?.field ?? 'name', descending: orderBy?.direction === 'desc' }
  const order = termOrder('tag', wanted, { included, search: filter?.search }, context)
  return { where, order, selection }
}

const TagPage = builder.objectRef<Page<typeof Tag.$inferType>>('TagPage').implement({
  description: 'A page of tags.',
  interfaces: [PageInterface],
  fields: (t) => ({ items: t.field({ type: [Tag], description: 'Its tags.', resolve: (page) => page.items() }) }),
})

builder.queryFields((t) => ({
  tag: t.field({
    type: Tag,
    nullable: true,
    description: 'A tag by its ID, opaque or a number, or by any of its slugs.',
    args: {
      id: t.arg.id({ description: 'Opaque ID or number.' }),
      slug: t.arg.string({ description: 'Slug in any language.' }),
    },
    resolve: async (_root, args, context, info) => {
      const selection = selectionOf(context, info)
      const identity = identify('tag', args)
      const where = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
      const tag = await findRecord<typeof Tag.$inferType>(context, 'tag', selection, where)
      if (tag) return tag
      throw await termRefusal(context, 'tag', identity)
    },
  }),
  tags: t.connection(
    {
      type: Tag,
      description: 'Words that events are marked with, by name.',
      args: {
        filter: t.arg({ type: TagFilter, description: 'Which tags.' }),
        orderBy: t.arg({ type: TagOrder, description: 'In which order.' }),
      },
      resolve: async (_root, args, context, info) => {
        const selection = selectionOf(context, info, { paths: [['edges', 'node'], ['nodes']] })
        const list = await tagList(args, selection, context)
        return connectionOf<typeof Tag.$inferType>(context, 'tag', list, args)
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
      orderBy: t.arg({ type: TagOrder, description: 'In which order.' }),
    },
    resolve: async (_root, args, context, info) => {
      const part = slice(args, context.settings)
      const selection = selectionOf(context, info, { path: ['items'] })
      const list = await tagList(args, selection, context)
      return pageOf<typeof Tag.$inferType>(context, 'tag', list, part)
    },
  }),
}))
