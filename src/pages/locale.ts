// Conventions of a language that Intl knows.
import { memoize } from '../memoize.ts'

declare global {
  namespace Intl {
    interface Locale {
      getTextInfo(): { readonly direction?: 'ltr' | 'rtl' }
      /** `firstDay` is 1 for Monday, and 7 for Sunday. */
      getWeekInfo(): { readonly firstDay: number }
    }
  }
}

/** The attribute `dir` of the document for languages such as Arabic; empty for others. */
export const directionAttribute = (language: string): string => (directionOf(language) === 'rtl' ? ' dir="rtl"' : '')

export const directionOf = memoize(
  { name: 'direction', max: 1000 },
  (language: string) => new Intl.Locale(language).getTextInfo().direction ?? 'ltr',
)

/** From 1, Monday, to 7, Sunday. */
export const firstDayOfWeek = memoize(
  { name: 'firstDayOfWeek', max: 1000 },
  (language: string) => new Intl.Locale(language).getWeekInfo().firstDay,
)
