// Widgets for other sites: `/embed/…`. They are the only pages that may be shown in a frame.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import { badInput, DomainError } from '../../basics/errors.ts'
import { operationLanguage } from '../../basics/language.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { handleVisitorRead } from '../../service/http/handle-read.ts'
import { rootOf } from '../../service/http/language-root.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { toRequestError } from '../../service/http/write-errors.ts'
import { describeError } from '../pages/error-page.ts'
import { messagesOf } from '../pages/messages.ts'
import { homeUrl, type PageRequest } from '../pages/page.ts'
import { pageNumber } from '../pages/request-parameters.ts'
import { frameAncestors, imageSources } from '../pages/send.ts'
import { LegacyError } from '../rest/errors.ts'
import { renderWidget, type Theme, themes, type Widget } from './document.ts'
import { eventWidget } from './event-widget.ts'
import { eventsWidget } from './events-widget.ts'

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
    widget('/event/:slug', (pageRequest, { params }) => eventWidget(params as { slug: string }, pageRequest))
  }
  app.register(registerWidgets, { prefix: '/embed' })
}

/** Shows what visitors see, whoever requests it: a browser may send remembered credentials from the frame. */
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
  const language = operationLanguage({ parameter, root: rootOf(request) }, settings)
  return handleVisitorRead(environment, request, reply, async (contextIn) => {
    const context = await contextIn(language)
    const part = { page: pageNumber(request), search: undefined, password: undefined }
    const pageRequest = { settings, language, messages: messagesOf(language), ...part, execute, context }
    const body = Buffer.from(renderWidget(await render(pageRequest, request), { settings, language, theme }))
    return { headers: headersOf(language, settings), body }
  })
}

function themeOf(request: FastifyRequest): Theme | undefined {
  const { theme } = queryOf(request)
  const validTheme = themes.find((name) => name === theme)
  if (theme !== undefined && validTheme === undefined)
    throw badInput({ theme: `theme must be ${themes.join(' or ')}.` })
  return validTheme
}

const headersOf = (language: string, settings: Settings) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'content-security-policy': `default-src 'none'; style-src 'self'; img-src ${imageSources(settings)}; form-action 'none'; base-uri 'none'; frame-ancestors ${frameAncestors(settings)}`,
  'x-content-type-options': 'nosniff',
})

function sendWidgetError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, settings: Settings) {
  const error = toRequestError(thrown, request, false)
  const mistake = mistakeIn(error)
  const described = describeError(mistake === undefined ? error : badInput({}), reply)
  const language = rootOf(request) ?? settings.defaultLanguage
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

/** What is wrong with the parameters, for the authors of the other site; undefined for other errors. */
function mistakeIn(error: unknown): string | undefined {
  const isBadInput = error instanceof DomainError && error.code === 'BAD_INPUT'
  const mistakes = isBadInput ? error.data.fields : error instanceof LegacyError ? error.data.params : undefined
  if (mistakes === undefined) return undefined
  return Object.entries(mistakes as Readonly<Record<string, string>>)
    .map(([name, text]) => (text.startsWith(name) ? text : `${name}: ${text}`))
    .join(' ')
}
