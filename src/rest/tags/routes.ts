import { notFound } from '../../errors.ts'
import {
  LegacyCreateTagDocument,
  LegacyDeleteTagDocument,
  LegacyTagDocument,
  LegacyTagsDocument,
  LegacyUpdateTagDocument,
} from '../../generated/graphql/graphql.ts'
import { jsonOf } from '../json.ts'
import { done, written } from '../outcome.ts'
import { envelope } from '../paging.ts'
import { pathId } from '../params.ts'
import { type Route, route } from '../route.ts'
import { byGivenName, namedByTerms, termsFilter, termsOrder, termsQuery } from '../terms.ts'
import { tagBody, tagInput } from './body.ts'
import { tagsParams } from './params.ts'
import { serializeTag } from './serialize.ts'

const resource = 'tags'

export const tagRoutes: readonly Route[] = [
  route({
    resource,
    action: 'read',
    path: '/tags',
    summary: 'Tags by name.',
    params: tagsParams,
    named: (params, { execute, context }) =>
      byGivenName(params, () =>
        execute(LegacyTagsDocument, { page: 1, perPage: 1, filter: namedByTerms(params) }, context),
      ),
    answer: async (params, request) => {
      const { page, per_page: perPage } = params
      const variables = { page, perPage, filter: termsFilter(params), orderBy: termsOrder(params) }
      const { tagsPage } = await byGivenName(params, () =>
        request.execute(LegacyTagsDocument, variables, request.context),
      )
      const items = tagsPage.items.map((tag) => jsonOf(serializeTag, tag, request.urls))
      const query = termsQuery(params, tagsPage.perPage)
      const position = { page, path: '/tags/', query, namesFirstPage: false }
      return envelope('tags', { ...tagsPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    action: 'read',
    path: '/tags/{id}',
    summary: 'A tag.',
    params: { id: pathId },
    answer: async ({ id }, request) => {
      const { tag } = await request.execute(LegacyTagDocument, { id }, request.context)
      if (!tag) throw notFound('tag', 'id')
      return { body: jsonOf(serializeTag, tag, request.urls), language: tag.language }
    },
  }),
  route({
    resource,
    action: 'create',
    path: '/tags',
    summary: 'Creates a tag.',
    params: tagBody,
    required: ['name'],
    answer: async (body, request) => {
      const variables = { input: { ...tagInput(body), name: body.name ?? '' } }
      const { createTag } = await request.execute(LegacyCreateTagDocument, variables, request.context)
      const tag = written(done(createTag).tag)
      return { body: serializeTag(tag, request.urls), language: tag.language, status: 201 }
    },
  }),
  route({
    resource,
    action: 'edit',
    path: '/tags/{id}',
    summary: 'Changes a tag: what is not given stays.',
    params: { ...tagBody, id: pathId },
    answer: async ({ id, ...body }, request) => {
      const variables = { input: { ...tagInput(body), name: body.name, id } }
      const { updateTag } = await request.execute(LegacyUpdateTagDocument, variables, request.context)
      const tag = written(done(updateTag).tag)
      return { body: serializeTag(tag, request.urls), language: tag.language }
    },
  }),
  route({
    resource,
    action: 'delete',
    path: '/tags/{id}',
    summary: 'Deletes a tag for good.',
    params: { id: pathId },
    answer: async ({ id }, request) => {
      const { deleteTag } = await request.execute(LegacyDeleteTagDocument, { input: { id } }, request.context)
      const tag = written(done(deleteTag).tag)
      return { body: serializeTag(tag, request.urls), language: tag.language }
    },
  }),
]
