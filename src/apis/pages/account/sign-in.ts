import { html } from 'ghtml'
import { signInByPassword } from '../../../service/http/sessions.ts'
import { type FormPage, localPath, nextPath } from './form-page.ts'

export const signInPage: FormPage = {
  path: '/sign-in',
  title: ({ messages }) => messages.account.signIn,
  body: (form) => {
    const { field, messages } = form
    return html`<form method="post" action="${localPath('/sign-in', form)}">
<label>${messages.account.login} <input name="login" value="${field('login')}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200" required autofocus></label>
<label>${messages.password} <input name="password" type="password" autocomplete="current-password" maxlength="1000" required></label>
<input type="hidden" name="next" value="${field('next')}">
<button>${messages.account.signIn}</button>
</form>
!${form.settings.smtpUrl ? html`<p><a href="${localPath('/sign-in/forgotten', form)}">${messages.account.forgotten}</a></p>` : ''}`
  },
  async submit(form) {
    const { environment, request, reply, field } = form
    await signInByPassword(environment, request, reply, { login: field('login'), password: field('password') })
    return nextPath(form)
  },
}
