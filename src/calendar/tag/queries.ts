import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { orderInput } from '../list/order-input.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { withCountedEvents } from '../list/term-counts.ts'
import { termFilterFields, termList, termOrderValues } from '../list/term-list.ts'
import { Tag } from './type.ts'

const TagFilter = builder.inputType('TagFilter', {
  description: 'Selects tags. Criteria combine with AND.',
  fields: (t) => ({
    ...termFilterFields(t, 'tag'),
    hideEmpty: t.boolean({ description: 'True: leave out tags without a published event.' }),
  }),
})

type Filter = typeof TagFilter.$inferInput

const conditionsOf = (filter: Filter, context: Context): Prisma.TagWhereInput[] =>
  filter.hideEmpty ? [withCountedEvents(context)] : []

const TagOrder = orderInput('tag', 'Sort keys of tags. Ties are broken by ID unless noted otherwise.', termOrderValues)

addRecordQueries('tag', {
  type: Tag,
  filter: TagFilter,
  order: TagOrder,
  description: 'Tags, by default ordered by name.',
  list: ({ filter, orderBy }, context) =>
    termList('tag', filter ?? {}, orderBy, conditionsOf(filter ?? {}, context), context),
})
