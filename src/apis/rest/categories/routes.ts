import {
  LegacyCategoriesDocument,
  LegacyCategoryDocument,
  LegacyCreateCategoryDocument,
  LegacyDeleteCategoryDocument,
  LegacyUpdateCategoryDocument,
} from '../../../generated/graphql/graphql.ts'
import { categoryOrZero } from '../params.ts'
import { termFilter, termListParams, termOrder, termReferences } from '../term-list-params.ts'
import { termRoutes } from '../term-routes.ts'
import { categoryBody, categoryInput } from './body.ts'
import { serializeCategory } from './serialize.ts'

export const categoryListParams = {
  ...termListParams('categories'),
  parent: categoryOrZero.optional().describe('Only direct children of this category. 0: only top-level categories.'),
}

/** The parent 0 means the top level (QUIRK-32). */
const parentFilter = ({ parent }: { readonly parent?: number | undefined }) =>
  parent === 0 ? { isRoot: true } : { parent }

export const categoryRoutes = termRoutes('category', {
  operations: {
    list: LegacyCategoriesDocument,
    read: LegacyCategoryDocument,
    create: LegacyCreateCategoryDocument,
    update: LegacyUpdateCategoryDocument,
    delete: LegacyDeleteCategoryDocument,
  },
  listParams: categoryListParams,
  references: (params) => ({ filter: { ...termReferences(params), ...parentFilter(params) } }),
  list: (params) => ({
    filter: { ...termFilter(params), ...parentFilter(params) },
    orderBy: termOrder(params, { parent: 'PARENT' } as const),
  }),
  body: categoryBody,
  input: categoryInput,
  serialize: serializeCategory,
})
