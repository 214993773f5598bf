// The GraphQL fields that the log of changes has values of, by the keys of the log.
import type { RecordKind } from '../../kinds.ts'

/** Kinds of records that have revisions. */
export type RevisedKind = RecordKind | 'image'

const postColumns = {
  author_id: 'author',
  status: 'status',
  published_at: 'publishedAt',
  password_key: 'hasPassword',
  image_id: 'image',
  website: 'website',
}
const mapColumns = { show_map: 'showMap', show_map_link: 'showMapLink' }
const termTexts = { name: 'name', description: 'description', slug: 'slug' }
const postTexts = { ...termTexts, excerpt: 'excerpt' }

interface LoggedFields {
  /** Fields by column of the record, and by column of its texts. */
  readonly columns: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
  /** Fields by the name of the linked rows. */
  readonly links?: Readonly<Record<string, string>>
}

export const loggedFields: Readonly<Record<RevisedKind, LoggedFields>> = {
  event: {
    columns: {
      ...postColumns,
      ...mapColumns,
      parent_id: 'parent',
      starts_local: 'startsLocal',
      ends_local: 'endsLocal',
      starts_at: 'startsAt',
      ends_at: 'endsAt',
      time_zone: 'timeZone',
      all_day: 'allDay',
      event_status: 'eventStatus',
      attendance_mode: 'attendanceMode',
      online_url: 'onlineUrl',
      previous_starts_at: 'previousStartsAt',
      cost: 'costEntries',
      hide_from_listings: 'hideFromListings',
      sticky: 'sticky',
      featured: 'featured',
      custom_fields: 'customFields',
      uid: 'uid',
    },
    texts: { ...postTexts, name: 'title' },
    links: { venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags', ticket: 'tickets' },
  },
  venue: {
    columns: {
      ...postColumns,
      ...mapColumns,
      address: 'address',
      city: 'city',
      country: 'country',
      province: 'province',
      state: 'state',
      state_province: 'stateProvince',
      zip: 'zip',
      phone: 'phone',
      latitude: 'latitude',
      longitude: 'longitude',
    },
    texts: postTexts,
  },
  organizer: { columns: { ...postColumns, phone: 'phone', email: 'email' }, texts: postTexts },
  category: { columns: { parent_id: 'parent' }, texts: termTexts },
  tag: { columns: {}, texts: termTexts },
  image: { columns: {}, texts: { title: 'title', alt_text: 'altText', caption: 'caption', credit: 'credit' } },
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
