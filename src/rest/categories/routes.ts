import {
  LegacyCategoriesDocument,
  LegacyCategoryDocument,
  LegacyCreateCategoryDocument,
  LegacyDeleteCategoryDocument,
  LegacyUpdateCategoryDocument,
} from '../../generated/graphql/graphql.ts'
import { categoryOrZero } from '../params.ts'
import { termFilter, termListParams, termOrder, termReferences } from '../term-list-params.ts'
import { termRoutes } from '../term-routes.ts'
import { categoryBody, categoryInput } from './body.ts'
import { serializeCategory } from './serialize.ts'

export const categoryListParams = {
  ...termListParams('categories'),
  parent: categoryOrZero.optional().describe('Only direct children of this category. 0: only top-level categories.'),
}

export const categoryRoutes = termRoutes('category', {
  operations: {
    list: LegacyCategoriesDocument,
    read: LegacyCategoryDocument,
    create: LegacyCreateCategoryDocument,
    update: LegacyUpdateCategoryDocument,
    delete: LegacyDeleteCategoryDocument,
  },
  listParams: categoryListParams,
  references: (params) => ({ filter: { ...termReferences(params), parent: params.parent } }),
  list: (params) => ({
    filter: { ...termFilter(params), parent: params.parent },
    orderBy: termOrder(params, { parent: 'PARENT' } as const),
  }),
  body: categoryBody,
  input: categoryInput,
  serialize: serializeCategory,
})
