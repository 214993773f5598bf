// Creates many events fast: some are generated one by one, the others are copied inside the database.
import { textRules } from '../src/content/text/text-rows.ts'
import type { Db } from '../src/db/client.ts'
import { type Columns, copyRows, dropIndexes } from './copy-rows.ts'
import { generate } from './generate.ts'
import { site } from './write-texts.ts'

export interface GrowOptions {
  readonly now: Date
  /** Number of events in the default window of lists, 60 % by default. The others are past. */
  readonly inWindow?: number
  /** Whether to leave the tables as before the first autovacuum, which it turns off: with the statistics of 500 events. */
  readonly isFresh?: boolean
}

/** Number of events that are generated one by one. */
const generatedCount = 500

/** Fills an empty, migrated database with `count` events, a tenth as many venues and a twentieth as many organizers. */
export async function grow(db: Db, count: number, { now, inWindow, isFresh }: GrowOptions): Promise<void> {
  if (count % generatedCount !== 0)
    throw new Error(`The number of events must be a multiple of ${generatedCount}, not ${count}`)
  if (inWindow !== undefined && inWindow > generatedCount) throw new Error(`inWindow must be at most ${generatedCount}`)
  if (isFresh) await setAutovacuum(db, 'SET (autovacuum_enabled = off)')
  await generate(db, generatedCount, { now, ...(inWindow === undefined ? {} : { inWindow }) })
  await prepareSiteRow(db)
  await vary(db)
  if (count > generatedCount) await copyAll(db, count / generatedCount - 1, now, inWindow !== undefined)
  if (!isFresh) await db.$executeRaw`VACUUM ANALYZE`
}

/**
 * Autovacuum would slow down the first requests that are measured with freshly loaded tables, and analyze some tables before
 * others, so that measured plans would depend on its time.
 */
export async function setAutovacuum(db: Db, change: string): Promise<void> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()`
  for (const { name } of tables) await db.$executeRawUnsafe(`ALTER TABLE "${name}" ${change}`)
}

/** Without this row the service would rebuild all texts at its first start. */
const prepareSiteRow = (db: Db) => db.$executeRaw`
  INSERT INTO site (password_salt, languages, default_language, text_rules)
  VALUES ('salt', ${[...site.languages]}::text[], ${site.defaultLanguage}, ${textRules}) ON CONFLICT DO NOTHING`

/** Adds records that lists treat differently: statuses, passwords, hidden and child events, tickets, missing coordinates. */
async function vary(db: Db): Promise<void> {
  await db.$executeRaw`
    UPDATE event SET
      status = (CASE nr % 50 WHEN 1 THEN 'draft' WHEN 2 THEN 'private' WHEN 3 THEN 'pending' WHEN 4 THEN 'trash'
        ELSE 'publish' END)::status,
      hide_from_listings = nr % 50 = 5,
      password_key = CASE nr % 50 WHEN 6 THEN 'locked' END,
      parent_id = CASE nr % 25 WHEN 7 THEN first END
    FROM (SELECT id, min(id) OVER () AS first, row_number() OVER (ORDER BY id) AS nr FROM event) numbered
    WHERE numbered.id = event.id`
  await db.$executeRaw`
    INSERT INTO ticket (event_id, position, name, price, currency)
    SELECT id, 0, 'Full price', 12, 'EUR' FROM event WHERE id % 20 = 0`
  await db.$executeRaw`UPDATE venue SET latitude = NULL, longitude = NULL WHERE id % 12 = 0`
  await db.$executeRaw`UPDATE venue SET status = 'draft' WHERE id % 25 = 1`
}

async function copyAll(db: Db, copies: number, now: Date, arePast: boolean): Promise<void> {
  const [{ stride } = { stride: 0 }] = await db.$queryRaw<{ stride: number }[]>`
    SELECT last_value::int AS stride FROM post_id_seq`
  const shifted = (name: string) => ({ [name]: `t.${name} + k * ${stride}` })
  const copy = (table: string, columns: Columns) => copyRows(db, table, copies, columns)
  const rebuild = await dropIndexes(db, `indexdef LIKE '%USING gin%' AND indexname ~ '^(event|venue|organizer)_'`)
  await copy('image', shifted('id'))
  await copy('venue', { ...shifted('id'), ...shifted('image_id'), ...places })
  await copy('organizer', { ...shifted('id'), ...shifted('image_id') })
  const references = { ...shifted('id'), ...shifted('image_id'), ...shifted('parent_id') }
  await copy('event', { ...references, ...dates(now, arePast) })
  for (const kind of ['venue', 'organizer', 'event']) {
    const key = `${kind}_id`
    await copy(`${kind}_text`, { ...shifted(key), ...texts(key) })
    await copy(`${kind}_slug`, { ...shifted(key), slug: slugOf(key) })
  }
  await copy('event_venue', { ...shifted('event_id'), ...shifted('venue_id') })
  await copy('event_organizer', { ...shifted('event_id'), ...shifted('organizer_id') })
  await copy('event_category', shifted('event_id'))
  await copy('event_tag', shifted('event_id'))
  await copy('ticket', { ...shifted('event_id'), id: `nextval(pg_get_serial_sequence('ticket', 'id'))` })
  await db.$queryRawUnsafe(`SELECT setval('post_id_seq', ${stride * (copies + 1)})::text`)
  for (const index of rebuild) await db.$executeRawUnsafe(index)
}

/** SQL for a word that no other record has. */
const word = (key: string) => `left(translate(md5(t.${key} || '/' || k), '0123456789', 'ghijklmnop'), 8)`

const slugOf = (key: string) => `t.slug || '-' || ${word(key)}`

const texts = (key: string): Columns => ({
  name: `t.name || ' ' || ${word(key)}`,
  slug: slugOf(key),
  // The first line of `folded` is the name.
  folded: `split_part(t.folded, E'\\n', 1) || ' ' || ${word(key)} || coalesce(substring(t.folded FROM E'\\n.*'), '')`,
  stems: `t.stems || setweight(to_tsvector('simple', ${word(key)}), 'A')`,
})

/** A quarter of the copies stay in their city, the others are spread over the world. */
const places: Columns = {
  latitude: `CASE WHEN k % 4 = 0 THEN t.latitude ELSE (t.id * 7919 + k * 104729) % 14000 / 100.0 - 60 END
    + 0 * t.latitude`,
  longitude: `CASE WHEN k % 4 = 0 THEN t.longitude ELSE (t.id * 104729 + k * 7919) % 36000 / 100.0 - 180 END
    + 0 * t.longitude`,
}

/** Moves events by whole days. Past and future events stay so, unless all copies must be past. */
function dates(now: Date, arePast: boolean): Columns {
  const day = `(t.starts_local::date - date '${now.toISOString().slice(0, 10)}')`
  const offset = '(t.id * 7919 + k * 104729)'
  const past = `-5 - (abs(${day}) + ${offset}) % 695`
  const target = arePast ? past : `CASE WHEN ${day} >= 0 THEN (${day} + ${offset}) % 700 ELSE ${past} END`
  const names = ['starts_at', 'ends_at', 'starts_local', 'ends_local']
  // Daylight saving time can leave instants an hour off their wall clocks, which does not matter for lists.
  return Object.fromEntries(names.map((name) => [name, `t.${name} + make_interval(days => ${target} - ${day})`]))
}
