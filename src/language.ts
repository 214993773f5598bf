import { badInput } from './errors.ts'

interface Languages {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
}

/** Where a request can name its language; each is undefined when it does not. */
export interface LanguageSources {
  /** The parameter `translation_language`. */
  readonly parameter?: unknown
  /** The operation directive `@inContext(language:)`, already one of the site's languages. */
  readonly directive?: string | undefined
  /** The root in the path, `/fr/…`, already one of the site's languages. */
  readonly root?: string | undefined
}

/** The one language of an operation. Throws badInput when the parameter names none of the site's. */
export function operationLanguage(sources: LanguageSources, site: Languages): string {
  return languageParameter(sources.parameter, site) ?? sources.directive ?? sources.root ?? site.defaultLanguage
}

function languageParameter(value: unknown, { languages }: Languages): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && languages.includes(value)) return value
  throw badInput({ translation_language: `translation_language is one of ${languages.join(', ')}.` })
}

/** The languages whose own text is served in `language`, best first (design: own, default, the one first written in). */
export function fallbackChain(language: string, original: string, { defaultLanguage }: Languages): string[] {
  return [...new Set([language, defaultLanguage, original])]
}
