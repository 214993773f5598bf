// Widgets for other sites: `/embed/…`. They are the only pages that may be shown in a frame.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import { badInputError, DomainError, notAccessibleError, notFoundError } from '../../basics/errors.ts'
import { operationLanguage } from '../../basics/language.ts'
import { PageEventDocument, type PageEventFragment, PageEventsDocument } from '../../generated/graphql/graphql.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { handleVisitorRead } from '../../service/http/handle-read.ts'
import { languageOfRoot } from '../../service/http/language-root.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { toRequestError } from '../../service/http/write-errors.ts'
import { createFeedFilter, hasDateParams, readFeedParams } from '../feeds/params.ts'
import {
  escapeHtml,
  eventCardsHtml,
  langAttribute,
  paginationHtml,
  previewText,
  venueNames,
} from '../pages/components.ts'
import { eventTimeHtml } from '../pages/date-format.ts'
import { frameAncestorPolicy, imageSourcePolicy } from '../pages/document.ts'
import { prepareErrorReply } from '../pages/error-page.ts'
import { eventStateNoteHtml, eventStateText, titleWithStateHtml } from '../pages/event-state.ts'
import { messagesOf } from '../pages/messages.ts'
import { homeUrl, type PageRequest } from '../pages/page.ts'
import { pagePictureHtml } from '../pages/picture.ts'
import type { PostIdOrSlug } from '../pages/post-page.ts'
import { eventPaths, readRecordPath } from '../pages/record-pages.ts'
import { readPageNumber } from '../pages/request-parameters.ts'
import { LegacyError } from '../rest/errors.ts'
import { renderWidget, type Theme, themes, type Widget } from './document.ts'

type RenderWidget = (pageRequest: PageRequest, request: FastifyRequest) => Promise<Widget>

export function embedPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { settings } = environment
  const registerWidgets = async (scope: FastifyInstance) => {
    scope.addHook('onRequest', async (_request, reply) => {
      if (settings.embedOrigins !== 'none') reply.removeHeader('x-frame-options')
    })
    scope.setErrorHandler((error, request, reply) => sendWidgetError(error, request, reply, settings))
    const widget = (path: string, render: RenderWidget) =>
      scope.get(path, { config: { hasLanguageRoots: true } }, (request, reply) =>
        sendWidget(request, reply, render, environment, execute),
      )
    widget('/events', eventsWidget)
    for (const path of eventPaths) {
      widget(path, (pageRequest, { params }) => eventWidget(readRecordPath(params), pageRequest))
    }
  }
  app.register(registerWidgets, { prefix: '/embed' })
}

/** Sends the widget as anonymous visitors see it: credentials that the browser remembers for this site are ignored. */
function sendWidget(
  request: FastifyRequest,
  reply: FastifyReply,
  render: RenderWidget,
  environment: Environment,
  execute: Execute,
) {
  const { settings } = environment
  const theme = themeOf(request)
  const { translation_language: parameter } = queryOf(request)
  const language = operationLanguage({ parameter, root: languageOfRoot(request) }, settings)
  return handleVisitorRead(environment, request, reply, async (contextIn) => {
    const context = await contextIn(language)
    const part = { page: readPageNumber(request), search: undefined, password: undefined }
    const pageRequest = { settings, language, messages: messagesOf(language), ...part, execute, context }
    const body = Buffer.from(renderWidget(await render(pageRequest, request), { settings, language, theme }))
    return { headers: headersOf(language, settings), body }
  })
}

function themeOf(request: FastifyRequest): Theme | undefined {
  const { theme } = queryOf(request)
  const validTheme = themes.find((name) => name === theme)
  if (theme !== undefined && validTheme === undefined)
    throw badInputError({ theme: `theme must be ${themes.join(' or ')}.` })
  return validTheme
}

const headersOf = (language: string, settings: Settings) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'content-security-policy': `default-src 'none'; style-src 'self'; img-src ${imageSourcePolicy(settings)}; form-action 'none'; base-uri 'none'; frame-ancestors ${frameAncestorPolicy(settings)}`,
  'x-content-type-options': 'nosniff',
})

function sendWidgetError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, settings: Settings) {
  const error = toRequestError(thrown, request, false)
  const mistake = mistakeIn(error)
  const described = prepareErrorReply(mistake === undefined ? error : badInputError({}), reply)
  const language = languageOfRoot(request) ?? settings.defaultLanguage
  const messages = messagesOf(language)
  const [status, title] = mistake === undefined ? [described.status, messages[described.word]] : [400, mistake]
  const url = homeUrl(language, settings)
  const body = html`<p>${title} <a href="${url}">${messages.home}</a></p>`
  return reply
    .code(status)
    .headers(headersOf(language, settings))
    .header('cache-control', 'no-store')
    .send(renderWidget({ title, url, body }, { settings, language, theme: undefined }))
}

/** Returns the message of an error about parameters, for authors of the embedding site; undefined for other errors. */
function mistakeIn(error: unknown): string | undefined {
  const isBadInput = error instanceof DomainError && error.code === 'BAD_INPUT'
  const mistakes = isBadInput ? error.data.fields : error instanceof LegacyError ? error.data.params : undefined
  if (mistakes === undefined) return undefined
  return Object.entries(mistakes as Readonly<Record<string, string>>)
    .map(([name, text]) => (text.startsWith(name) ? text : `${name}: ${text}`))
    .join(' ')
}

/** Renders a list of events with the filters of the REST API. Without a date filter, events that are over are left out. */
async function eventsWidget(pageRequest: PageRequest, request: FastifyRequest): Promise<Widget> {
  const { execute, context, settings, language, messages, page } = pageRequest
  const { theme: _, page: __, password: ___, ...filters } = queryOf(request)
  const params = readFeedParams(filters, context.now, settings)
  const { filter: ownFilter, expiresAt } = createFeedFilter(params, context.now, settings)
  context.recorder?.expiresAt(expiresAt)
  const isUpcoming = !hasDateParams(filters)
  // Widgets have no form for a password, so they leave out protected events.
  const filter = {
    ...ownFilter,
    locked: false,
    occurrences: 'NEXT' as const,
    ...(isUpcoming && { when: 'UPCOMING' as const }),
  }
  const perPage = Math.min(params.per_page ?? settings.perPageDefault, settings.perPageMax)
  const { eventsPage } = await execute(PageEventsDocument, { page, perPage, filter }, context)
  if (page > 1 && eventsPage.items.length === 0) throw notFoundError('event', 'id')
  const pageUrl = (to: number) => `?${queryOfPage(request.raw.url ?? '', to)}`
  const { items, totalPages } = eventsPage
  const url = homeUrl(language, settings)
  return {
    title: settings.siteName,
    url,
    body: html`<h1><a href="${url}">${settings.siteName}</a></h1>
<section aria-labelledby="events">
<h2 id="events">${isUpcoming ? messages.upcomingEvents : messages.events}</h2>
!${items.length === 0 ? html`<p>${isUpcoming ? messages.noEvents : messages.noSuchEvents}</p>` : eventCardsHtml(items, pageRequest)}
!${paginationHtml({ page, totalPages, url: pageUrl, target: '_self' }, pageRequest)}
</section>`,
  }
}

function queryOfPage(url: string, page: number): string {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  query.set('page', String(page))
  return String(query)
}

async function eventWidget(target: PostIdOrSlug, pageRequest: PageRequest): Promise<Widget> {
  const { event } = await pageRequest.execute(PageEventDocument, target, pageRequest.context)
  if (!event) throw notFoundError('event', 'slug' in target ? 'slug' : 'id')
  // Widgets have no form for a password: visitors enter the password on the page of the event.
  if (event.locked) throw notAccessibleError('event')
  return {
    title: eventStateText(event, pageRequest) + event.title,
    url: event.url,
    body: eventCard(event, pageRequest),
  }
}

function eventCard(event: PageEventFragment, pageRequest: PageRequest): string {
  const { language } = pageRequest
  const lines = [
    eventTimeHtml(event, language),
    escapeHtml(venueNames(event).join(' · ')),
    escapeHtml(previewText(event.excerptHtml, event.descriptionHtml)),
  ]
  return html`<article>
!${pagePictureHtml(event.image, pageRequest)}
<h1!${langAttribute(event.languages.tag, pageRequest)}><a href="${event.url}">!${titleWithStateHtml(event, pageRequest)}</a></h1>
!${eventStateNoteHtml(event, pageRequest)}
!${lines.filter(Boolean).map((line) => html`<p>!${line}</p>`)}
</article>`
}
