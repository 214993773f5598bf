// Databases of earlier versions are taken over: they get the schema of the initial migration, and keep their records.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTextRowsSql, textRowsToJson, toServedTextRows } from '../../src/calendar/text/text-rows.ts'
import type { Db } from '../../src/engine/postgres/client.ts'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import type { Database } from '../../src/engine/postgres/pool.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { openTestDatabase, type TestDatabase, unmigratedDatabaseUrl } from '../helpers/db.ts'
import { lastMigration, loadEarlierVersion } from '../helpers/earlier-version.ts'

const initial = '20261126170000_initial'
const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }

let empty: { readonly database: Database; readonly db: Db; close(): Promise<void> }
let fresh: TestDatabase

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-earlier-'))
  const { url, drop } = await unmigratedDatabaseUrl(join(folder, 'data'))
  const database = await openDatabase(url, 2)
  const db = createClient(database.pool)
  const close = async () => {
    await db.$disconnect()
    await database.close()
    await drop()
    rmSync(folder, { recursive: true })
  }
  empty = { database, db, close }
  fresh = await openTestDatabase()
})
afterAll(async () => {
  await empty?.close()
  await fresh?.close()
})

/** What PostgreSQL says of everything in the schema, apart from parentheses that it adds when it reads a condition again. */
async function readSchema({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(`
    SELECT concat_ws(' ', attrelid::regclass, row_number() OVER (PARTITION BY attrelid ORDER BY attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attstorage, attcollation::regcollation, attgenerated,
      pg_get_expr(adbin, adrelid)) AS text
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT concat_ws(' ', relname, relkind, relpersistence, reloptions, CASE WHEN relkind = 'i' THEN pg_get_indexdef(oid) END)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ORDER BY 1`)
  return rows.map(({ text }) => text.replace(/[()]/g, ''))
}

test('a database with all former migrations is left as it is', async () => {
  const { database } = fresh
  const schema = await readSchema(database)
  const before = await readHistory(database)
  const folder = mkdtempSync(join(tmpdir(), 'calendar-initial-'))
  cpSync(`prisma/migrations/${initial}`, join(folder, 'migrations', initial), { recursive: true })
  cpSync('prisma/earlier', join(folder, 'earlier'), { recursive: true })
  await database.pool.query('DELETE FROM _prisma_migrations WHERE migration_name > $1', [initial])
  await database.pool.query(`UPDATE _prisma_migrations SET migration_name = '20261126160000_uid_host'`)
  try {
    expect(await migrate(database, pathToFileURL(`${folder}/migrations/`))).toEqual([initial])
    expect(await readSchema(database)).toEqual(schema)
  } finally {
    // Other files use the database, too.
    await replaceHistory(database, before)
    rmSync(folder, { recursive: true })
  }
})

/** The table of migrations, as JSON. */
async function readHistory({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ history: string }>(
    'SELECT json_agg(m ORDER BY started_at)::text AS history FROM _prisma_migrations m',
  )
  return rows[0]?.history ?? ''
}

async function replaceHistory({ pool }: Database, history: string): Promise<void> {
  await pool.query('DELETE FROM _prisma_migrations')
  await pool.query(
    'INSERT INTO _prisma_migrations SELECT * FROM json_populate_recordset(NULL::_prisma_migrations, $1)',
    [history],
  )
}

// The database of an earlier version is filled, refused and upgraded once.
test('a database of version 0.2 with its later changes gets the schema of a new one, and its records what the service writes', async () => {
  const { database, db } = empty
  await loadEarlierVersion(database)
  const checkPlaces = await addPricesAndPlaces(db)
  const checkTexts = await addTexts(db)

  const history = await readHistory(database)
  await database.pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [lastMigration])
  await expect(migrate(database)).rejects.toThrow(
    /whose last migration is 20261125090000_ends_in_order.*docs\/operations\.md#databases-of-earlier-versions/,
  )
  await replaceHistory(database, history)

  const schema = await readSchema(fresh.database)
  expect(await readSchema(database)).not.toEqual(schema)
  expect(await migrate(database)).toContain(initial)
  expect(await readSchema(database)).toEqual(schema)
  expect(await migrate(database)).toEqual([])
  await checkPlaces()
  await checkTexts()
})

/** Returns a check that the migration reads prices, cities and addresses again. */
async function addPricesAndPlaces(db: Db) {
  for (const cost of [['1\u00a0000 € / 800 €'], ['$5'], []]) {
    await db.$executeRaw`
      INSERT INTO event (status, published_at, modified_at, original_language, starts_at, ends_at, starts_local, ends_local, time_zone, cost)
      VALUES ('publish', now(), now(), 'en', now(), now(), now(), now(), 'UTC', ${cost}::text[])`
  }
  await db.$executeRaw`
    INSERT INTO venue (status, published_at, modified_at, original_language, city, address)
    VALUES ('publish', now(), now(), 'en', 'Łódź', 'Rue de l’Œillet')`
  return async () => {
    const prices = db.$queryRaw`
      SELECT lowest_cost AS lowest, highest_cost AS highest, cost_currency AS currency FROM event ORDER BY id`
    expect(await prices).toEqual([
      { lowest: 800, highest: 1000, currency: '€' },
      { lowest: 5, highest: 5, currency: '$' },
      { lowest: null, highest: null, currency: null },
    ])
    const places = await db.$queryRaw`SELECT folded_city, folded_address FROM venue`
    expect(places).toEqual([{ folded_city: 'lodz', folded_address: "rue de l'oeillet" }])
  }
}

/** Returns a check that texts get the words that the service writes. */
async function addTexts(db: Db) {
  await db.$executeRaw`INSERT INTO site (password_salt, languages, default_language, text_rules) VALUES ('', ${site.languages}, 'en', 4)`
  const [event] = await db.$queryRaw<{ id: number }[]>`SELECT min(id) AS id FROM event`
  const own = new Map([
    [
      'en',
      {
        name: 'Jazz/Blues at “Bar’s” — 20.30',
        description: `<p>Running, the choir's <b>con</b>cert</p>${'x'.repeat(3000)}`,
      },
    ],
    ['fr', { name: 'L’été à Évian', excerpt: 'Concerts & ateliers' }],
  ])
  const rows = toServedTextRows({ id: event?.id ?? 0, original: 'en', own }, site)
  await db.$executeRaw`
    INSERT INTO event_text (event_id, language, name, description, excerpt, slug, written, source, folded, stems)
    SELECT id, language, name, description, excerpt, slug, written, source, folded,
      setweight(to_tsvector(config::regconfig, title), 'A') || setweight(to_tsvector(config::regconfig, short), 'B')
        || setweight(to_tsvector(config::regconfig, long), 'C')
    FROM jsonb_to_recordset(${textRowsToJson('event', rows)}::jsonb) AS row (
      id int, language text, name text, description text, excerpt text, slug text, written text[], source text,
      folded text, config text, title text, short text, long text)`
  const stored = () => db.$queryRaw`
    SELECT language, folded, folded_name, stems::text, (SELECT text_rules FROM site) AS rules FROM event_text ORDER BY language`
  const tokens = () => db.$queryRaw`SELECT DISTINCT token FROM search_token ORDER BY token`
  return async () => {
    const migrated = [await stored(), await tokens()]
    await db.$executeRaw`DELETE FROM content_text`
    await db.$executeRaw`TRUNCATE search_token`
    await db.$executeRaw`${insertTextRowsSql('event', rows)}`
    expect(migrated).toEqual([await stored(), await tokens()])
  }
}
