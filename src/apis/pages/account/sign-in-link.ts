// The page of a link that signs somebody in once. Opening it changes nothing, because mail programs open links for previews.
import { html } from 'ghtml'
import { findLoginOfLink, signInByLink } from '../../../service/http/sessions.ts'
import {
  type FormPage,
  FormProblem,
  localPath,
  loginHtml,
  newPasswordHtml,
  nextPath,
  readNewPassword,
} from './form-page.ts'

export const signInLinkPage: FormPage = {
  path: '/sign-in/link',
  title: ({ messages }) => messages.account.choosePassword,
  async body(form) {
    const { environment, field, messages } = form
    const login = await findLoginOfLink(environment, field('token'))
    if (login === undefined)
      return html`<p>${messages.account.linkInvalid}</p>
<p><a href="${localPath('/sign-in', form)}">${messages.account.signIn}</a></p>`
    return html`<p>${messages.account.login}: <strong>${login}</strong></p>
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
