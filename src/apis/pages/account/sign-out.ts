import { html } from 'ghtml'
import { signOut } from '../../../service/http/sessions.ts'
import { type FormPage, localPath } from './form-page.ts'

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
