import type { Context } from '../context.ts'

/**
 * The page of a record for people: `{PAGES_URL}/{path}/`, under `/{language}` for other languages than the default.
 * Segments are slugs, which are URL-safe; a record without one is named by its number.
 */
export function pageUrl({ settings, language }: Context, segments: readonly string[], id: number): string {
  const root = language === settings.defaultLanguage ? settings.pagesUrl : `${settings.pagesUrl}/${language}`
  return segments.includes('') ? `${root}/?p=${id}` : `${root}/${segments.join('/')}/`
}
