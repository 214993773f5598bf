// Sends pages and error pages to browsers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import Negotiator from 'negotiator'
import { createContext, type Environment } from '../context.ts'
import { nextMidnight } from '../dates/whole-days.ts'
import type { Settings } from '../env.ts'
import { DomainError, type ErrorCode, notFound } from '../errors.ts'
import type { Execute } from '../graphql/execute.ts'
import { addCdnHeaders } from '../http/cdn-headers.ts'
import { handleRequest } from '../http/handle-request.ts'
import { queryOf } from '../http/query-of.ts'
import { addVary } from '../http/vary.ts'
import { replicaReads } from '../http/write-position.ts'
import type { Recorder, WithValidity } from '../response-cache/response-cache.ts'
import { apiHeaders } from './api-links.ts'
import { nextEvents } from './components.ts'
import { renderDocument } from './document.ts'
import { messagesOf } from './messages.ts'
import { homeLinks, homeUrl, type Page, type PageContext, type PageRequest } from './page.ts'
import { searchForm } from './search-form.ts'

export interface PageRoute {
  readonly environment: Environment
  readonly execute: Execute
  /** Language in the path, if there is one. */
  readonly root: string | undefined
  render(pageRequest: PageRequest, request: FastifyRequest): Promise<Page>
}

/** Sends the requested page, a redirect to its canonical URL, or an error page. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  pageRoute: PageRoute,
): Promise<FastifyReply> {
  const { environment, execute, root, render } = pageRoute
  const { settings } = environment
  const isHome = root === undefined && pathOf(request) === '/'
  const language =
    requestedLanguage(request, settings) ??
    root ??
    (isHome ? negotiatedLanguage(request, settings) : settings.defaultLanguage)
  const pageContext: PageContext = { settings, language, messages: messagesOf(language) }
  addVary(reply, isHome ? 'Accept-Language, Authorization' : 'Authorization')
  try {
    const password = passwordOf(request)
    const { result: page, validity } = await handleRequest(environment, request, {
      rateLimit: 'read',
      async handle(caller) {
        const isPublic = caller.viewer === undefined && password === undefined
        const produced = await track(pageRoute, isPublic, async (recorder) => {
          const context = await caller.createContext({ language, password, recorder })
          return render(
            { ...pageContext, execute, context, page: pageNumber(request), search: searchText(request), password },
            request,
          )
        })
        reply.header('cache-control', isPublic ? 'no-cache' : 'private, no-store')
        return produced
      },
    })
    const canonical = canonicalRedirect(page, request, settings)
    if (canonical !== undefined) return reply.redirect(canonical, 301)
    addCdnHeaders(request, reply.code(page.status ?? 200), validity, environment)
    return send(reply, page, pageContext)
  } catch (error) {
    return sendError(error, request, reply, pageContext, pageRoute)
  }
}

/** Records what a page of a visitor depends on: then a CDN may keep it, and its counts are cached. */
async function track(
  { environment: { cache, settings, now } }: PageRoute,
  isPublic: boolean,
  produce: (recorder?: Recorder) => Promise<Page>,
): Promise<WithValidity<Page>> {
  if (!isPublic) return { result: await produce(), validity: undefined }
  const time = now()
  return cache.track(time, (recorder) => {
    // Pages show which events are over, and which day is today.
    recorder?.addDependencies({ kinds: new Set(), records: new Map(), comparesTimes: true })
    recorder?.expiresAt(nextMidnight(time, settings.siteTimeZone))
    return produce(recorder)
  })
}

/** The language in the query, as clients of the reference send it. It leads to the page in that language. */
export function requestedLanguage(
  request: FastifyRequest,
  { languages, legacyAddresses }: Settings,
): string | undefined {
  const { wpml_language, lang } = queryOf(request)
  return legacyAddresses ? languages.find((language) => language === (wpml_language ?? lang)) : undefined
}

/** The language of the site that the browser prefers. */
const negotiatedLanguage = (request: FastifyRequest, { languages, defaultLanguage }: PageContext['settings']): string =>
  new Negotiator(request).languages([...new Set([defaultLanguage, ...languages])])[0] ?? defaultLanguage

function passwordOf({ body }: FastifyRequest): string | undefined {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' && password !== '' ? password : undefined
}

export function pageNumber(request: FastifyRequest): number {
  const { page } = queryOf(request)
  // Larger numbers are limited: such a page does not exist either way.
  return typeof page === 'string' && /^0*[1-9]\d*$/.test(page) ? Math.min(Number(page), 999_999_999) : 1
}

/** Longer texts are cut: a search has a few words. */
function searchText(request: FastifyRequest): string | undefined {
  const { search } = queryOf(request)
  const text = typeof search === 'string' ? search.replaceAll('\0', '').trim().slice(0, 200).toWellFormed() : ''
  return text === '' ? undefined : text
}

const isRequestById = (request: FastifyRequest) => queryOf(request).p !== undefined

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''

/** The canonical URL, if the request used another one: an old slug, the slug of another language, no trailing slash. */
function canonicalRedirect({ url }: Page, request: FastifyRequest, settings: Settings): string | undefined {
  const { publicUrl, pagesUrl } = settings
  const requestedPath = pathOf(request)
  // The landing page is always at PUBLIC_URL; records may be at PAGES_URL.
  const [base] = [publicUrl, pagesUrl].filter((site) => url?.startsWith(`${site}/`)).sort((a, b) => b.length - a.length)
  if (base === undefined || url === undefined || request.method === 'POST') return undefined
  const [path = '', ownQuery] = url.slice(base.length).split('?', 2)
  if (isRequestById(request)) return ownQuery === undefined ? url : undefined
  const isNegotiated = requestedPath === '/' && requestedLanguage(request, settings) === undefined
  if (isNegotiated || decoded(path) === decoded(requestedPath)) return undefined
  // The landing page has its parameters in its URL.
  if (ownQuery !== undefined) return url
  const [page, search] = [pageNumber(request), searchText(request)]
  const query = new URLSearchParams({ ...(search && { search }), ...(page > 1 && { page: String(page) }) })
  return query.size === 0 ? url : `${url}?${query}`
}

const decoded = (path: string) => (path.includes('%') ? decodeURI(path) : path)

const errorMessages: Partial<
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

async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pageContext: PageContext,
  route: Pick<PageRoute, 'environment' | 'execute'>,
): Promise<FastifyReply> {
  const { status, word } = describeError(error, reply)
  const page = errorPage(status, pageContext.messages[word], pageContext)
  const events = [403, 404, 410].includes(status) ? await eventsForVisitors(request, pageContext, route) : ''
  return send(reply, { ...page, body: page.body + events }, pageContext)
}

/** The status of an error and the name of its message. Adds its headers to the reply, and logs it if it is unexpected. */
export function describeError(error: unknown, reply: FastifyReply) {
  const { code, data } = error instanceof DomainError ? error : {}
  const [status, word] = (code && errorMessages[code]) ?? ([500, 'broken'] as const)
  if (status >= 500) reply.log.error({ err: error }, 'page failed')
  if (status === 401) reply.header('www-authenticate', 'Basic realm="events"')
  if (data?.retryAfter !== undefined) reply.header('retry-after', String(data.retryAfter))
  reply.header('cache-control', 'no-store')
  return { status, word }
}

const errorPage = (status: number, message: string, pageContext: PageContext): Page => ({
  status,
  title: message,
  indexed: false,
  languages: homeLinks(pageContext),
  hasSearch: true,
  body: html`<div class="wrap intro"><h1>${message}</h1>
<p class="lead"><a href="${homeUrl(pageContext.language, pageContext.settings)}">${pageContext.messages.home}</a></p>
!${searchForm(pageContext)}</div>`,
})

/** What visitors find at other addresses: the next events. Empty if they cannot be read. */
async function eventsForVisitors(
  request: FastifyRequest,
  pageContext: PageContext,
  { environment, execute }: Pick<PageRoute, 'environment' | 'execute'>,
): Promise<string> {
  try {
    const context = await createContext(environment, {
      viewer: undefined,
      language: pageContext.language,
      replicaReads: replicaReads(environment.replicas, request),
    })
    return await nextEvents({ ...pageContext, execute, context })
  } catch (error) {
    request.log.warn({ err: error }, 'an error page has no events')
    return ''
  }
}

/** Sends an error page for an error of Fastify: an oversized body, an unsupported content type, a timeout. */
export function sendErrorPage(status: number, reply: FastifyReply, pageRoute: Pick<PageRoute, 'environment' | 'root'>) {
  const { settings } = pageRoute.environment
  const language = pageRoute.root ?? settings.defaultLanguage
  const pageContext: PageContext = { settings, language, messages: messagesOf(language) }
  reply.header('cache-control', 'no-store')
  return send(
    reply,
    errorPage(status, pageContext.messages[status < 500 ? 'unreadable' : 'later'], pageContext),
    pageContext,
  )
}

/** Sends an HTML error page to a browser that requests an unknown path. Returns undefined for other clients. */
export function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Pick<PageRoute, 'environment' | 'execute'>,
): Promise<FastifyReply> | undefined {
  if (request.method !== 'GET' || !(request.headers.accept ?? '').includes('text/html')) return undefined
  const { environment } = route
  const { settings } = environment
  addVary(reply, 'Accept, Accept-Language')
  const [, first = ''] = pathOf(request).split('/')
  const language = settings.languages.includes(first) ? first : negotiatedLanguage(request, settings)
  const pageContext: PageContext = { settings, language, messages: messagesOf(language) }
  const notThere = async (): Promise<FastifyReply> => {
    throw notFound('event', 'slug')
  }
  return handleRequest(environment, request, { rateLimit: 'read', handle: notThere }).catch((error: unknown) =>
    sendError(error, request, reply, pageContext, route),
  )
}

/** Images may be on any host; on a site without TLS also over plain HTTP. */
export const imageSources = ({ publicUrl }: Settings): string =>
  `'self' ${publicUrl.startsWith('http:') ? 'https: http:' : 'https:'}`

function send(reply: FastifyReply, page: Page, pageContext: PageContext): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .headers({
      'content-language': pageContext.language,
      'content-security-policy': `default-src 'none'; ${page.hasSearch ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'self'; img-src ${imageSources(pageContext.settings)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      ...apiHeaders({ ...page, ...pageContext }),
    })
    .send(renderDocument(page, pageContext))
}
