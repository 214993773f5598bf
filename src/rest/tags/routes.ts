import { notFound } from '../../errors.ts'
import { LegacyTagDocument, LegacyTagsDocument } from '../../generated/graphql/graphql.ts'
import { envelope } from '../paging.ts'
import { pathId } from '../params.ts'
import { type Route, route } from '../route.ts'
import { tagsParams } from './params.ts'
import { serializeTag } from './serialize.ts'

const resource = 'tags'

export const tagRoutes: readonly Route[] = [
  route({
    resource,
    path: '/tags',
    summary: 'Tags by name.',
    params: tagsParams,
    answer: async (params, request) => {
      const { page, per_page: perPage, hide_empty: hideEmpty } = params
      const variables = { page, perPage, filter: { hideEmpty } }
      const { tagsPage } = await request.execute(LegacyTagsDocument, variables, request.context)
      const items = tagsPage.items.map((tag) => serializeTag(tag, request.urls))
      const query = { per_page: perPage && tagsPage.perPage, hide_empty: hideEmpty ? undefined : '0' }
      const position = { page, path: '/tags/', query, namesFirstPage: false }
      return envelope('tags', { ...tagsPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    path: '/tags/{id}',
    summary: 'A tag.',
    params: { id: pathId },
    answer: async ({ id }, request) => {
      const { tag } = await request.execute(LegacyTagDocument, { id }, request.context)
      if (!tag) throw notFound('tag', 'id')
      return { body: serializeTag(tag, request.urls) }
    },
  }),
]
