// Minimal code that reads a page of the list and one event, with one statement each. `restList` and `restEvent` format the rows
// like the REST API, by hand.
import type pg from 'pg'
import { defaultWindow, language } from './queries.ts'

const isPublished = (alias: string) => `${alias}.live AND ${alias}.published_at <= $2`
const inWindow = `${isPublished('event')} AND NOT hide_from_listings AND starts_at >= $3 AND ends_at <= $4`

const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`
const clock = (column: string) => `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`

const image = (id: string) => `
  (SELECT json_build_object('id', i.id, 'url', i.url, 'width', i.width, 'height', i.height, 'fileSize', i.file_size,
     'sizes', i.sizes) FROM image i WHERE i.id = ${id})`

/** Members of a JSON object that events, venues and organizers share. */
const post = (
  alias: string,
) => `'id', ${alias}.id, 'author', coalesce(${alias}.author_id, 0)::text, 'status', ${alias}.status,
    'date', ${instant(`${alias}.published_at`)}, 'modified', ${instant(`${alias}.modified_at`)},
    'name', ${alias}t.name, 'description', ${alias}t.description, 'excerpt', ${alias}t.excerpt, 'slug', ${alias}t.slug,
    'image', ${image(`${alias}.image_id`)}`

const linked = (kind: 'venue' | 'organizer', columns: string) => `
  (SELECT coalesce(json_agg(json_build_object(${post('p')}, 'phone', p.phone, 'website', p.website, ${columns})
     ORDER BY l.position), '[]')
   FROM event_${kind} l JOIN ${kind} p ON p.id = l.${kind}_id AND ${isPublished('p')}
   JOIN ${kind}_text pt ON pt.${kind}_id = p.id AND pt.language = $1 WHERE l.event_id = e.id)`

const venues = linked(
  'venue',
  `'address', p.address, 'city', p.city, 'country', p.country, 'province', p.province, 'state', p.state,
   'stateProvince', p.state_province, 'zip', p.zip, 'latitude', p.latitude, 'longitude', p.longitude,
   'showMap', p.show_map, 'showMapLink', p.show_map_link`,
)
const organizers = linked('organizer', `'email', p.email`)

const terms = (kind: 'category' | 'tag', columns: string) => `
  (SELECT coalesce(json_agg(json_build_object('id', t.${kind}_id, 'name', t.name, 'description', t.description,
     'slug', t.slug, 'count', (SELECT coalesce(sum(c.events), 0)::int FROM ${kind}_count c
       WHERE c.${kind}_id = t.${kind}_id AND c.published_at <= $2 AND c.password_key = '')${columns})
     ORDER BY t.name, t.${kind}_id), '[]')
   FROM event_${kind} l JOIN ${kind}_text t ON t.${kind}_id = l.${kind}_id AND t.language = $1
   WHERE l.event_id = e.id)`

const categories = terms(
  'category',
  `, 'parent', (SELECT coalesce(parent_id, 0) FROM category WHERE id = t.category_id),
   'slugs', (SELECT json_agg(a.slug ORDER BY p.depth DESC) FROM category_path p
     JOIN category_text a ON a.category_id = p.ancestor_id AND a.language = $1 WHERE p.descendant_id = t.category_id)`,
)

/** An event `e` with its text `et` as a JSON object. $1 is the language, $2 the time. */
const record = `json_build_object(${post('e')},
    'validFrom', to_char(e.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'startsLocal', ${clock('e.starts_local')},
    'endsLocal', ${clock('e.ends_local')}, 'startsAt', ${instant('e.starts_at')}, 'endsAt', ${instant('e.ends_at')},
    'timeZone', e.time_zone, 'allDay', e.all_day, 'cost', e.cost, 'website', e.website, 'showMap', e.show_map,
    'showMapLink', e.show_map_link, 'hideFromListings', e.hide_from_listings, 'sticky', e.sticky,
    'featured', e.featured, 'venues', ${venues}, 'organizers', ${organizers}, 'categories', ${categories},
    'tags', ${terms('tag', '')}) AS event`

/** Without fallback, records are left out in languages in which nobody wrote their name. */
const isWritten = `
  AND EXISTS (SELECT FROM event_text w WHERE w.event_id = event.id AND w.language = $1 AND 'name' = ANY (w.written))`

const listOf = (fallback: boolean) => {
  const isListed = `${inWindow} ${fallback ? '' : isWritten}`
  return `
  SELECT ${record}, (SELECT count(*)::int FROM event WHERE ${isListed}) AS total
  FROM (SELECT * FROM event WHERE ${isListed} ORDER BY starts_local, published_at, id LIMIT 10 OFFSET $5) e
  JOIN event_text et ON et.event_id = e.id AND et.language = $1
  ORDER BY e.starts_local, e.published_at, e.id`
}

const lists = { on: listOf(true), off: listOf(false) }

const after = `
  SELECT ${record}
  FROM (SELECT * FROM event WHERE ${inWindow} AND (starts_local, published_at, id) >
      (SELECT starts_local, published_at, id FROM event WHERE id = $5)
    ORDER BY starts_local, published_at, id LIMIT 10) e
  JOIN event_text et ON et.event_id = e.id AND et.language = $1
  ORDER BY e.starts_local, e.published_at, e.id`

const one = `
  SELECT ${record} FROM event e JOIN event_text et ON et.event_id = e.id AND et.language = $1
  WHERE e.id = $3 AND ${isPublished('e')}`

interface PostRow {
  readonly id: number
  readonly author: string
  readonly status: string
  readonly date: string
  readonly modified: string
  readonly name: string
  readonly description: string
  readonly excerpt: string
  readonly slug: string
  readonly image: ImageRow | null
}

export interface ImageRow {
  readonly id: number
  readonly url: string
  readonly width: number
  readonly height: number
  readonly fileSize: number
  readonly sizes: readonly SizeRow[]
}

interface SizeRow {
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly fileSize: number
}

export interface VenueRow extends PostRow {
  readonly phone: string
  readonly website: string
  readonly address: string
  readonly city: string
  readonly country: string
  readonly province: string
  readonly state: string
  readonly stateProvince: string
  readonly zip: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly showMap: boolean
  readonly showMapLink: boolean
}

export interface OrganizerRow extends PostRow {
  readonly phone: string
  readonly website: string
  readonly email: string
}

export interface TermRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly slug: string
  readonly count: number
}

export interface CategoryRow extends TermRow {
  readonly parent: number
  readonly slugs: readonly string[]
}

export interface EventRow extends PostRow {
  readonly validFrom: string
  readonly startsLocal: string
  readonly endsLocal: string
  readonly startsAt: string
  readonly endsAt: string
  readonly timeZone: string
  readonly allDay: boolean
  readonly cost: string[]
  readonly website: string | null
  readonly showMap: boolean
  readonly showMapLink: boolean
  readonly hideFromListings: boolean
  readonly sticky: boolean
  readonly featured: boolean
  readonly venues: readonly VenueRow[]
  readonly organizers: readonly OrganizerRow[]
  readonly categories: readonly CategoryRow[]
  readonly tags: readonly TermRow[]
}

interface ListOptions {
  readonly page: number
  readonly now: Date
  readonly fallback: boolean
}

interface Row {
  readonly event: EventRow
  readonly total: number
}

export async function readList(
  pool: pg.Pool,
  { page, now, fallback }: ListOptions,
): Promise<{ events: EventRow[]; total: number }> {
  const { from, until } = defaultWindow(now)
  const values = [language, now, from, until, (page - 1) * 10]
  const name = fallback ? 'yardstick-list' : 'yardstick-list-written'
  const { rows } = await pool.query<Row>({ name, text: fallback ? lists.on : lists.off, values })
  return { events: rows.map(({ event }) => event), total: rows[0]?.total ?? 0 }
}

/** The page of the list that begins after the event with this ID. */
export async function readAfter(pool: pg.Pool, id: number, now: Date): Promise<EventRow[]> {
  const { from, until } = defaultWindow(now)
  const { rows } = await pool.query<Row>({
    name: 'yardstick-after',
    text: after,
    values: [language, now, from, until, id],
  })
  return rows.map(({ event }) => event)
}

export async function readEvent(pool: pg.Pool, id: number, now: Date): Promise<EventRow | undefined> {
  const { rows } = await pool.query<Row>({ name: 'yardstick-event', text: one, values: [language, now, id] })
  return rows[0]?.event
}
