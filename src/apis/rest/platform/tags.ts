// The routes `/tags`: tags as JSON of the content management system that the legacy contract comes from.

import { z } from 'zod'
import { escapeHtml } from '../../../basics/strip-tags.ts'
import {
  LegacyCreateTagDocument,
  LegacyTagDocument,
  LegacyTagsDocument,
  type LegacyTermFieldsFragment,
} from '../../../generated/graphql/graphql.ts'
import { flagParam, legacySearchFilter, pathIdParam, positiveIntegerParam } from '../params.ts'
import { requireRecord, requireSuccess } from '../payload.ts'
import type { Route } from '../route.ts'
import { tagBody, toTagInput } from '../term-body.ts'
import { readTermOrder, renameEventParamInError } from '../term-list-params.ts'
import { removeTags } from '../text.ts'
import type { LinkBuilder } from '../urls.ts'
import {
  createUnknownIdErrorMapper,
  platformListParams,
  platformListResult,
  platformRoute,
  selfAndCollectionLinks,
  toCreationError,
} from './route.ts'

const serializeTag = (tag: LegacyTermFieldsFragment, urls: LinkBuilder) => ({
  id: tag.databaseId,
  count: tag.count,
  description: removeTags(tag.description),
  link: tag.url,
  name: escapeHtml(tag.name),
  slug: tag.slug,
  taxonomy: 'post_tag',
  meta: [],
  _links: selfAndCollectionLinks('/tags', tag.databaseId, urls),
})

export const tagRoutes: readonly Route[] = [
  platformRoute({
    resource: 'tags',
    action: 'read',
    path: '/tags',
    summary: 'Lists tags, sorted by name.',
    params: {
      ...platformListParams,
      exclude: platformListParams.include.describe('Leave out tags with these IDs.'),
      order: z.enum(['asc', 'desc'], 'asc or desc').default('asc').describe('Direction of the order.'),
      orderby: z.string('text').default('name').describe('name, id, slug, description, count or include.'),
      hide_empty: flagParam.default(false).describe('Leave out tags that no published event has.'),
      post: positiveIntegerParam.optional().describe('Only tags of this event.'),
    },
    async handle(params, request) {
      const { page, per_page: perPage, search, slug = [], order, orderby, hide_empty: hideEmpty, post } = params
      // The GraphQL field `include` accepts IDs and slugs, so several slugs are sent as `include`.
      const include = params.include?.map(String) ?? (slug.length > 1 ? slug : undefined)
      const filter = {
        include,
        exclude: params.exclude?.map(String),
        ...legacySearchFilter(search || undefined),
        slug: slug.length === 1 ? slug[0] : undefined,
        hideEmpty,
        event: post,
      }
      const variables = { page, perPage, filter, orderBy: readTermOrder({ orderby, order, include }) }
      const { page: found } = await request.execute(LegacyTagsDocument, variables, request.context).catch((error) => {
        throw renameEventParamInError(error, {})
      })
      const items = found.items.map((tag) => serializeTag(tag, request.urls))
      return platformListResult({ ...found, items }, '/tags', params, request)
    },
  }),
  platformRoute({
    resource: 'tags',
    action: 'read',
    path: '/tags/{id}',
    summary: 'Reads a tag.',
    params: { id: pathIdParam },
    toError: createUnknownIdErrorMapper('rest_term_invalid', 'There is no tag with this ID.'),
    async handle({ id }, { execute, context, urls }) {
      const { record } = await execute(LegacyTagDocument, { id }, context)
      const found = requireRecord(record)
      return { body: serializeTag(found, urls), language: found.languages.tag }
    },
  }),
  platformRoute({
    resource: 'tags',
    action: 'create',
    path: '/tags',
    summary: 'Creates a tag.',
    params: tagBody,
    required: ['name'],
    toError: toCreationError,
    async handle({ name = '', ...body }, { execute, context, urls }) {
      const input = { ...toTagInput(body), name }
      const { outcome } = await execute(LegacyCreateTagDocument, { input }, context)
      const tag = requireRecord(requireSuccess(outcome).record)
      const location = urls.link(`/tags/${tag.databaseId}`)
      return { status: 201, headers: { location }, body: serializeTag(tag, urls), language: tag.languages.tag }
    },
  }),
]
