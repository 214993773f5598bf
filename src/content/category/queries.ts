import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { direction } from '../enums.ts'
import { addRecordQueries } from '../list/record-queries.ts'
import { countedEvents } from '../list/term-counts.ts'
import { type FoundTerms, termFilterFields, termOrder, termOrderValues, termsWhere } from '../list/term-list.ts'
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

addRecordQueries('category', {
  type: Category,
  filter: CategoryFilter,
  order: CategoryOrder,
  description: 'Kinds of events, by name.',
  list: async ({ filter, orderBy }, context) => {
    const { where, included } = await categoriesWhere(filter ?? {}, context)
    const wanted = { field: orderBy?.field ?? 'name', descending: orderBy?.direction === 'desc' }
    return { where, order: termOrder('category', wanted, { included, search: filter?.search }, context) }
  },
})
