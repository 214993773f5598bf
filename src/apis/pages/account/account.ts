// The page on which people change their password and end their sessions.
import { html } from 'ghtml'
import { toWallClock } from '../../../basics/time.ts'
import {
  PageAccountDocument,
  type PageAccountQuery,
  PageChangePasswordDocument,
  PageRevokeCredentialDocument,
} from '../../../generated/graphql/graphql.ts'
import { addPasskey, passkeyCreationOptions } from '../../../service/http/passkeys.ts'
import { deviceOf, originOf, signOut, signOutEverywhere } from '../../../service/http/sessions.ts'
import { formatDate } from '../date-format.ts'
import { filePath } from '../page.ts'
import {
  type FormPage,
  FormProblem,
  type FormRequest,
  localPath,
  loginHtml,
  newPasswordHtml,
  passkeyFormHtml,
  readNewPassword,
} from './form-page.ts'

type Person = NonNullable<PageAccountQuery['viewer']>
type Credential = NonNullable<Person['credentials']>[number]

const path = '/account'

export const accountPage: FormPage = {
  path,
  isPersonal: true,
  script: 'passkeys',
  title: ({ messages }) => messages.account.account,
  async body(form) {
    const { execute, createContext, messages, settings } = form
    const { viewer } = await execute(PageAccountDocument, {}, await createContext())
    if (!viewer) return ''
    const credentials = (viewer.credentials ?? []).filter(({ revokedAt }) => revokedAt === null)
    const hasPassword = credentials.some(({ kind }) => kind === 'PASSWORD')
    const sessions = credentials.filter(({ kind }) => kind === 'SESSION')
    const passkeys = credentials.filter(({ kind }) => kind === 'PASSKEY')
    return html`<p class="lead">${viewer.name} (${viewer.login ?? ''})</p>
<p><a href="${filePath('/edit/', settings)}">${messages.account.editor}</a></p>
!${form.field('saved') === '' ? '' : html`<p class="note" role="status">${messages.account.passwordChanged}</p>`}
<section aria-labelledby="password"><h2 id="password">${messages.password}</h2>
!${passwordForm(viewer, hasPassword, form)}</section>
<section aria-labelledby="passkeys"><h2 id="passkeys">${messages.account.passkeys}</h2>
<p>${messages.account.passkeysHelp}</p>
!${passkeys.length === 0 ? '' : html`<ul class="devices">!${passkeys.map((passkey) => credentialHtml(passkey, messages.account.remove, form))}</ul>`}
!${await passkeyForm(form)}</section>
<section aria-labelledby="devices"><h2 id="devices">${messages.account.devices}</h2>
<ul class="devices">!${sessions.toReversed().map((session) => credentialHtml(session, messages.account.signOut, form))}</ul>
!${buttonForm('everywhere', messages.account.signOutEverywhere, form)}</section>`
  },
  async submit(form) {
    const { environment, request, reply, field, viewer, execute, createContext } = form
    const action = field('action')
    if (action === 'everywhere' && viewer) await signOutEverywhere(environment, request, reply, viewer.id)
    if (action === 'out') await signOut(environment, request, reply)
    if (action === 'everywhere' || action === 'out') return localPath('/sign-in', form)
    const passkey = field('passkey')
    if (passkey !== '' && viewer) {
      const isAdded = await addPasskey(environment, viewer, passkey, deviceOf(request), originOf(request))
      if (isAdded) return localPath(path, form)
      throw new FormProblem(form.messages.account.passkeyFailed)
    }
    if (action === 'password') {
      await changePassword(form)
      return `${localPath(path, form)}?saved=1`
    }
    await execute(PageRevokeCredentialDocument, { id: field('id') }, await createContext())
    return localPath(path, form)
  },
}

const passwordForm = ({ login }: Person, hasPassword: boolean, form: FormRequest): string =>
  html`<form method="post" action="${localPath(path, form)}">!${loginHtml(login ?? '')}
!${hasPassword ? html`<label>${form.messages.account.currentPassword} <input name="currentPassword" type="password" autocomplete="current-password" maxlength="1000" required></label>` : ''}
!${newPasswordHtml(form)}
<button name="action" value="password">${form.messages.account.savePassword}</button>
</form>`

async function passkeyForm(form: FormRequest): Promise<string> {
  const { environment, viewer, messages } = form
  if (!viewer) return ''
  const options = await passkeyCreationOptions(environment, viewer.id)
  return passkeyFormHtml(path, { action: 'add', options, label: messages.account.addPasskey }, form)
}

function credentialHtml(
  { databaseId, name, isCurrent, createdAt, lastUsedAt }: Credential,
  label: string,
  form: FormRequest,
): string {
  const { messages, language, settings } = form
  const used = formatDate(toWallClock(lastUsedAt ?? createdAt, settings.siteTimeZone), { allDay: false }, language)
  const state = isCurrent ? messages.account.thisDevice : `${messages.account.lastUse} ${used}`
  const action = isCurrent ? 'out' : 'revoke'
  return html`<li><div><strong>${name}</strong><br><small>${state}</small></div>
!${buttonForm(action, label, form, { id: databaseId, label: `${label}: ${name}` })}</li>`
}

const buttonForm = (
  action: string,
  text: string,
  form: FormRequest,
  { id, label }: { readonly id?: number; readonly label?: string } = {},
): string =>
  html`<form method="post" action="${localPath(path, form)}"><input type="hidden" name="id" value="${id ?? ''}"><button name="action" value="${action}"!${label === undefined ? '' : html` aria-label="${label}"`}>${text}</button></form>`

async function changePassword(form: FormRequest): Promise<void> {
  const { execute, createContext, field, messages } = form
  const input = { currentPassword: field('currentPassword'), newPassword: readNewPassword(form) }
  const { changePassword: outcome } = await execute(PageChangePasswordDocument, { input }, await createContext())
  const [problem] = outcome?.userErrors ?? []
  if (!problem) return
  const isCurrent = problem.path.includes('currentPassword')
  throw new FormProblem(isCurrent ? messages.wrongPassword : messages.account.passwordLength)
}
