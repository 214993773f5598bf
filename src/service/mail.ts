// Sends mail through the server of SMTP_URL.

import type { Settings } from '../basics/env.ts'
import { fillPlaceholders } from '../basics/fill-placeholders.ts'
import { memoizeByObject } from '../basics/memoize.ts'

/** Milliseconds to connect and be greeted, and between two answers of the server, which may scan a mail before it takes it. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }

/** The library is imported for the first mail, because many sites send none. */
const transportOf = memoizeByObject(async ({ smtpUrl }: Settings) => {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url: smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
})

/** A mail as plain text. `{site}` stands for the name of the site. */
interface Template {
  readonly subject: string
  readonly text: string
}

/** Returns the templates in the first of the languages that has some, else those in English. */
export function templatesIn<Templates>(
  byLanguage: { readonly en: Templates } & Readonly<Record<string, Templates>>,
  ...languages: readonly (string | null)[]
): Templates {
  const found = languages.map((language) => byLanguage[language?.split('-')[0] ?? ''])
  return found.find((templates) => templates !== undefined) ?? byLanguage.en
}

/** Mails a template with these values of its placeholders. Call only with SMTP_URL. Throws if the server does not take the mail. */
export async function sendMail(
  settings: Settings,
  to: string,
  { subject, text }: Template,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const transport = await transportOf(settings)
  const { siteName: name, mailFrom: address = '' } = settings
  const fill = (template: string) => fillPlaceholders(template, { ...values, site: name })
  const message = { subject: fill(subject), text: fill(text) }
  await transport.sendMail({ from: { name, address }, to: { name: '', address: to }, ...message })
}
