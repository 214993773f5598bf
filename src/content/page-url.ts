import type { Context } from '../context.ts'

/**
 * The URL of a record's HTML page: `{PAGES_URL}/{segments}/`, with the prefix `/{language}` unless it is the default
 * language. Segments are URL-safe slugs; a record without a slug gets `?p={id}`. `source` is the language of its name:
 * without language fallback, a record has pages only in languages that have a name.
 */
export function pageUrl(
  context: Pick<Context, 'settings' | 'language'>,
  segments: readonly string[],
  { id, source }: RecordIdentity,
): string {
  const { settings } = context
  const language = settings.languageFallback ? context.language : source
  const root = language === settings.defaultLanguage ? settings.pagesUrl : `${settings.pagesUrl}/${language}`
  return segments.includes('') ? `${root}/?p=${id}` : `${root}/${segments.join('/')}/`
}

interface RecordIdentity {
  readonly id: number
  readonly source: string
}
