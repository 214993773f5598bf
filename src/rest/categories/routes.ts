import { notFound } from '../../errors.ts'
import {
  LegacyCategoriesDocument,
  LegacyCategoryDocument,
  LegacyCreateCategoryDocument,
  LegacyDeleteCategoryDocument,
  LegacyUpdateCategoryDocument,
} from '../../generated/graphql/graphql.ts'
import { jsonOf } from '../json.ts'
import { done, written } from '../outcome.ts'
import { envelope } from '../paging.ts'
import { pathId } from '../params.ts'
import { type Route, route } from '../route.ts'
import { byGivenName, namedByTerms, termsFilter, termsOrder, termsQuery } from '../terms.ts'
import { categoryBody, categoryInput } from './body.ts'
import { categoriesParams } from './params.ts'
import { serializeCategory } from './serialize.ts'

const resource = 'categories'

export const categoryRoutes: readonly Route[] = [
  route({
    resource,
    action: 'read',
    path: '/categories',
    summary: 'Categories by name.',
    params: categoriesParams,
    named: (params, { execute, context }) =>
      byGivenName(params, () =>
        execute(
          LegacyCategoriesDocument,
          { page: 1, perPage: 1, filter: { ...namedByTerms(params), parent: params.parent } },
          context,
        ),
      ),
    answer: async (params, request) => {
      const { page, per_page: perPage } = params
      const variables = {
        page,
        perPage,
        filter: { ...termsFilter(params), parent: params.parent },
        orderBy: termsOrder(params, { parent: 'PARENT' } as const),
      }
      const { categoriesPage } = await byGivenName(params, () =>
        request.execute(LegacyCategoriesDocument, variables, request.context),
      )
      const items = categoriesPage.items.map((category) => jsonOf(serializeCategory, category, request.urls))
      const query = termsQuery(params, categoriesPage.perPage)
      const position = { page, path: '/categories/', query, namesFirstPage: false }
      return envelope('categories', { ...categoriesPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    action: 'read',
    path: '/categories/{id}',
    summary: 'A category.',
    params: { id: pathId },
    answer: async ({ id }, request) => {
      const { category } = await request.execute(LegacyCategoryDocument, { id }, request.context)
      if (!category) throw notFound('category', 'id')
      return { body: jsonOf(serializeCategory, category, request.urls), language: category.language }
    },
  }),
  route({
    resource,
    action: 'create',
    path: '/categories',
    summary: 'Creates a category.',
    params: categoryBody,
    required: ['name'],
    answer: async (body, request) => {
      const variables = { input: { ...categoryInput(body), name: body.name ?? '' } }
      const { createCategory } = await request.execute(LegacyCreateCategoryDocument, variables, request.context)
      const category = written(done(createCategory).category)
      return { body: serializeCategory(category, request.urls), language: category.language, status: 201 }
    },
  }),
  route({
    resource,
    action: 'edit',
    path: '/categories/{id}',
    summary: 'Changes a category: what is not given stays.',
    params: { ...categoryBody, id: pathId },
    answer: async ({ id, ...body }, request) => {
      const variables = { input: { ...categoryInput(body), name: body.name, id } }
      const { updateCategory } = await request.execute(LegacyUpdateCategoryDocument, variables, request.context)
      const category = written(done(updateCategory).category)
      return { body: serializeCategory(category, request.urls), language: category.language }
    },
  }),
  route({
    resource,
    action: 'delete',
    path: '/categories/{id}',
    summary: 'Deletes a category for good.',
    params: { id: pathId },
    answer: async ({ id }, request) => {
      const { deleteCategory } = await request.execute(LegacyDeleteCategoryDocument, { input: { id } }, request.context)
      const category = written(done(deleteCategory).category)
      return { body: serializeCategory(category, request.urls), language: category.language }
    },
  }),
]
