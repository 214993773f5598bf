import { badInputError } from './errors.ts'

interface Languages {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
}

/** The languages that a request sets in different places, each undefined if absent. */
export interface LanguageSources {
  readonly parameter?: unknown
  /** The directive `@inContext(language:)`, already one of the site's languages. */
  readonly directive?: string | undefined
  /** The first segment of the path, as in `/fr/…`, already one of the site's languages. */
  readonly root?: string | undefined
}

/** Returns the language of an operation. Throws badInputError if the query parameter is not one of the site's languages. */
export const operationLanguage = (sources: LanguageSources, site: Languages): string =>
  languageParameter(sources.parameter, site) ?? sources.directive ?? sources.root ?? site.defaultLanguage

function languageParameter(value: unknown, { languages }: Languages): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && languages.includes(value)) return value
  throw badInputError({ translation_language: `translation_language must be one of ${languages.join(', ')}.` })
}

/** Converts a language tag to a value of the GraphQL enum LanguageCode, such as `pt-br` to `PT_BR`. */
export const languageCode = (language: string): string => language.toUpperCase().replaceAll('-', '_')

/** Converts a value of the GraphQL enum LanguageCode to a language tag in lower case, such as `PT_BR` to `pt-br`. */
export const languageOfCode = (code: string): string => code.toLowerCase().replaceAll('_', '-')

/** Returns the languages to look for a text in, in order: `language`, the default language, and the original language. */
export function fallbackChain(language: string, original: string, { defaultLanguage }: Languages): string[] {
  return [...new Set([language, defaultLanguage, original])]
}
