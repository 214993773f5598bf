// Many events fast: a few hundred are made as the service makes them, the others are copies made inside the database.
import { textRules } from '../src/content/text/text-rows.ts'
import type { Db } from '../src/db/client.ts'
import { generate } from './generate.ts'
import { site } from './write-texts.ts'

export interface GrowOptions {
  readonly now: Date
  /** How many events lists show by default; without it 60 of 100. The others are over. */
  readonly inWindow?: number
}

/** How many events are made one by one. */
const made = 500

/** Fills an empty, migrated database with so many events, a tenth as many venues, a twentieth as many organizers. */
export async function grow(db: Db, count: number, { now, inWindow }: GrowOptions): Promise<void> {
  if (count % made !== 0) throw new Error(`A multiple of ${made} events, not ${count}`)
  if (inWindow !== undefined && inWindow > made) throw new Error(`At most ${made} of them inside the window`)
  await generate(db, made, { now, ...(inWindow === undefined ? {} : { inWindow }) })
  await prepareSiteRow(db)
  await vary(db)
  if (count > made) await copyAll(db, count / made - 1, now, inWindow !== undefined)
  await db.$executeRaw`VACUUM ANALYZE`
}

/** Otherwise the service would make all texts anew at its first start. */
const prepareSiteRow = (db: Db) => db.$executeRaw`
  INSERT INTO site (password_salt, languages, default_language, text_rules)
  VALUES ('salt', ${[...site.languages]}::text[], ${site.defaultLanguage}, ${textRules}) ON CONFLICT DO NOTHING`

/** A few of everything that lists treat apart: statuses, locks, hidden ones, parts of others, tickets, unknown places. */
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

/** What a column of a copy holds, by table: `t` is the original, `k` the number of the copy. */
type Columns = Readonly<Record<string, string>>

async function copyAll(db: Db, copies: number, now: Date, areOver: boolean): Promise<void> {
  const [{ stride } = { stride: 0 }] = await db.$queryRaw<{ stride: number }[]>`
    SELECT last_value::int AS stride FROM post_id_seq`
  const moved = (name: string) => ({ [name]: `t.${name} + k * ${stride}` })
  const copy = (table: string, columns: Columns) => copyTable(db, table, copies, columns)
  const rebuild = await dropSearchIndexes(db)
  await copy('image', moved('id'))
  await copy('venue', { ...moved('id'), ...moved('image_id'), ...places })
  await copy('organizer', { ...moved('id'), ...moved('image_id') })
  const references = { ...moved('id'), ...moved('image_id'), ...moved('parent_id') }
  await copy('event', { ...references, ...dates(now, areOver) })
  for (const kind of ['venue', 'organizer', 'event']) {
    const key = `${kind}_id`
    await copy(`${kind}_text`, { ...moved(key), ...texts(key) })
    await copy(`${kind}_slug`, { ...moved(key), slug: slugOf(key) })
  }
  await copy('event_venue', { ...moved('event_id'), ...moved('venue_id') })
  await copy('event_organizer', { ...moved('event_id'), ...moved('organizer_id') })
  await copy('event_category', moved('event_id'))
  await copy('event_tag', moved('event_id'))
  await copy('ticket', { ...moved('event_id'), id: `nextval(pg_get_serial_sequence('ticket', 'id'))` })
  await db.$queryRawUnsafe(`SELECT setval('post_id_seq', ${stride * (copies + 1)})::text`)
  for (const index of rebuild) await db.$executeRawUnsafe(index)
}

async function copyTable(db: Db, table: string, copies: number, columns: Columns): Promise<void> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT column_name::text AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND is_generated = 'NEVER'`
  const names = rows.map(({ name }) => name)
  await db.$executeRawUnsafe(
    `INSERT INTO "${table}" (${names.join(', ')}) SELECT ${names.map((name) => columns[name] ?? `t.${name}`).join(', ')}
      FROM "${table}" t, generate_series(1, ${copies}) AS k`,
  )
}

/** A word that no other record has. */
const word = (key: string) => `left(translate(md5(t.${key} || '/' || k), '0123456789', 'ghijklmnop'), 8)`

const slugOf = (key: string) => `t.slug || '-' || ${word(key)}`

const texts = (key: string): Columns => ({
  name: `t.name || ' ' || ${word(key)}`,
  slug: slugOf(key),
  // The name is the first line.
  folded: `split_part(t.folded, E'\\n', 1) || ' ' || ${word(key)} || coalesce(substring(t.folded FROM E'\\n.*'), '')`,
  stems: `t.stems || setweight(to_tsvector('simple', ${word(key)}), 'A')`,
})

/** One in four stays in its city, the others are all over the world. */
const places: Columns = {
  latitude: `CASE WHEN k % 4 = 0 THEN t.latitude ELSE (t.id * 7919 + k * 104729) % 14000 / 100.0 - 60 END
    + 0 * t.latitude`,
  longitude: `CASE WHEN k % 4 = 0 THEN t.longitude ELSE (t.id * 104729 + k * 7919) % 36000 / 100.0 - 180 END
    + 0 * t.longitude`,
}

/** Whole days later or earlier, on the same side of today unless all are to be over. */
function dates(now: Date, areOver: boolean): Columns {
  const day = `(t.starts_local::date - date '${now.toISOString().slice(0, 10)}')`
  const stir = '(t.id * 7919 + k * 104729)'
  const over = `-5 - (abs(${day}) + ${stir}) % 695`
  const target = areOver ? over : `CASE WHEN ${day} >= 0 THEN (${day} + ${stir}) % 700 ELSE ${over} END`
  const names = ['starts_at', 'ends_at', 'starts_local', 'ends_local']
  // Changes of clocks in between leave instants an hour off their wall clocks, which no list notices.
  return Object.fromEntries(names.map((name) => [name, `t.${name} + make_interval(days => ${target} - ${day})`]))
}

/** They are made faster than kept. Gives the statements that make them. */
async function dropSearchIndexes(db: Db): Promise<string[]> {
  const indexes = await db.$queryRaw<{ name: string; definition: string }[]>`
    SELECT indexname::text AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = current_schema() AND indexdef LIKE '%USING gin%' AND indexname ~ '^(event|venue|organizer)_'`
  for (const { name } of indexes) await db.$executeRawUnsafe(`DROP INDEX "${name}"`)
  return indexes.map(({ definition }) => definition)
}
