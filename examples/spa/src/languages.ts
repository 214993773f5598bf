// The languages of the app. Paths begin with the language, except those of the default language, as in the URLs of records.
import { createContext, useContext } from 'react'
import type { LanguageCode } from './gql/graphql.ts'
import { en, type Messages } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'

export interface Language {
  readonly code: LanguageCode
  /** Value of the attribute `lang`. */
  readonly tag: string
  /** Start of the paths. */
  readonly base: string
  /** Locale of dates and numbers. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly name: string
  readonly messages: Messages
}

export const english: Language = {
  ...{ code: 'EN', tag: 'en', base: '', locale: 'en-GB', direction: 'ltr', name: 'English', messages: en },
}

export const languages: readonly Language[] = [
  english,
  { code: 'FR', tag: 'fr', base: '/fr', locale: 'fr-FR', direction: 'ltr', name: 'Français', messages: fr },
  { code: 'ES', tag: 'es', base: '/es', locale: 'es-ES', direction: 'ltr', name: 'Español', messages: es },
]

export const languageOfPath = (path: string): Language =>
  languages.find(({ base }) => base !== '' && (path === base || path.startsWith(`${base}/`))) ?? english

export const languageOfCode = (code: LanguageCode | null | undefined): Language =>
  languages.find((language) => language.code === code) ?? english

/** The language that the browser prefers. */
export const preferredLanguage = (): Language =>
  navigator.languages.flatMap((tag) => languages.find((language) => tag.startsWith(language.tag)) ?? [])[0] ?? english

export const LanguageContext = createContext<Language>(english)
export const useLanguage = (): Language => useContext(LanguageContext)
export const useMessages = (): Messages => useLanguage().messages
