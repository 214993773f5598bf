import { html } from 'ghtml'
import { readRequestOptions, signInByPasskey } from '../../../service/http/passkeys.ts'
import { signInByPassword } from '../../../service/http/sessions.ts'
import { fillPlaceholders } from '../messages.ts'
import { formatQueryString } from '../page.ts'
import { type FormPage, type FormRequest, localPath, nextPath, passkeyFormHtml } from './form-page.ts'

export const signInPage: FormPage = {
  path: '/sign-in',
  title: ({ messages }) => messages.account.signIn,
  hasPasskeys: true,
  async body(form) {
    const { environment, field, messages } = form
    const options = await readRequestOptions(environment)
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
