// Texts of the pages: a file for each language with the same keys. Other languages get the English texts.
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import en from './messages/en.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }

export type Messages = typeof en

const messagesByLanguage: Readonly<Record<string, Messages>> = { en, fr, es }

/** Returns the texts of a language. A regional language, such as `fr-ca`, has the texts of its base language. */
export const messagesOf = (language: string): Messages =>
  messagesByLanguage[language] ?? messagesByLanguage[language.split('-')[0] ?? ''] ?? en

/** Returns the singular or plural form with the number, such as `3 events`. */
export function formatCountedText(forms: Messages['eventCount'], count: number, { locale }: Messages): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? forms.one : forms.other
  return fillPlaceholders(form, { count: count.toLocaleString(locale) })
}

/** Returns the name of a language, by default in the language itself, such as `français`. */
export const languageName = (language: string, inLanguage = language): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language) ?? language

declare global {
  namespace Intl {
    interface Locale {
      getTextInfo(): { readonly direction?: 'ltr' | 'rtl' }
    }
  }
}

export const textDirectionOf = (language: string) => new Intl.Locale(language).getTextInfo().direction ?? 'ltr'

/** Returns ` dir="rtl"` for right-to-left languages such as Arabic; empty for other languages. */
export const directionAttribute = (language: string): string =>
  textDirectionOf(language) === 'rtl' ? ' dir="rtl"' : ''
