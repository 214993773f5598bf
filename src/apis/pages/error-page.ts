// Sends error pages to browsers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { DomainError, type ErrorCode, notFoundError } from '../../basics/errors.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { createVisitorContext } from '../../service/http/handle-read.ts'
import { handleRequest } from '../../service/http/handle-request.ts'
import { languageOfRoot } from '../../service/http/language-root.ts'
import { addVary } from '../../service/http/response-headers.ts'
import { withResponseDeadline } from '../../service/http/timeouts.ts'
import { toRequestError } from '../../service/http/write-errors.ts'
import { nextEventsHtml, searchFormHtml } from './components.ts'
import { sendRenderedPage } from './document.ts'
import { messagesOf } from './messages.ts'
import { homePageLanguages, homeUrl, type Page, type PageContext } from './page.ts'
import { negotiateLanguage } from './request-parameters.ts'

interface ErrorPageRoute {
  readonly environment: Environment
  readonly execute: Execute
}

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

export async function sendPageForError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pageContext: PageContext,
  route: ErrorPageRoute,
): Promise<FastifyReply> {
  const { status, word } = prepareErrorReply(toRequestError(error, request, false), reply)
  const page = errorPage(status, pageContext.messages[word], pageContext)
  const events = [403, 404, 410].includes(status) ? await eventsForVisitors(request, pageContext, route) : ''
  return sendRenderedPage(reply, { ...page, body: page.body + events }, pageContext)
}

/** Returns status and message name of an error. Sets the headers of the reply, and logs an unexpected error. */
export function prepareErrorReply(error: unknown, reply: FastifyReply) {
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
  languages: homePageLanguages(pageContext),
  script: 'suggestions',
  body: html`<div class="wrap intro"><h1>${message}</h1>
<p class="lead"><a href="${homeUrl(pageContext.language, pageContext.settings)}">${pageContext.messages.home}</a></p>
!${searchFormHtml(pageContext)}</div>`,
})

/** Returns the next events as HTML for an error page; empty if reading them fails, too. */
async function eventsForVisitors(
  request: FastifyRequest,
  pageContext: PageContext,
  { environment, execute }: ErrorPageRoute,
): Promise<string> {
  try {
    const context = await createVisitorContext(environment, request, pageContext)
    return await withResponseDeadline(request, () => nextEventsHtml({ ...pageContext, execute, context }))
  } catch (error) {
    request.log.warn({ err: error }, 'an error page has no events')
    return ''
  }
}

/** Sends an error page for an error of Fastify: an oversized body, an unsupported content type, a timeout. */
export function sendErrorPage(status: number, request: FastifyRequest, reply: FastifyReply, { settings }: Environment) {
  const language = languageOfRoot(request) ?? settings.defaultLanguage
  const pageContext: PageContext = { settings, language, messages: messagesOf(language) }
  reply.header('cache-control', 'no-store')
  return sendRenderedPage(
    reply,
    errorPage(status, pageContext.messages[status < 500 ? 'unreadable' : 'later'], pageContext),
    pageContext,
  )
}

/** Sends an HTML error page to a browser that requests an unknown path. Returns undefined for other clients. */
export function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  route: ErrorPageRoute,
): Promise<FastifyReply> | undefined {
  if (request.method !== 'GET' || !(request.headers.accept ?? '').includes('text/html')) return undefined
  const { environment } = route
  const { settings } = environment
  addVary(reply, 'Accept, Accept-Language')
  const language = languageOfRoot(request) ?? negotiateLanguage(request, settings)
  const pageContext: PageContext = { settings, language, messages: messagesOf(language) }
  const handle = async (): Promise<FastifyReply> => {
    throw notFoundError('event', 'slug')
  }
  return handleRequest(environment, request, { source: 'page', rateLimit: 'read', handle }).catch((error: unknown) =>
    sendPageForError(error, request, reply, pageContext, route),
  )
}
