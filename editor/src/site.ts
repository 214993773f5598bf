import type { LanguageCode } from './gql/graphql.ts'
import { interfaceLanguage } from './messages.ts'

/** The path of PUBLIC_URL, which is before all paths of the site; mostly empty. */
export const basePath = document.documentElement.dataset.base ?? ''

/** Languages of the texts on the site, the default one first. The service writes them into the page. */
const tags = document.documentElement.dataset.languages?.split(' ') ?? ['en']

export const tagOf = (code: LanguageCode): string => code.toLowerCase().replaceAll('_', '-')
export const codeOf = (tag: string): LanguageCode => tag.toUpperCase().replaceAll('-', '_') as LanguageCode

export const contentLanguages: readonly LanguageCode[] = tags.map(codeOf)

/** The language in which the editor reads and writes texts: that of the interface if the site has it. */
export const contentLanguage: LanguageCode = codeOf(tags.find((tag) => tag === interfaceLanguage) ?? tags[0] ?? 'en')
