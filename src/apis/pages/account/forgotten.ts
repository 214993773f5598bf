// The page on which people ask for a link to choose a new password. It says the same whether there is such a user or not.
import { html } from 'ghtml'
import { requestSignInLink } from '../../../service/http/sessions.ts'
import { type FormPage, localPath } from './form-page.ts'

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
