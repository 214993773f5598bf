// Pages with a form for people who sign in. They work without scripts, and nothing keeps a copy of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../../basics/env.ts'
import type { Environment } from '../../../service/context.ts'
import { isFromOtherSite } from '../../../service/http/csrf.ts'
import { handleRequest } from '../../../service/http/handle-request.ts'
import { languageOfRoot, rootPrefix } from '../../../service/http/language-root.ts'
import { queryOf } from '../../../service/http/query-of.ts'
import { toRequestError } from '../../../service/http/write-errors.ts'
import { sendRenderedPage } from '../document.ts'
import { prepareErrorReply } from '../error-page.ts'
import { messagesOf } from '../messages.ts'
import { filePath, formatQueryString, type Page, type PageContext } from '../page.ts'
import { negotiateLanguage } from '../request-parameters.ts'

export interface FormRequest extends PageContext {
  readonly environment: Environment
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Returns a field of the form or a query parameter; empty if it is missing. */
  readonly field: (name: string) => string
}

export interface FormPage {
  /** Without the language, such as `/sign-in`. */
  readonly path: string
  readonly title: (form: FormRequest) => string
  readonly body: (form: FormRequest) => string
  /** Does what the form is for, and returns the path to go to. */
  readonly submit: (form: FormRequest) => Promise<string>
}

/** Responds to GET with the form, and to POST with a redirect, or with the form and what is wrong. */
export async function handleForm(
  page: FormPage,
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { settings } = environment
  const language = languageOfRoot(request) ?? negotiateLanguage(request, settings)
  const values = { ...queryOf(request), ...(request.body as object | undefined) } as Record<string, unknown>
  const field = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, 1000) : ''
  }
  const form: FormRequest = {
    ...{ environment, settings, language, request, reply, field },
    messages: messagesOf(language),
  }
  reply.header('cache-control', 'no-store')
  const show = (status: number, problem?: string) => sendRenderedPage(reply, pageOf(page, form, status, problem), form)
  if (request.method !== 'POST') return show(200)
  if (isFromOtherSite(request, { ...settings, corsOrigins: [] })) return show(403, form.messages.unreadable)
  try {
    const handle = () => page.submit(form)
    const target = await handleRequest(environment, request, { source: 'page', rateLimit: 'write', handle })
    return reply.redirect(target, 303)
  } catch (error) {
    const { status, word } = prepareErrorReply(toRequestError(error, request, false), reply)
    // With 401, the browser would ask for a password in a window of its own.
    reply.removeHeader('www-authenticate')
    return show(status === 401 ? 403 : status, form.messages[word])
  }
}

function pageOf({ path, title, body }: FormPage, form: FormRequest, status: number, problem?: string): Page {
  const { settings, field } = form
  const query = formatQueryString({ next: field('next') || undefined })
  const text = title(form)
  return {
    status,
    title: problem === undefined ? text : `${problem} ${text}`,
    indexed: false,
    languages: settings.languages.map((language) => ({
      ...{ language, own: true },
      url: `${settings.publicUrl}/${language}${path}${query}`,
    })),
    body: html`<div class="wrap account"><h1>${text}</h1>
!${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
!${body(form)}</div>`,
  }
}

/** Returns the path in the language of the request, below the path of PUBLIC_URL. */
export const localPath = (path: string, { request, settings }: Pick<FormRequest, 'request' | 'settings'>): string =>
  filePath(`${rootPrefix(request)}${path}`, settings)

/** Returns the path that the parameter `next` names, if it is one of this site; otherwise the editor. */
export function nextPath({ field, settings }: Pick<FormRequest, 'field' | 'settings'>): string {
  return readLocalPath(field('next'), settings) ?? filePath('/edit/', settings)
}

/** Parses a path as browsers do, which read `\` as `/` and skip line breaks. Undefined if it leads to another site. */
function readLocalPath(text: string, { publicUrl }: Settings): string | undefined {
  const url = text.startsWith('/') ? URL.parse(text, publicUrl) : null
  if (!url || url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
