// Mails the sender of a proposal, if the site sends mail. No mail contains a text of the sender, who may have given the address of
// somebody else.
import type { Context } from '../../service/context.ts'
import { sendMail, templatesIn } from '../../service/mail.ts'
import en from './mail/en.json' with { type: 'json' }
import es from './mail/es.json' with { type: 'json' }
import fr from './mail/fr.json' with { type: 'json' }

interface Message {
  readonly email: string | null
  readonly language: string
  readonly link?: string
  readonly reply?: string
}

/** Starts to send a mail. A mail server that is slow or not available stops nothing: the edit link shows the same. */
export function mailProposalSender(
  { settings }: Pick<Context, 'settings'>,
  name: keyof typeof en,
  { email, language, link = '', reply = '' }: Message,
): void {
  if (!settings.smtpUrl || !email) return
  sendMail(settings, email, templatesIn({ en, fr, es }, language)[name], { link, reply }).catch(() => {})
}
