// Texts of the pages: a file for each language with the same keys. Other languages get the English texts.
import en from './messages/en.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }

export type Messages = typeof en

const messagesByLanguage: Readonly<Record<string, Messages>> = { en, fr, es }

/** A regional language, such as `fr-ca`, has the texts of its base language. */
export const messagesOf = (language: string): Messages =>
  messagesByLanguage[language] ?? messagesByLanguage[language.split('-')[0] ?? ''] ?? en

/** The text with values in place of its placeholders, such as `{count}`. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))

export function formatCountedText(forms: Messages['eventCount'], count: number, { locale }: Messages): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? forms.one : forms.other
  return fillPlaceholders(form, { count: count.toLocaleString(locale) })
}

/** Name of a language, in that language by default: `français`. */
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

/** The attribute `dir` of the document for languages such as Arabic; empty for others. */
export const directionAttribute = (language: string): string =>
  textDirectionOf(language) === 'rtl' ? ' dir="rtl"' : ''
