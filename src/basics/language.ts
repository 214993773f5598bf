import { badInput } from './errors.ts'

interface Languages {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
}

/** The places where a request can set its language, each undefined if absent. */
export interface LanguageSources {
  readonly parameter?: unknown
  /** The directive `@inContext(language:)`, already one of the site's languages. */
  readonly directive?: string | undefined
  /** The first segment of the path, as in `/fr/…`, already one of the site's languages. */
  readonly root?: string | undefined
}

/** The language of an operation. Throws badInput if the parameter is not one of the site's languages. */
export const operationLanguage = (sources: LanguageSources, site: Languages): string =>
  languageParameter(sources.parameter, site) ?? sources.directive ?? sources.root ?? site.defaultLanguage

function languageParameter(value: unknown, { languages }: Languages): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && languages.includes(value)) return value
  throw badInput({ translation_language: `translation_language must be one of ${languages.join(', ')}.` })
}

/** The name of a language in the GraphQL enum LanguageCode: `PT_BR` for `pt-br`. */
export const languageCode = (language: string): string => language.toUpperCase().replaceAll('-', '_')

/** The language tag, in lower case, of a value of LanguageCode: `pt-br` for `PT_BR`. */
export const languageOfCode = (code: string): string => code.toLowerCase().replaceAll('_', '-')

/** The languages whose text may be served for `language`, in order: itself, the default, and the original language. */
export function fallbackChain(language: string, original: string, { defaultLanguage }: Languages): string[] {
  return [...new Set([language, defaultLanguage, original])]
}
