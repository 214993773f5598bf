// What browsers send to pages: language, page number, search text and password of an event.
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Settings } from '../../basics/env.ts'
import { fullUrl } from '../../service/http/language-root.ts'
import { queryOf } from '../../service/http/query-of.ts'

/** Returns the language in the query string, which links of legacy sites have; undefined without a language of the site. */
export function readQueryLanguage(
  request: FastifyRequest,
  { languages, legacyAddresses }: Settings,
): string | undefined {
  const { wpml_language, lang } = queryOf(request)
  return legacyAddresses ? languages.find((language) => language === (wpml_language ?? lang)) : undefined
}

export const negotiateLanguage = (
  request: Pick<FastifyRequest, 'headers'>,
  { languages, defaultLanguage }: Settings,
): string => new Negotiator(request).languages([...new Set([defaultLanguage, ...languages])])[0] ?? defaultLanguage

export function readPassword({ body }: FastifyRequest): string | undefined {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' && password !== '' ? password : undefined
}

export function readPageNumber(request: FastifyRequest): number {
  const { page } = queryOf(request)
  // The limit avoids integer overflow: no list has so many pages.
  return typeof page === 'string' && /^0*[1-9]\d*$/.test(page) ? Math.min(Number(page), 999_999_999) : 1
}

/** At most the first 200 characters and 30 words: the APIs refuse more words, and people paste whole sentences. */
export function readSearchText(request: FastifyRequest): string | undefined {
  const { search } = queryOf(request)
  const text = typeof search === 'string' ? search.replaceAll('\0', '').trim().slice(0, 200).toWellFormed() : ''
  const last = [...text.matchAll(/[\p{L}\p{M}\p{N}\p{S}]+/gu)][29]
  return (last ? text.slice(0, last.index + last[0].length) : text) || undefined
}

export const isRequestById = (request: FastifyRequest) => queryOf(request).p !== undefined

/** Returns the path of the URL with its language prefix, such as `/fr`. */
export const pathOf = (request: FastifyRequest) => fullUrl(request).split('?', 1)[0] ?? ''
