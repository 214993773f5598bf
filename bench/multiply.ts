// Copies all records inside a database that `grow` filled, which is much faster than to create them:
// node bench/multiply.ts <DATABASE_URL> [times]
// The triggers do not run, so the role must be a superuser. Titles, slugs and search terms of the copies are their own.
import { createClient, type Db } from '../src/db/client.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { type Columns, copyRows, dropIndexes } from './copy-rows.ts'

/** SQL for the word that `grow` appended to a name or slug; empty for records that it did not copy. */
const ownWord = (id: string, column: string, stride: number) =>
  `CASE WHEN ${id} > ${stride} THEN coalesce(substring(${column} FROM '[a-p]{8,}$'), '') ELSE '' END`

/** SQL for a word that no other record has. Eight letters would be too few. */
const newWord = (id: string) => `left(translate(md5(${id} || '/m' || k), '0123456789', 'ghijklmnop'), 12)`

const plurals = ['event', 'venue', 'organizer'] as const

async function multiply(db: Db, times: number): Promise<void> {
  const [counts] = await db.$queryRaw<{ last: number; stride: number }[]>`
    SELECT (SELECT last_value::int FROM post_id_seq) AS last,
      (SELECT coalesce(min(event_id), 1) - 1 FROM event_text WHERE name ~ ' [a-p]{8,}$') AS stride`
  const { last = 0, stride = 0 } = counts ?? {}
  const shifted = (name: string) => ({ [name]: `t.${name} + k * ${last}` })
  const copy = async (table: string, columns: Columns) => {
    const start = performance.now()
    await copyRows(db, table, times - 1, columns)
    console.log(`${table} ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  const rebuild = await dropIndexes(db, `indexdef LIKE 'CREATE INDEX %'`)
  await copy('image', shifted('id'))
  await copy('image_text', shifted('image_id'))
  await copy('venue', { ...shifted('id'), ...shifted('image_id') })
  await copy('organizer', { ...shifted('id'), ...shifted('image_id') })
  await copy('event', { ...shifted('id'), ...shifted('image_id'), ...shifted('parent_id'), ...dates, uid: 'NULL' })
  for (const kind of plurals) {
    const key = `${kind}_id`
    const [id, fresh] = [`t.${key}`, newWord(`t.${key}`)]
    const renamed = (column: string, separator: string) => {
      const own = ownWord(id, `t.${column}`, stride)
      return `CASE ${own} WHEN '' THEN t.${column} || '${separator}' || ${fresh} ELSE replace(t.${column}, ${own}, ${fresh}) END`
    }
    const own = ownWord(id, 't.name', stride)
    await copy(`${kind}_text`, {
      ...shifted(key),
      name: renamed('name', ' '),
      slug: renamed('slug', '-'),
      // The first line of `folded` is the name.
      folded: `CASE ${own} WHEN '' THEN split_part(t.folded, E'\\n', 1) || ' ' || ${fresh} || coalesce(substring(t.folded FROM E'\\n.*'), '')
        ELSE replace(t.folded, ${own}, ${fresh}) END`,
      stems: `ts_delete(t.stems, ${own}) || setweight(to_tsvector('simple', ${fresh}), 'A')`,
    })
    await copy(`${kind}_slug`, { ...shifted(key), slug: renamed('slug', '-') })
  }
  await copy('event_venue', { ...shifted('event_id'), ...shifted('venue_id') })
  await copy('event_organizer', { ...shifted('event_id'), ...shifted('organizer_id') })
  await copy('event_category', shifted('event_id'))
  await copy('event_tag', shifted('event_id'))
  await copy('ticket', { ...shifted('event_id'), id: `nextval(pg_get_serial_sequence('ticket', 'id'))` })
  await copy('event_facet_keys', {
    ...shifted('event_id'),
    venue_ids: `ARRAY(SELECT id + k * ${last} FROM unnest(t.venue_ids) AS id)`,
    organizer_ids: `ARRAY(SELECT id + k * ${last} FROM unnest(t.organizer_ids) AS id)`,
    starts_at: `(SELECT starts_at FROM event WHERE id = t.event_id + k * ${last} AND NOT lasts_long)`,
  })
  // The collations of names and terms differ.
  const name = `(SELECT name COLLATE "C" FROM event_text WHERE event_id = t.event_id LIMIT 1)`
  const [own, fresh] = [ownWord('t.event_id', name, stride), newWord('t.event_id')]
  const terms = `array_to_string(t.terms, E'\\n')`
  await copy('event_search', {
    ...shifted('event_id'),
    terms: `string_to_array(CASE ${own} WHEN '' THEN ${terms} || E'\\n*=' || ${fresh} || E'\\n*#' || ${fresh}
      ELSE replace(${terms}, ${own}, ${fresh}) END, E'\\n')`,
  })
  await db.$executeRawUnsafe(
    `INSERT INTO search_token (token) SELECT ${newWord('t.id')} FROM event t, generate_series(1, ${times - 1}) AS k
      WHERE t.id <= ${last}`,
  )
  await db.$executeRawUnsafe(`UPDATE category_count SET events = events * ${times}`)
  await db.$executeRawUnsafe(`UPDATE tag_count SET events = events * ${times}`)
  await db.$queryRawUnsafe(`SELECT setval('post_id_seq', ${last * times})::text`)
  for (const index of rebuild) {
    const start = performance.now()
    await db.$executeRawUnsafe(index)
    console.log(`${index.slice(0, 80)} ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  await db.$executeRawUnsafe('VACUUM ANALYZE')
}

/** Moves the copies by up to two weeks. */
const dates: Columns = Object.fromEntries(
  ['starts_at', 'ends_at', 'starts_local', 'ends_local'].map((name) => [
    name,
    `t.${name} + make_interval(days => ((t.id * 7919 + k * 104729) % 29) - 14)`,
  ]),
)

const [url, times = '10'] = process.argv.slice(2)
if (url === undefined || !(Number(times) > 1)) {
  console.error('usage: node bench/multiply.ts <DATABASE_URL> [times]')
  process.exit(1)
}
const database = await openDatabase(url, 1)
await database.pool.query(
  `SET session_replication_role = replica; SET maintenance_work_mem = '1GB'; SET work_mem = '64MB'`,
)
const db = createClient(database.pool)
await multiply(db, Number(times))
await db.$disconnect()
await database.close()
