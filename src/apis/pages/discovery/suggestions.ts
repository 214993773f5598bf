// Completions of a search, in the format of OpenSearch suggestions: for browsers, and for the script of the search form.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PageSuggestionsDocument } from '../../../generated/graphql/graphql.ts'
import type { Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { handleVisitorRead } from '../../../service/http/handle-read.ts'
import { queryOf } from '../../../service/http/query-of.ts'
import { suggestionsPath, suggestionsType } from '../page.ts'

/** The maximum of searchSuggestions. */
const maxLength = 100

/** What visitors may see, whoever requests it. A blank prefix has no suggestions. */
export function sendSuggestions(
  request: FastifyRequest,
  reply: FastifyReply,
  language: string,
  environment: Environment,
  execute: Execute,
) {
  const prefix = prefixOf(request)
  const key = `${suggestionsPath(language)}?${prefix}`
  return handleVisitorRead(environment, request, reply, key, async (contextIn) => {
    const context = await contextIn(language)
    const { searchSuggestions } =
      prefix === '' ? { searchSuggestions: [] } : await execute(PageSuggestionsDocument, { prefix }, context)
    const texts = searchSuggestions.map(({ text }) => text)
    const urls = searchSuggestions.map(({ url }) => url)
    const headers = { 'content-type': `${suggestionsType}; charset=utf-8` }
    return { headers, body: Buffer.from(JSON.stringify([prefix, texts, [], urls])) }
  })
}

function prefixOf(request: FastifyRequest): string {
  const { prefix } = queryOf(request)
  return typeof prefix === 'string' ? prefix.replaceAll('\0', '').trim().slice(0, maxLength).toWellFormed() : ''
}
