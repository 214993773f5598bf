// The language of the interface, which may differ from the languages of the texts that people write.
import { createContext, use, useContext } from 'react'
import { keepItem, readItem } from './local-storage.ts'
import type { Messages } from './messages/en.ts'

export type { Messages }

/** A catalogue is loaded only if the interface needs it. English has the keys, and TypeScript checks that the others have them. */
const catalogues = {
  en: () => import('./messages/en.ts').then(({ en }) => en),
  fr: () => import('./messages/fr.ts').then(({ fr }) => fr),
  es: () => import('./messages/es.ts').then(({ es }) => es),
} satisfies Record<string, () => Promise<Messages>>

type InterfaceLanguage = keyof typeof catalogues
export const interfaceLanguages: readonly InterfaceLanguage[] = ['en', 'fr', 'es']

const storageKey = 'editor-language'

/** The chosen language, else the first one of the browser that the editor has. */
export const interfaceLanguage: InterfaceLanguage =
  [readItem(storageKey) ?? '', ...navigator.languages].flatMap(
    (tag) => interfaceLanguages.find((language) => tag.split('-')[0] === language) ?? [],
  )[0] ?? 'en'

/** Starts the editor again, because everything on the screen is in the other language. */
export function chooseInterfaceLanguage(language: InterfaceLanguage): void {
  keepItem(storageKey, language)
  location.reload()
}

export const loadMessages = (): Promise<Messages> => catalogues[interfaceLanguage]()

export const MessagesContext = createContext<Messages | undefined>(undefined)

export function useMessages(): Messages {
  const messages = useContext(MessagesContext)
  if (!messages) throw new Error('useMessages needs a MessagesContext.')
  return messages
}

/** Returns a hook for the texts of one screen, which the first screen does not load. */
export function screenMessages<Texts>(catalogues: Record<InterfaceLanguage, () => Promise<Texts>>): () => Texts {
  const texts = catalogues[interfaceLanguage]()
  return () => use(texts)
}

/** The name in a table; of what the editor does not know, such as a kind that was added to the service, the name in the API. */
export const nameIn = (names: Readonly<Record<string, string>>, name: string): string => names[name] ?? name

/** The name of a language in the language of the interface, such as “French”. */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames(interfaceLanguage, { type: 'language' }).of(tag) ?? tag
