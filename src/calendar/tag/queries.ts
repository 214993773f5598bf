import { builder } from '../../service/graphql/builder.ts'
import { addOrderInputType } from '../list/order-input.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { hasCountedEventsFilter } from '../list/term-counts.ts'
import { inputToTermListQuery, termFilterFields, termOrderValues } from '../list/term-list.ts'
import { Tag } from './type.ts'

const TagFilter = builder.inputType('TagFilter', {
  description: 'Selects tags. Criteria combine with AND.',
  fields: (t) => ({
    ...termFilterFields(t, 'tag'),
    hideEmpty: t.boolean({ description: 'True: leave out tags without a published event.' }),
  }),
})

const TagOrder = addOrderInputType(
  'tag',
  'Sort keys of tags. Ties are broken by ID unless noted otherwise.',
  termOrderValues,
)

addRecordQueries('tag', {
  type: Tag,
  filter: TagFilter,
  order: TagOrder,
  description: 'Tags, by default ordered by name.',
  list: (args, context) =>
    inputToTermListQuery('tag', args, ({ hideEmpty }) => (hideEmpty ? [hasCountedEventsFilter(context)] : []), context),
})
