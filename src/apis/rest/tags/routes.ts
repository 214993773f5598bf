import {
  LegacyCreateTagDocument,
  LegacyDeleteTagDocument,
  LegacyTagDocument,
  LegacyTagsDocument,
  LegacyUpdateTagDocument,
} from '../../../generated/graphql/graphql.ts'
import { termFilter, termListParams, termOrder, termReferences } from '../term-list-params.ts'
import { termRoutes } from '../term-routes.ts'
import { tagBody, tagInput } from './body.ts'
import { serializeTag } from './serialize.ts'

export const tagRoutes = termRoutes('tag', {
  operations: {
    list: LegacyTagsDocument,
    read: LegacyTagDocument,
    create: LegacyCreateTagDocument,
    update: LegacyUpdateTagDocument,
    delete: LegacyDeleteTagDocument,
  },
  listParams: termListParams('tags'),
  references: (params) => ({ filter: termReferences(params) }),
  list: (params) => ({ filter: termFilter(params), orderBy: termOrder(params) }),
  body: tagBody,
  input: tagInput,
  serialize: serializeTag,
})
