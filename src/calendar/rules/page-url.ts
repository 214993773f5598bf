import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'

/** Paths of pages that do not start with the name of the kind. */
const paths: Readonly<Partial<Record<RecordKind, string>>> = { category: 'events/category' }

/**
 * The URL of a record's HTML page: `{PAGES_URL}/{kind}/{slugs}/`, with the prefix `/{language}` unless it is the default
 * language. The slugs of a category are those of its ancestors and its own; a record without a slug gets `?p={id}`.
 * `source` is the language of its name: without language fallback, a record has pages only in languages that have a name.
 */
export function pageUrl(
  context: Pick<Context, 'settings' | 'language'>,
  kind: RecordKind,
  slugs: readonly string[],
  { id, source }: RecordIdentity,
): string {
  const { settings } = context
  const language = settings.languageFallback ? context.language : source
  const root = language === settings.defaultLanguage ? settings.pagesUrl : `${settings.pagesUrl}/${language}`
  return slugs.includes('') ? `${root}/?p=${id}` : `${root}/${[paths[kind] ?? kind, ...slugs].join('/')}/`
}

/** The address of the iCalendar feed of the record with this page; null if it has no slug. The service itself sends it. */
export const icalendarUrl = (page: string, { settings }: Pick<Context, 'settings'>): string | null =>
  page.includes('?') ? null : `${settings.publicUrl}${page.slice(settings.pagesUrl.length)}?ical=1`

interface RecordIdentity {
  readonly id: number
  readonly source: string
}
