// Mails sign-in links.
import type { Settings } from '../../basics/env.ts'
import { sendMail, templatesIn } from '../mail.ts'
import en from './mail/en.json' with { type: 'json' }
import es from './mail/es.json' with { type: 'json' }
import fr from './mail/fr.json' with { type: 'json' }

/** What a link is for. */
export type SignInLinkName = 'First start' | 'Invitation' | 'New password'

interface Recipient {
  readonly name: string
  readonly login: string
  readonly email: string
  readonly locale: string | null
}

/** Mails a link to its user, in the preferred language of the user if there are texts in it. */
export function mailSignInLink(
  settings: Settings,
  { email, name, login, locale }: Recipient,
  { url, linkName }: { readonly url: string; readonly linkName: SignInLinkName },
): Promise<void> {
  const templates = templatesIn({ en, fr, es }, locale, settings.defaultLanguage)
  return sendMail(settings, email, templates[linkName === 'Invitation' ? 'invitation' : 'newPassword'], {
    name,
    login,
    link: url,
  })
}
