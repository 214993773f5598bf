// Pages with a form: signing in, the account, and proposals. They work without scripts, and no cache stores them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../../basics/env.ts'
import { DomainError } from '../../../basics/errors.ts'
import type { Context, Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { isFromOtherSite } from '../../../service/http/csrf.ts'
import { type Caller, handleRequest } from '../../../service/http/handle-request.ts'
import { languageOfRoot, rootPrefix } from '../../../service/http/language-root.ts'
import { queryOf } from '../../../service/http/query-of.ts'
import { toRequestError } from '../../../service/http/write-errors.ts'
import { sendRenderedPage } from '../document.ts'
import { prepareErrorReply, sendPageForError } from '../error-page.ts'
import { messagesOf } from '../messages.ts'
import { filePath, formatQueryString, type Page, type PageContext } from '../page.ts'
import { negotiateLanguage } from '../request-parameters.ts'

/** Context of a request for a form page. */
export interface FormRequest extends PageContext {
  readonly environment: Environment
  readonly execute: Execute
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly viewer: Caller['viewer']
  readonly createContext: () => Promise<Context>
  /** Returns a field of the form or a query parameter; empty if it is missing. */
  readonly field: (name: string) => string
  /** Names of the fields of a form that was refused because of their values. */
  readonly wrongFields?: readonly string[]
}

export interface FormPage {
  /** Without the language, such as `/sign-in`. */
  readonly path: string
  readonly title: (form: FormRequest) => string
  /** Whether the page is for people who are signed in. Others are sent to the page on which they sign in. */
  readonly isPersonal?: boolean
  readonly script?: Page['script']
  /** Query parameters that the links to the page in other languages keep, besides `next` and `token`. */
  readonly keeps?: readonly string[]
  readonly body: (form: FormRequest) => string | Promise<string>
  /** Handles GET instead of showing the form. Returns the URL to redirect to. */
  readonly visit?: (form: FormRequest) => Promise<string>
  /** Handles POST, and returns the path to redirect to. Throws FormProblem for what the person can correct. */
  readonly submit: (form: FormRequest) => Promise<string>
}

/** A validation error that the form shows, in the language of the page. */
export class FormProblem extends Error {
  readonly wrongFields: readonly string[]

  constructor(message: string, wrongFields: readonly string[] = []) {
    super(message)
    this.wrongFields = wrongFields
  }
}

/** Responds to GET with the form, and to POST with a redirect, or with the form and what is wrong. */
export async function handleForm(
  page: FormPage,
  { environment, execute }: Pick<FormRequest, 'environment' | 'execute'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { settings } = environment
  const language = languageOfRoot(request) ?? negotiateLanguage(request, settings)
  const base = { ...{ environment, execute, settings, language, request, reply }, messages: messagesOf(language) }
  const isPost = request.method === 'POST'
  reply.header('cache-control', 'no-store')
  const handle = async (caller: Caller) => {
    const createContext = () => caller.createContext({ language })
    const form: FormRequest = { ...base, viewer: caller.viewer, createContext, field: fieldsOf(request) }
    if (page.isPersonal && !caller.viewer) return reply.redirect(signInPath(page.path, form), 303)
    const act = isPost ? page.submit : page.visit
    if (!act) return show(page, form, 200)
    if (isPost && isFromOtherSite(request, { ...settings, corsOrigins: [] }))
      return show(page, form, 403, form.messages.unreadable)
    try {
      return reply.redirect(await act(form), 303)
    } catch (error) {
      if (error instanceof FormProblem) {
        const { wrongFields, message } = error
        return show(page, { ...form, wrongFields }, 422, message)
      }
      const { status, word } = prepareErrorReply(toRequestError(error, request, false), reply)
      // With 401, the browser would ask for a password in a window of its own.
      reply.removeHeader('www-authenticate')
      return show(page, form, status === 401 ? 403 : status, form.messages[word])
    }
  }
  try {
    return await handleRequest(environment, request, { source: 'page', rateLimit: isPost ? 'write' : 'read', handle })
  } catch (error) {
    const hasEnded = error instanceof DomainError && error.code === 'UNAUTHENTICATED'
    if (!hasEnded || !page.isPersonal) return sendPageForError(error, request, reply, base, base)
    return reply.redirect(signInPath(page.path, base), 303)
  }
}

function fieldsOf(request: FastifyRequest): FormRequest['field'] {
  const values = { ...queryOf(request), ...(request.body as object | undefined) } as Record<string, unknown>
  return (name) => {
    const value = values[name]
    return typeof value === 'string' ? value.replaceAll('\0', '') : ''
  }
}

async function show(page: FormPage, form: FormRequest, status: number, problem?: string): Promise<FastifyReply> {
  const { settings, field, reply } = form
  const kept = ['next', 'token', ...(page.keeps ?? [])].map((name) => [name, field(name) || undefined] as const)
  const query = formatQueryString(Object.fromEntries(kept))
  const text = page.title(form)
  const shown: Page = {
    status,
    title: problem === undefined ? text : `${problem} ${text}`,
    indexed: false,
    script: page.script,
    languages: settings.languages.map((language) => ({
      ...{ language, own: true },
      url: `${settings.publicUrl}/${language}${page.path}${query}`,
    })),
    body: html`<div class="wrap account"><h1>${text}</h1>
!${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
!${await page.body(form)}</div>`,
  }
  return sendRenderedPage(reply, shown, form)
}

type Located = Pick<FormRequest, 'request' | 'settings'>

/** Returns the path in the language of the request, below the path of PUBLIC_URL. */
export const localPath = (path: string, { request, settings }: Located): string =>
  filePath(`${rootPrefix(request)}${path}`, settings)

/** Returns the path of the page on which people sign in, which leads to `path` afterwards. */
export const signInPath = (path: string, form: Located): string =>
  `${localPath('/sign-in', form)}${formatQueryString({ next: localPath(path, form) })}`

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

/** Returns a form that a script shows if the browser has passkeys. It sends the field `passkey`. */
export const passkeyFormHtml = (
  path: string,
  { action, options, label }: { readonly action: 'sign-in' | 'add'; readonly options: object; readonly label: string },
  form: FormRequest,
): string =>
  html`<form method="post" action="${localPath(path, form)}" data-passkey="${action}" data-options="${JSON.stringify(options)}" hidden>
<input type="hidden" name="passkey"><input type="hidden" name="next" value="${form.field('next')}">
<button>${label}</button>
<p class="problem" role="alert" hidden>${form.messages.account.passkeyFailed}</p>
</form>`

/** Returns the first field of a form for a new password, from which password managers know the login. */
export const loginHtml = (login: string): string =>
  html`<input name="login" value="${login}" autocomplete="username" hidden>`

/** Returns the fields for a new password. */
export const newPasswordHtml = ({ messages }: PageContext): string =>
  html`<label>${messages.account.newPassword} <input name="newPassword" type="password" autocomplete="new-password" minlength="10" maxlength="200" aria-describedby="length" required></label>
<small id="length">${messages.account.passwordLength}</small>
<label>${messages.account.repeatPassword} <input name="repeated" type="password" autocomplete="new-password" maxlength="200" required></label>`

/** Returns the new password of the form. Throws FormProblem if both fields differ. */
export function readNewPassword({ field, messages }: FormRequest): string {
  const password = field('newPassword')
  if (password !== field('repeated')) throw new FormProblem(messages.account.passwordsDiffer)
  return password
}
