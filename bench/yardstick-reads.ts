// Minimal code that reads the list and one event, with one statement each.
import type pg from 'pg'
import { defaultWindow, language } from './queries.ts'

const isPublished = (alias: string) => `${alias}.live AND ${alias}.published_at <= $2`
const inWindow = `${isPublished('event')} AND NOT hide_from_listings AND starts_at >= $3 AND ends_at <= $4`

const image = (id: string) => `
  (SELECT json_build_object('id', i.id, 'url', i.url, 'mimeType', i.mime_type, 'width', i.width, 'height', i.height,
     'sizes', i.sizes) FROM image i WHERE i.id = ${id})`

const venues = `
  (SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', vt.name, 'description', vt.description,
     'slug', vt.slug, 'address', v.address, 'city', v.city, 'country', v.country, 'zip', v.zip, 'phone', v.phone,
     'website', v.website, 'latitude', v.latitude, 'longitude', v.longitude) ORDER BY l.position), '[]')
   FROM event_venue l JOIN venue v ON v.id = l.venue_id AND ${isPublished('v')}
   JOIN venue_text vt ON vt.venue_id = v.id AND vt.language = $1 WHERE l.event_id = e.id)`

const organizers = `
  (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', ot.name, 'description', ot.description,
     'slug', ot.slug, 'phone', o.phone, 'website', o.website, 'email', o.email) ORDER BY l.position), '[]')
   FROM event_organizer l JOIN organizer o ON o.id = l.organizer_id AND ${isPublished('o')}
   JOIN organizer_text ot ON ot.organizer_id = o.id AND ot.language = $1 WHERE l.event_id = e.id)`

const terms = (kind: 'category' | 'tag') => `
  (SELECT coalesce(json_agg(json_build_object('id', t.${kind}_id, 'name', t.name, 'slug', t.slug) ORDER BY t.name), '[]')
   FROM event_${kind} l JOIN ${kind}_text t ON t.${kind}_id = l.${kind}_id AND t.language = $1
   WHERE l.event_id = e.id)`

/** Columns of an event `e` with its text `et`. $1 is the language, $2 the time. */
const record = `e.id, et.name AS title, et.description, et.excerpt, et.slug, e.starts_local AS "startsLocal",
    e.ends_local AS "endsLocal", e.starts_at AS "startsAt", e.ends_at AS "endsAt", e.time_zone AS "timeZone",
    e.all_day AS "allDay", e.cost, e.website, e.featured, ${image('e.image_id')} AS image, ${venues} AS venues,
    ${organizers} AS organizers, ${terms('category')} AS categories, ${terms('tag')} AS tags`

const list = `
  SELECT ${record},
    (SELECT count(*)::int FROM event WHERE ${inWindow}) AS total
  FROM (SELECT * FROM event WHERE ${inWindow} ORDER BY starts_local, published_at, id LIMIT 10) e
  JOIN event_text et ON et.event_id = e.id AND et.language = $1
  ORDER BY e.starts_local, e.published_at, e.id`

const one = `
  SELECT ${record} FROM event e JOIN event_text et ON et.event_id = e.id AND et.language = $1
  WHERE e.id = $3 AND ${isPublished('e')}`

export async function yardstickList(pool: pg.Pool, now: Date): Promise<{ events: object[]; total: number }> {
  const { from, until } = defaultWindow(now)
  const values = [language, now, from, until]
  const { rows } = await pool.query<{ total: number }>({ name: 'yardstick-list', text: list, values })
  const events = rows.map(({ total: _, ...event }) => event)
  return { events, total: rows[0]?.total ?? 0 }
}

export async function yardstickEvent(pool: pg.Pool, id: number, now: Date): Promise<object | undefined> {
  const { rows } = await pool.query<object>({ name: 'yardstick-event', text: one, values: [language, now, id] })
  return rows[0]
}
