import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { direction } from '../enums.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { countedEvents } from '../list/term-counts.ts'
import { type FoundTerms, termFilterFields, termOrder, termOrderValues, termsWhere } from '../list/term-list.ts'
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

addRecordQueries('tag', {
  type: Tag,
  filter: TagFilter,
  order: TagOrder,
  description: 'Words that events are marked with, by name.',
  list: async ({ filter, orderBy }, context) => {
    const { where, included } = await tagsWhere(filter ?? {}, context)
    const wanted = { field: orderBy?.field ?? 'name', descending: orderBy?.direction === 'desc' }
    return { where, order: termOrder('tag', wanted, { included, search: filter?.search }, context) }
  },
})
