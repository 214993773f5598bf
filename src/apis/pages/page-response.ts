// Sends pages to browsers, and redirects to their canonical URLs.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextMidnightMs } from '../../basics/dates/whole-days.ts'
import type { Settings } from '../../basics/env.ts'
import { DomainError } from '../../basics/errors.ts'
import type { ResponseRecorder, Validity } from '../../engine/cache/response-cache.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { addCdnHeaders } from '../../service/http/cdn-headers.ts'
import { cacheControlOf, handleRequest } from '../../service/http/handle-request.ts'
import { languageOfRoot } from '../../service/http/language-root.ts'
import { addVary } from '../../service/http/response-headers.ts'
import { sendRenderedPage } from './document.ts'
import { sendPageForError } from './error-page.ts'
import { messagesOf } from './messages.ts'
import { formatQueryString, type Page, type PageContext, type PageRequest, pageParamOf } from './page.ts'
import {
  isRequestById,
  negotiateLanguage,
  pathOf,
  readPageNumber,
  readPassword,
  readQueryLanguage,
  readSearchText,
} from './request-parameters.ts'

export interface PageRoute {
  readonly environment: Environment
  readonly execute: Execute
  render(pageRequest: PageRequest, request: FastifyRequest): Promise<Page>
  /** Path of the page on which people sign in whose session has ended. */
  readonly signIn?: string | undefined
}

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  pageRoute: PageRoute,
): Promise<FastifyReply> {
  const { environment, execute, render } = pageRoute
  const root = languageOfRoot(request)
  const { settings } = environment
  const isHome = root === undefined && pathOf(request) === '/'
  const language =
    readQueryLanguage(request, settings) ??
    root ??
    (isHome ? negotiateLanguage(request, settings) : settings.defaultLanguage)
  const pageContext: PageContext = { settings, language, messages: messagesOf(language) }
  addVary(reply, isHome ? 'Accept-Language, Authorization' : 'Authorization')
  try {
    const password = readPassword(request)
    const { result: page, validity } = await handleRequest(environment, request, {
      source: 'page',
      rateLimit: 'read',
      async handle(caller) {
        const produced = await track(pageRoute, caller.isPublic() && password === undefined, async (recorder) => {
          const context = await caller.createContext({ language, password, recorder })
          return render(
            {
              ...pageContext,
              execute,
              context,
              page: readPageNumber(request),
              search: readSearchText(request),
              password,
            },
            request,
          )
        })
        reply.header('cache-control', cacheControlOf(caller.isPublic()))
        return produced
      },
    })
    const canonical = canonicalRedirect(page, request, settings)
    if (canonical !== undefined) return reply.redirect(canonical, 301)
    addCdnHeaders(request, reply.code(page.status ?? 200), validity, environment)
    return sendRenderedPage(reply, page, pageContext)
  } catch (error) {
    const hasEnded = error instanceof DomainError && error.code === 'UNAUTHENTICATED'
    if (pageRoute.signIn && hasEnded) return reply.redirect(pageRoute.signIn)
    return sendPageForError(error, request, reply, pageContext, pageRoute)
  }
}

/** Produces a page. For anonymous visitors, also records what the page depends on, so that CDNs may cache it. */
async function track(
  { environment: { cache, settings, now } }: PageRoute,
  isPublic: boolean,
  produce: (recorder?: ResponseRecorder) => Promise<Page>,
): Promise<{ result: Page; validity: Validity | undefined }> {
  if (!isPublic) return { result: await produce(), validity: undefined }
  const time = now()
  return cache.track(time, (recorder) => {
    // Pages depend on the current time: they mark today and events that are over.
    recorder?.comparesTimes()
    recorder?.expiresAt(nextMidnightMs(time, settings.siteTimeZone))
    return produce(recorder)
  })
}

/** Returns the canonical URL if the request has another URL, such as a former slug or no trailing slash. */
function canonicalRedirect({ url, isMoved }: Page, request: FastifyRequest, settings: Settings): string | undefined {
  if (isMoved) return url
  const { publicUrl, pagesUrl } = settings
  const requestedPath = pathOf(request)
  // The landing page is always at PUBLIC_URL; records may be at PAGES_URL.
  const [base] = [publicUrl, pagesUrl].filter((site) => url?.startsWith(`${site}/`)).sort((a, b) => b.length - a.length)
  if (base === undefined || url === undefined || request.method === 'POST') return undefined
  const [path = '', ownQuery] = url.slice(base.length).split('?', 2)
  if (isRequestById(request)) return ownQuery === undefined ? url : undefined
  const isNegotiated = requestedPath === '/' && readQueryLanguage(request, settings) === undefined
  if (isNegotiated || decoded(path) === decoded(requestedPath)) return undefined
  // The URL of the landing page contains the query string already.
  if (ownQuery !== undefined) return url
  const [page, search] = [readPageNumber(request), readSearchText(request)]
  return url + formatQueryString({ search, page: pageParamOf(page) })
}

const decoded = (path: string) => (path.includes('%') ? decodeURI(path) : path)
