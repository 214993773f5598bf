// Conventions of a language that Intl knows.
import { memoize } from '../../basics/memoize.ts'

declare global {
  namespace Intl {
    interface Locale {
      getTextInfo(): { readonly direction?: 'ltr' | 'rtl' }
    }
  }
}

/** The attribute `dir` of the document for languages such as Arabic; empty for others. */
export const directionAttribute = (language: string): string => (directionOf(language) === 'rtl' ? ' dir="rtl"' : '')

export const directionOf = memoize(
  { name: 'direction', max: 1000 },
  (language: string) => new Intl.Locale(language).getTextInfo().direction ?? 'ltr',
)
