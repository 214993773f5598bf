// Mails sign-in links.
import type { Settings } from '../../basics/env.ts'
import { sendMail } from '../mail.ts'
import en from './mail/en.json' with { type: 'json' }
import es from './mail/es.json' with { type: 'json' }
import fr from './mail/fr.json' with { type: 'json' }

const texts: Readonly<Record<string, typeof en>> = { en, fr, es }

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
  const languages = [locale, settings.defaultLanguage].map((language) => texts[language?.split('-')[0] ?? ''])
  const { [linkName === 'Invitation' ? 'invitation' : 'newPassword']: mail } = languages.find(Boolean) ?? en
  return sendMail(settings, email, mail, { name, login, link: url })
}
