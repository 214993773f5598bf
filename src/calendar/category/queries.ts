import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { addOrderInputType } from '../list/order-input.ts'
import { addConnectionField, defineRecordList } from '../list/record-connection.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { hasCountedEventsFilter } from '../list/term-counts.ts'
import { inputToTermListQuery, termFilterFields, termOrderValues } from '../list/term-list.ts'
import { idDescription } from '../rules/identify.ts'
import { Category } from './type.ts'

const CategoryFilter = builder.inputType('CategoryFilter', {
  description: 'Selects categories. Criteria combine with AND.',
  fields: (t) => ({
    ...termFilterFields(t, 'category'),
    parent: t.id({ description: `Direct children of this category. ${idDescription('category')}` }),
    isRoot: t.boolean({
      description: 'True: only root categories, which have no parent. False: only categories with a parent.',
    }),
    hideEmpty: t.boolean({
      description: 'True: leave out categories without a published event in them or their descendants.',
    }),
  }),
})

const conditionsOf = ({ isRoot, hideEmpty }: typeof CategoryFilter.$inferInput, context: Context) => [
  ...(isRoot == null ? [] : [{ parentId: isRoot ? null : { not: null } }]),
  ...(hideEmpty ? [{ descendants: { some: { descendant: hasCountedEventsFilter(context) } } }] : []),
]

const CategoryOrder = addOrderInputType(
  'category',
  'Sort keys of categories. Ties are broken by ID unless noted otherwise.',
  {
    ...termOrderValues,
    PARENT: { value: 'parent', description: 'ID of the parent, then name. Root categories come first.' },
  },
)

const categoryList = defineRecordList({
  type: Category,
  filter: CategoryFilter,
  order: CategoryOrder,
  list: (args, context) => inputToTermListQuery('category', args, conditionsOf, context),
})

addRecordQueries('category', {
  ...categoryList,
  description: 'Categories of events, by default ordered by name.',
})

addConnectionField('category', 'children', {
  kind: 'category',
  list: categoryList,
  description: 'Direct child categories, by default ordered by name.',
  ofParent: (id) => ({ parentId: id }),
})
