import type { Context } from '../context.ts'

/**
 * The page of a record for people: `{PAGES_URL}/{path}/`, under `/{language}` for other languages than the default.
 * Segments are slugs, which are URL-safe; a record without one is named by its number. `source` is the language that
 * its name is served in: without fallback there is no page in any other.
 */
export function pageUrl(
  context: Pick<Context, 'settings' | 'language'>,
  segments: readonly string[],
  { id, source }: Named,
): string {
  const { settings } = context
  const language = settings.languageFallback ? context.language : source
  const root = language === settings.defaultLanguage ? settings.pagesUrl : `${settings.pagesUrl}/${language}`
  return segments.includes('') ? `${root}/?p=${id}` : `${root}/${segments.join('/')}/`
}

interface Named {
  readonly id: number
  readonly source: string
}
