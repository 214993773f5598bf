// Records of a legacy site for tests of the import, and the state of the whole database to compare.

import { slugify } from '../../src/calendar/text/slug.ts'
import type {
  SourceEvent,
  SourceOrganizer,
  SourceTerm,
  SourceText,
  SourceVenue,
} from '../../src/tools/import-site/source-records.ts'
import { exportedSequences, tables } from '../../src/tools/transfer/tables.ts'
import type { TestApp } from './app.ts'

const modified = new Date('2026-03-01T10:00:00Z')

export const sourceText = (name: string, values: Partial<SourceText> = {}): SourceText => ({
  name,
  description: undefined,
  excerpt: undefined,
  slug: slugify(name),
  ...values,
})

const english = (id: number, name: string) => ({
  id,
  ids: { en: id },
  originalLanguage: 'en',
  texts: { en: sourceText(name) },
})

const post = {
  author: undefined,
  status: 'publish',
  publishedAt: new Date('2025-06-01T08:00:00Z'),
  modifiedAt: modified,
  image: undefined,
} as const

export const sourceEvent = (id: number, values: Partial<SourceEvent> = {}): SourceEvent => ({
  kind: 'event',
  ...english(id, `Event ${id}`),
  ...post,
  startsLocal: '2026-12-01T20:00:00',
  endsLocal: '2026-12-01T22:00:00',
  startsAt: undefined,
  endsAt: undefined,
  timeZone: 'Europe/Paris',
  allDay: false,
  cost: [],
  website: undefined,
  showMap: true,
  showMapLink: true,
  hideFromListings: false,
  sticky: false,
  featured: false,
  customFields: [],
  eventStatus: 'scheduled',
  attendanceMode: 'offline',
  onlineUrl: undefined,
  parent: undefined,
  isDate: false,
  venues: [],
  organizers: [],
  categories: [],
  tags: [],
  ...values,
})

export const sourceVenue = (id: number, values: Partial<SourceVenue> = {}): SourceVenue => ({
  kind: 'venue',
  ...english(id, `Venue ${id}`),
  ...post,
  ...{
    address: '',
    city: '',
    country: '',
    province: '',
    state: '',
    stateProvince: '',
    zip: '',
    phone: '',
    website: '',
  },
  showMap: undefined,
  showMapLink: undefined,
  coordinates: undefined,
  ...values,
})

export const sourceOrganizer = (id: number, values: Partial<SourceOrganizer> = {}): SourceOrganizer => ({
  kind: 'organizer',
  ...english(id, `Organizer ${id}`),
  ...post,
  ...{ phone: '', website: '', email: '' },
  ...values,
})

export const sourceTerm = (kind: 'category' | 'tag', id: number, values: Partial<SourceTerm> = {}): SourceTerm => ({
  kind,
  ...english(id, `${kind} ${id}`),
  parent: undefined,
  ...values,
})

/** All rows of all tables, with the positions of the sequences. */
export async function databaseRows({ database }: Pick<TestApp, 'database'>): Promise<Record<string, unknown[]>> {
  const names = [...tables.map(({ name }) => name), 'category_count', 'tag_count']
  const rows: Record<string, unknown[]> = {}
  for (const name of names) {
    const result = await database.pool.query(`SELECT row_to_json(t)::text AS row FROM "${name}" t ORDER BY 1`)
    rows[name] = result.rows.map(({ row }) => row)
  }
  for (const name of exportedSequences)
    rows[name] = (await database.pool.query(`SELECT last_value, is_called FROM ${name}`)).rows
  return rows
}
