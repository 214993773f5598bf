import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { direction } from '../enums.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { countedEvents } from '../list/term-counts.ts'
import { type TermSelection, termFilterFields, termOrder, termOrderValues, termsWhere } from '../list/term-list.ts'
import { Category } from './type.ts'

const CategoryFilter = builder.inputType('CategoryFilter', {
  description: 'Selects categories. Criteria combine with AND.',
  fields: (t) => ({
    ...termFilterFields(t, 'categories'),
    parent: t.int({ description: 'Direct children of the category with this ID; 0: root categories.' }),
    hideEmpty: t.boolean({
      description: 'True: leave out categories without a published event in them or their descendants.',
    }),
  }),
})

type Filter = typeof CategoryFilter.$inferInput

interface CategorySelection extends Pick<TermSelection, 'included'> {
  readonly where: Prisma.CategoryWhereInput
}

async function categoriesWhere(filter: Filter, context: Context): Promise<CategorySelection> {
  const { where, included } = await termsWhere('category', filter, context)
  const filters: Prisma.CategoryWhereInput[] = [where]
  if (filter.parent != null) filters.push({ parentId: filter.parent === 0 ? null : filter.parent })
  if (filter.hideEmpty) {
    filters.push({ descendants: { some: { descendant: { events: { some: { event: countedEvents(context) } } } } } })
  }
  return { where: { AND: filters }, included }
}

const CategoryOrderField = builder.enumType('CategoryOrderField', {
  description: 'Sort keys of categories. Ties are broken by ID unless noted otherwise.',
  values: {
    ...termOrderValues,
    PARENT: {
      value: 'parent',
      description: 'ID of the parent, root categories first; ties by name. Only with page numbers.',
    },
  } as const,
})

const CategoryOrder = builder.inputType('CategoryOrder', {
  description: 'An order of categories.',
  fields: (t) => ({
    field: t.field({ type: CategoryOrderField, required: true, description: 'Sort key.' }),
    direction: t.field(direction),
  }),
})

addRecordQueries('category', {
  type: Category,
  filter: CategoryFilter,
  order: CategoryOrder,
  description: 'Categories of events, by default ordered by name.',
  list: async ({ filter, orderBy }, context) => {
    const { where, included } = await categoriesWhere(filter ?? {}, context)
    const order = { field: orderBy?.field ?? 'name', descending: orderBy?.direction === 'desc' }
    return { where, order: termOrder('category', order, { included, search: filter?.search }, context) }
  },
})
