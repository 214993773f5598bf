import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { direction } from '../enums.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { countedEvents } from '../list/term-counts.ts'
import { type TermSelection, termFilterFields, termOrder, termOrderValues, termsWhere } from '../list/term-list.ts'
import { Tag } from './type.ts'

const TagFilter = builder.inputType('TagFilter', {
  description: 'Selects tags. Criteria combine with AND.',
  fields: (t) => ({
    ...termFilterFields(t, 'tags'),
    hideEmpty: t.boolean({ description: 'True: leave out tags without a published event.' }),
  }),
})

type Filter = typeof TagFilter.$inferInput

interface TagSelection extends Pick<TermSelection, 'included'> {
  readonly where: Prisma.TagWhereInput
}

async function tagsWhere(filter: Filter, context: Context): Promise<TagSelection> {
  const { where, included } = await termsWhere('tag', filter, context)
  const filters: Prisma.TagWhereInput[] = [where]
  if (filter.hideEmpty) filters.push({ events: { some: { event: countedEvents(context) } } })
  return { where: { AND: filters }, included }
}

const TagOrderField = builder.enumType('TagOrderField', {
  description: 'Sort keys of tags. Ties are broken by ID unless noted otherwise.',
  values: termOrderValues,
})

const TagOrder = builder.inputType('TagOrder', {
  description: 'An order of tags.',
  fields: (t) => ({
    field: t.field({ type: TagOrderField, required: true, description: 'Sort key.' }),
    direction: t.field(direction),
  }),
})

addRecordQueries('tag', {
  type: Tag,
  filter: TagFilter,
  order: TagOrder,
  description: 'Tags, by default ordered by name.',
  list: async ({ filter, orderBy }, context) => {
    const { where, included } = await tagsWhere(filter ?? {}, context)
    const order = { field: orderBy?.field ?? 'name', descending: orderBy?.direction === 'desc' }
    return { where, order: termOrder('tag', order, { included, search: filter?.search }, context) }
  },
})
