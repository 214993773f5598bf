import {
  LegacyCreateTagDocument,
  LegacyDeleteTagDocument,
  LegacyTagDocument,
  LegacyTagsDocument,
  LegacyUpdateTagDocument,
} from '../../../generated/graphql/graphql.ts'
import { recordRoutes } from '../record-routes.ts'
import { sortedTerms, termFilter, termListParams, termOrder, termQuery, termReferences } from '../term-list-params.ts'
import { serializeTag } from '../terms.ts'
import { tagBody, tagInput } from './body.ts'

export const tagRoutes = recordRoutes('tag', {
  operations: {
    list: LegacyTagsDocument,
    read: LegacyTagDocument,
    create: LegacyCreateTagDocument,
    update: LegacyUpdateTagDocument,
    delete: LegacyDeleteTagDocument,
  },
  list: {
    ...sortedTerms,
    params: termListParams('tags'),
    references: termReferences,
    variables: (params) => ({
      variables: { filter: termFilter(params), orderBy: termOrder(params) },
      query: termQuery(params),
    }),
  },
  body: tagBody,
  nameParam: 'name',
  input: tagInput,
  serialize: serializeTag,
})
