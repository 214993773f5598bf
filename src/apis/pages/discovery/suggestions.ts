// Completions of a search, in the format of OpenSearch suggestions: for browsers, and for the script of the search form.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../../../engine/cache/response-cache.ts'
import { PageSuggestionsDocument } from '../../../generated/graphql/graphql.ts'
import { createContext, type Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { handleCached } from '../../../service/http/handle-request.ts'
import { queryOf } from '../../../service/http/query-of.ts'
import { addVary } from '../../../service/http/vary.ts'
import { replicaReads } from '../../../service/http/write-position.ts'
import { suggestionsPath, suggestionsType } from '../page.ts'

interface SuggestionsRoute {
  readonly environment: Environment
  readonly execute: Execute
  readonly language: string
}

/** The maximum of searchSuggestions. */
const maxLength = 100

/** What visitors may see, whoever requests it. A blank prefix has no suggestions. */
export function sendSuggestions(
  request: FastifyRequest,
  reply: FastifyReply,
  { environment, execute, language }: SuggestionsRoute,
) {
  const prefix = prefixOf(request)
  addVary(reply, 'Authorization')
  return handleCached(environment, request, reply, {
    cacheKey: request.headers.authorization === undefined ? `${suggestionsPath(language)}?${prefix}` : undefined,
    rateLimit: 'read',
    isShareable: () => true,
    async handle(_caller, recorder) {
      const context = await createContext(environment, {
        viewer: undefined,
        language,
        recorder,
        replicaReads: replicaReads(environment.replicas, request),
      })
      const { searchSuggestions } =
        prefix === '' ? { searchSuggestions: [] } : await execute(PageSuggestionsDocument, { prefix }, context)
      const texts = searchSuggestions.map(({ text }) => text)
      const urls = searchSuggestions.map(({ url }) => url)
      const body = Buffer.from(JSON.stringify([prefix, texts, [], urls]))
      const headers = { 'content-type': `${suggestionsType}; charset=utf-8`, 'cache-control': 'no-cache' }
      return { status: 200, headers, body, etag: etagOf(body) }
    },
  })
}

function prefixOf(request: FastifyRequest): string {
  const { prefix } = queryOf(request)
  return typeof prefix === 'string' ? prefix.replaceAll('\0', '').trim().slice(0, maxLength).toWellFormed() : ''
}
