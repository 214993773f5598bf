import { notFound } from '../../errors.ts'
import { LegacyCategoriesDocument, LegacyCategoryDocument } from '../../generated/graphql/graphql.ts'
import { envelope } from '../paging.ts'
import { pathId } from '../params.ts'
import { type Route, route } from '../route.ts'
import { categoriesParams } from './params.ts'
import { serializeCategory } from './serialize.ts'

const resource = 'categories'

export const categoryRoutes: readonly Route[] = [
  route({
    resource,
    path: '/categories',
    summary: 'Categories by name.',
    params: categoriesParams,
    answer: async (params, request) => {
      const { page, per_page: perPage, hide_empty: hideEmpty } = params
      const variables = { page, perPage, filter: { hideEmpty } }
      const { categoriesPage } = await request.execute(LegacyCategoriesDocument, variables, request.context)
      const items = categoriesPage.items.map((category) => serializeCategory(category, request.urls))
      const query = { per_page: perPage && categoriesPage.perPage, hide_empty: hideEmpty ? undefined : '0' }
      const position = { page, path: '/categories/', query, namesFirstPage: false }
      return envelope('categories', { ...categoriesPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    path: '/categories/{id}',
    summary: 'A category.',
    params: { id: pathId },
    answer: async ({ id }, request) => {
      const { category } = await request.execute(LegacyCategoryDocument, { id }, request.context)
      if (!category) throw notFound('category', 'id')
      return { body: serializeCategory(category, request.urls) }
    },
  }),
]
