// A database of version 0.2 gets the words of its texts by a migration, as the service writes them.
import { expect, test } from 'vitest'
import { insertTexts, servedTexts, textRowsJson } from '../../src/calendar/text/text-rows.ts'
import { migrateUntil } from '../helpers/migrate-until.ts'

const migration = '20261126120000_search_by_postgresql'
const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }

test('the migration adds the words of texts as the service does', async () => {
  const { db, migrateAll } = await migrateUntil(migration)
  await db.$executeRaw`INSERT INTO site (password_salt, languages, default_language, text_rules) VALUES ('', ${site.languages}, 'en', 4)`
  await db.$executeRaw`
    INSERT INTO event (status, published_at, modified_at, original_language, starts_at, ends_at, starts_local, ends_local, time_zone)
    VALUES ('publish', now(), now(), 'en', now(), now(), now(), now(), 'UTC')`
  const [event] = await db.$queryRaw<{ id: number }[]>`SELECT id FROM event`
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
  const rows = servedTexts({ id: event?.id ?? 0, original: 'en', own }, site)
  await db.$executeRaw`
    INSERT INTO event_text (event_id, language, name, description, excerpt, slug, written, source, folded, stems)
    SELECT id, language, name, description, excerpt, slug, written, source, folded,
      setweight(to_tsvector(config::regconfig, title), 'A') || setweight(to_tsvector(config::regconfig, short), 'B')
        || setweight(to_tsvector(config::regconfig, long), 'C')
    FROM jsonb_to_recordset(${textRowsJson('event', rows)}::jsonb) AS row (
      id int, language text, name text, description text, excerpt text, slug text, written text[], source text,
      folded text, config text, title text, short text, long text)`
  await migrateAll()
  const stored = () => db.$queryRaw`
    SELECT language, folded, folded_name, stems::text, (SELECT text_rules FROM site) AS rules FROM event_text ORDER BY language`
  const tokens = () => db.$queryRaw`SELECT DISTINCT token FROM search_token ORDER BY token`
  const migrated = [await stored(), await tokens()]
  await db.$executeRaw`DELETE FROM event_text`
  await db.$executeRaw`TRUNCATE search_token`
  await db.$executeRaw`${insertTexts('event', rows)}`
  expect(migrated).toEqual([await stored(), await tokens()])
})
