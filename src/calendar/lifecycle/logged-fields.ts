// The GraphQL fields that the log of changes has values of, by the keys of the log.
import type { RecordKind } from '../../kinds.ts'

/** Kinds of records that have revisions. */
export type RevisedKind = RecordKind | 'series' | 'image'

/** Columns whose fields have the same name. */
const sameNames = (...columns: string[]) =>
  Object.fromEntries(
    columns.map((column) => [column, column.replace(/_[a-z]/g, (letters) => letters.slice(1).toUpperCase())]),
  )

const postColumns = {
  ...{ author_id: 'author', image_id: 'image', password_key: 'hasPassword' },
  ...sameNames('status', 'published_at', 'website'),
}
const termTexts = sameNames('name', 'description', 'slug')
const postTexts = { ...termTexts, excerpt: 'excerpt' }

interface LoggedFields {
  /** Fields by column of the record, and by column of its texts. */
  readonly columns: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
  /** Fields by the name of the linked rows. */
  readonly links?: Readonly<Record<string, string>>
}

/** What a single event and a series have in common. */
const eventContent = {
  columns: {
    ...postColumns,
    ...{ parent_id: 'parent', cost: 'costEntries' },
    ...sameNames('time_zone', 'all_day', 'event_status', 'attendance_mode', 'online_url', 'custom_fields', 'uid'),
    ...sameNames('show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'),
  },
  texts: { ...postTexts, name: 'title' },
  links: { venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags', ticket: 'tickets' },
}

export const loggedFields: Readonly<Record<RevisedKind, LoggedFields>> = {
  event: {
    ...eventContent,
    columns: {
      ...eventContent.columns,
      ...sameNames('starts_local', 'ends_local', 'starts_at', 'ends_at', 'previous_starts_at', 'date_texts'),
    },
  },
  series: { ...eventContent, columns: { ...eventContent.columns, schedule: 'schedule' } },
  venue: {
    columns: {
      ...postColumns,
      ...sameNames('address', 'city', 'country', 'province', 'state', 'state_province', 'zip', 'phone'),
      ...sameNames('latitude', 'longitude', 'show_map', 'show_map_link'),
    },
    texts: postTexts,
  },
  organizer: { columns: { ...postColumns, phone: 'phone', email: 'email' }, texts: postTexts },
  category: { columns: { parent_id: 'parent' }, texts: termTexts },
  tag: { columns: {}, texts: termTexts },
  image: {
    columns: sameNames('decorative', 'url'),
    texts: { title: 'title', alt_text: 'altText', caption: 'caption', credit: 'credit' },
  },
}

/** What a key of the log is about. */
export interface LoggedField {
  readonly field: string
  /** Column of the record, column of its texts, or name of its links. */
  readonly column: string
  /** Language of a text; null for other fields. */
  readonly language: string | null
  /** ID of a linked row. */
  readonly link?: number
}

/** Returns what a key of the log is about; undefined for columns that no field shows. */
export function parseLoggedKey(kind: RevisedKind, key: string): LoggedField | undefined {
  const [, column = '', separator, rest = ''] = /^([a-z_]+)(?:([@#])(.+))?$/.exec(key) ?? []
  const { columns, texts, links } = loggedFields[kind]
  const fields = separator === '@' ? texts : separator === '#' ? (links ?? {}) : columns
  const field = fields[column]
  if (field === undefined) return undefined
  return { field, column, language: separator === '@' ? rest : null, ...(separator === '#' && { link: Number(rest) }) }
}

const localTimes: Readonly<Record<string, string>> = { startsAt: 'startsLocal', endsAt: 'endsLocal' }

/** Leaves out instants whose local time or time zone is in the list, too. */
export function withoutImpliedInstants<Item extends Pick<LoggedField, 'field'>>(items: readonly Item[]): Item[] {
  const names = new Set(items.map(({ field }) => field))
  return items.filter(({ field }) => {
    const local = localTimes[field]
    return local === undefined || !(names.has(local) || names.has('timeZone'))
  })
}
