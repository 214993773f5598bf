import {
  LegacyCategoriesDocument,
  LegacyCategoryDocument,
  LegacyCreateCategoryDocument,
  LegacyDeleteCategoryDocument,
  LegacyUpdateCategoryDocument,
} from '../../../generated/graphql/graphql.ts'
import { categoryOrZero } from '../params.ts'
import { recordRoutes } from '../record-routes.ts'
import { sortedTerms, termFilter, termListParams, termOrder, termQuery, termReferences } from '../term-list-params.ts'
import { serializeCategory } from '../terms.ts'
import { categoryBody, categoryInput } from './body.ts'

export const categoryListParams = {
  ...termListParams('categories'),
  parent: categoryOrZero.optional().describe('Only direct children of this category. 0: only top-level categories.'),
}

/** The parent 0 means the top level (QUIRK-32). */
const parentFilter = ({ parent }: { readonly parent?: number | undefined }) =>
  parent === 0 ? { isRoot: true } : { parent }

export const categoryRoutes = recordRoutes('category', {
  operations: {
    list: LegacyCategoriesDocument,
    read: LegacyCategoryDocument,
    create: LegacyCreateCategoryDocument,
    update: LegacyUpdateCategoryDocument,
    delete: LegacyDeleteCategoryDocument,
  },
  list: {
    ...sortedTerms,
    params: categoryListParams,
    references: (params) => ({ ...termReferences(params), ...parentFilter(params) }),
    variables: (params) => ({
      variables: {
        filter: { ...termFilter(params), ...parentFilter(params) },
        orderBy: termOrder(params, { parent: 'PARENT' } as const),
      },
      query: termQuery(params),
    }),
  },
  body: categoryBody,
  nameParam: 'name',
  input: categoryInput,
  serialize: serializeCategory,
})
