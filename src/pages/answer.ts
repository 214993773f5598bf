// From a browser's request to a page.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import Negotiator from 'negotiator'
import type { Environment } from '../context.ts'
import type { Settings } from '../env.ts'
import { DomainError, type ErrorCode } from '../errors.ts'
import type { Execute } from '../graphql/execute.ts'
import { handleRequest } from '../http/handle-request.ts'
import { addVary } from '../http/vary.ts'
import { documentOf, homeOf, homes, type Page, type Place, type Visit } from './page.ts'
import { wordsOf } from './words.ts'

export interface Door {
  readonly environment: Environment
  readonly execute: Execute
  /** Language of the root in the path. */
  readonly root: string | undefined
  render(visit: Visit, request: FastifyRequest): Promise<Page>
}

/** The page that was asked for, in its language, or one that says why there is none. */
export async function answer(request: FastifyRequest, reply: FastifyReply, door: Door): Promise<FastifyReply> {
  const { environment, execute, root, render } = door
  const { settings } = environment
  const isHome = root === undefined && pathOf(request) === '/'
  const language = root ?? (isHome ? wantedLanguage(request, settings) : settings.defaultLanguage)
  const place: Place = { settings, language, words: wordsOf(language) }
  addVary(reply, isHome ? 'Accept-Language, Authorization' : 'Authorization')
  try {
    const password = passwordIn(request)
    const page = await handleRequest(environment, request, {
      rateLimit: 'read',
      async handle(caller) {
        const context = await caller.createContext({ language, password })
        const rendered = await render({ ...place, execute, context, page: pageNumber(request), password }, request)
        const isPublic = caller.viewer === undefined && password === undefined
        reply.header('cache-control', isPublic ? 'no-cache' : 'private, no-store')
        return rendered
      },
    })
    const elsewhere = ownAddress(page, request, settings)
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 301)
    return send(reply, page, place)
  } catch (error) {
    return refuse(error, reply, place)
  }
}

/** The language that the browser asks for first among those of the site. */
const wantedLanguage = (request: FastifyRequest, { languages, defaultLanguage }: Place['settings']): string =>
  new Negotiator(request).languages([...new Set([defaultLanguage, ...languages])])[0] ?? defaultLanguage

function passwordIn({ body }: FastifyRequest): string | undefined {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' && password !== '' ? password : undefined
}

function pageNumber({ query }: FastifyRequest): number {
  const { page } = query as { page?: unknown }
  // There are fewer pages than that, as the answer to any larger number says.
  return typeof page === 'string' && /^0*[1-9]\d*$/.test(page) ? Math.min(Number(page), 999_999_999) : 1
}

const isNumbered = ({ query }: FastifyRequest) => (query as { p?: unknown }).p !== undefined

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''

/** Where a page is, if it was asked for by another address: another slug, another language's, no last slash. */
function ownAddress({ url }: Page, request: FastifyRequest, { publicUrl, pagesUrl }: Settings): string | undefined {
  const asked = pathOf(request)
  // The landing page is always here, the records may be elsewhere.
  const [base] = [publicUrl, pagesUrl].filter((site) => url?.startsWith(`${site}/`)).sort((a, b) => b.length - a.length)
  if (base === undefined || url === undefined || request.method === 'POST') return undefined
  const own = url.slice(base.length)
  if (isNumbered(request)) return own.includes('?') ? undefined : url
  if (asked === '/' || decoded(own) === decoded(asked)) return undefined
  const page = pageNumber(request)
  return page === 1 ? url : `${url}?page=${page}`
}

const decoded = (path: string) => (path.includes('%') ? decodeURI(path) : path)

const refusals: Partial<
  Record<ErrorCode, readonly [status: number, word: 'notFound' | 'notPublic' | 'gone' | 'signIn' | 'later']>
> = {
  NOT_FOUND: [404, 'notFound'],
  WRONG_KIND: [404, 'notFound'],
  BAD_INPUT: [404, 'notFound'],
  NOT_ACCESSIBLE: [403, 'notPublic'],
  TRASHED: [410, 'gone'],
  UNAUTHENTICATED: [401, 'signIn'],
  TOO_MANY_REQUESTS: [429, 'later'],
  UNAVAILABLE: [503, 'later'],
  INSUFFICIENT_STORAGE: [507, 'later'],
}

function refuse(error: unknown, reply: FastifyReply, place: Place): FastifyReply {
  const { code, data } = error instanceof DomainError ? error : {}
  const [status, word] = (code && refusals[code]) ?? ([500, 'broken'] as const)
  if (status >= 500) reply.log.error({ err: error }, 'a page could not be shown')
  if (status === 401) reply.header('www-authenticate', 'Basic realm="events"')
  if (data?.retryAfter !== undefined) reply.header('retry-after', String(data.retryAfter))
  reply.header('cache-control', 'no-store')
  return send(reply, refusal(status, place.words[word], place), place)
}

const refusal = (status: number, message: string, place: Place): Page => ({
  status,
  title: message,
  indexed: false,
  languages: homes(place),
  body: html`<h1>${message}</h1>
<p><a href="${homeOf(place.language, place.settings)}">${place.words.home}</a></p>`,
})

/** A page for what went wrong around the making of one: a body that is too long or in no form that pages have, time. */
export function failurePage(status: number, reply: FastifyReply, door: Pick<Door, 'environment' | 'root'>) {
  const { settings } = door.environment
  const language = door.root ?? settings.defaultLanguage
  const place: Place = { settings, language, words: wordsOf(language) }
  reply.header('cache-control', 'no-store')
  return send(reply, refusal(status, place.words[status < 500 ? 'unreadable' : 'later'], place), place)
}

/** A page for a browser that asks for an address where nothing is; undefined for anything else that asks. */
export function missingPage(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): FastifyReply | undefined {
  if (request.method !== 'GET' || !(request.headers.accept ?? '').includes('text/html')) return undefined
  addVary(reply, 'Accept, Accept-Language')
  const [, first = ''] = pathOf(request).split('/')
  const language = settings.languages.includes(first) ? first : wantedLanguage(request, settings)
  const place: Place = { settings, language, words: wordsOf(language) }
  reply.header('cache-control', 'no-store')
  return send(reply, refusal(404, place.words.notFound, place), place)
}

function send(reply: FastifyReply, page: Page, place: Place): FastifyReply {
  // Pictures lie wherever the records say; on a site without TLS these may have none either.
  const pictures = place.settings.publicUrl.startsWith('http:') ? 'https: http:' : 'https:'
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .headers({
      'content-language': place.language,
      'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self' ${pictures}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
    })
    .send(documentOf(page, place))
}
