// Pages on which people sign in and out.

import { html } from 'ghtml'
import { DomainError } from '../../../basics/errors.ts'
import { fillPlaceholders } from '../../../basics/fill-placeholders.ts'
import { beginOidc, finishOidc } from '../../../service/http/oidc.ts'
import { passkeyRequestOptions } from '../../../service/http/passkeys.ts'
import {
  findLoginOfLink,
  requestSignInLink,
  signInByLink,
  signInByPasskey,
  signInByPassword,
  signOut,
} from '../../../service/http/sessions.ts'
import { formatQueryString } from '../page.ts'
import {
  type FormPage,
  FormProblem,
  type FormRequest,
  localPath,
  loginHtml,
  newPasswordHtml,
  nextPath,
  passkeyFormHtml,
  readNewPassword,
} from './form-page.ts'

export const signInPage: FormPage = {
  path: '/sign-in',
  title: ({ messages }) => messages.account.signIn,
  script: 'passkeys',
  async body(form) {
    const { environment, field, messages } = form
    const options = await passkeyRequestOptions(environment)
    const passkey = { action: 'sign-in', options, label: messages.account.signInByPasskey } as const
    return html`<form method="post" action="${localPath('/sign-in', form)}">
<label>${messages.account.login} <input name="login" value="${field('login')}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200" required autofocus></label>
<label>${messages.password} <input name="password" type="password" autocomplete="current-password" maxlength="1000" required></label>
<input type="hidden" name="next" value="${field('next')}">
<button>${messages.account.signIn}</button>
</form>
!${passkeyFormHtml('/sign-in', passkey, form)}
!${oidcLinkHtml(form)}
!${form.settings.smtpUrl ? html`<p><a href="${localPath('/sign-in/forgotten', form)}">${messages.account.forgotten}</a></p>` : ''}`
  },
  async submit(form) {
    const { environment, request, reply, field } = form
    const passkey = field('passkey')
    if (passkey === '')
      await signInByPassword(environment, request, reply, { login: field('login'), password: field('password') })
    else await signInByPasskey(environment, request, reply, passkey)
    return nextPath(form)
  },
}

function oidcLinkHtml(form: FormRequest): string {
  const { oidcIssuer, oidcClientId } = form.settings
  if (!oidcIssuer || !oidcClientId) return ''
  const label = fillPlaceholders(form.messages.account.signInByOidc, { host: new URL(oidcIssuer).hostname })
  const href = localPath('/sign-in/oidc', form) + formatQueryString({ next: form.field('next') || undefined })
  return html`<p><a class="button" href="${href}">${label}</a></p>`
}

/** Pages that send people to the OIDC issuer of the site, and to which the issuer sends them back, show only what went wrong. */
const step = (take: (form: FormRequest) => Promise<string>): FormPage => ({
  ...signInPage,
  visit: (form) =>
    take(form).catch((error: unknown) => {
      const isRefused = error instanceof DomainError && error.code === 'UNAUTHENTICATED'
      throw isRefused ? new FormProblem(form.messages.account.oidcFailed) : error
    }),
})

export const toIssuerPage = step((form) => beginOidc(form.environment, form.reply, nextPath(form)))

export const fromIssuerPage = step(async ({ environment, settings, request, reply }) => {
  const next = await finishOidc(environment, request, reply)
  return nextPath({ settings, field: () => next })
})

/** The page of a link that signs somebody in once. Opening it changes nothing, because mail programs open links for previews. */
export const signInLinkPage: FormPage = {
  path: '/sign-in/link',
  title: ({ messages }) => messages.account.choosePassword,
  async body(form) {
    const { environment, field, messages } = form
    const login = await findLoginOfLink(environment, field('token'))
    if (login === undefined)
      return html`<p>${messages.account.linkInvalid}</p>
<p><a href="${localPath('/sign-in', form)}">${messages.account.signIn}</a></p>`
    return html`<p>${messages.account.login}<br><strong>${login}</strong></p>
<form method="post" action="${localPath('/sign-in/link', form)}">
!${loginHtml(login)}!${newPasswordHtml(form)}
<input type="hidden" name="token" value="${field('token')}">
<button>${messages.account.saveAndSignIn}</button>
</form>`
  },
  async submit(form) {
    const { environment, request, reply, field, messages } = form
    const password = readNewPassword(form)
    const outcome = await signInByLink(environment, request, reply, { token: field('token'), password })
    if (outcome === 'signedIn') return nextPath(form)
    throw new FormProblem(outcome === 'badPassword' ? messages.account.passwordLength : messages.account.linkInvalid)
  },
}

/** The page on which people ask for a link to choose a new password. It says the same whether there is such a user or not. */
export const forgottenPage: FormPage = {
  path: '/sign-in/forgotten',
  title: ({ messages }) => messages.account.forgotten,
  body: (form) => {
    const { field, messages } = form
    if (field('sent') !== '') return html`<p role="status">${messages.account.linkSent}</p>`
    return html`<p>${messages.account.forgottenHelp}</p>
<form method="post" action="${localPath('/sign-in/forgotten', form)}">
<label>${messages.account.loginOrEmail} <input name="login" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200" required></label>
<button>${messages.account.sendLink}</button>
</form>`
  },
  async submit(form) {
    await requestSignInLink(form.environment, form.request, form.field('login'))
    return `${localPath('/sign-in/forgotten', form)}?sent=1`
  },
}

export const signOutPage: FormPage = {
  path: '/sign-out',
  title: ({ messages }) => messages.account.signOut,
  body: (form) => html`<form method="post" action="${localPath('/sign-out', form)}">
<button>${form.messages.account.signOut}</button>
</form>`,
  async submit(form) {
    const { environment, request, reply } = form
    await signOut(environment, request, reply)
    return localPath('/', form)
  },
}
