// Dumps from before functions set their search path are restored by the commands of docs/operations.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { databaseOf, documented, readContents, runCommands } from '../helpers/dumps.ts'
import { loadEarlierVersion } from '../helpers/earlier-version.ts'
import { administer } from '../helpers/global-setup.ts'
import { type Service, startService } from '../helpers/process.ts'

const records = `
  INSERT INTO venue (status, published_at, modified_at, original_language)
    SELECT 'publish', '2026-11-01', '2026-11-01', 'fr' FROM generate_series(1, 50);
  INSERT INTO venue_text (venue_id, language, name, description, excerpt, slug, written, source, folded, stems)
    SELECT id, language, 'Théâtre ' || id, '<p>Une salle</p>', '', 'theatre-' || id, '{name,description,slug}', 'fr',
      'theatre ' || id || E'\\nune salle', to_tsvector('french', 'theatre salle')
    FROM venue, unnest(ARRAY['en', 'fr', 'es']) AS language;
  INSERT INTO venue_slug (slug, venue_id) SELECT 'theatre-' || id, id FROM venue;
  INSERT INTO organizer (status, published_at, modified_at, original_language)
    VALUES ('publish', '2026-11-01', '2026-11-01', 'en');
  INSERT INTO organizer_text (organizer_id, language, name, description, excerpt, slug, written, source, folded)
    SELECT id, 'en', 'The circle', '', '', 'circle', '{name}', 'en', 'the circle' FROM organizer;
  INSERT INTO category (original_language) VALUES ('en');
  INSERT INTO category_text (category_id, language, name, description, slug, written, source, folded)
    SELECT id, 'en', 'Music', '', 'music', '{name}', 'en', 'music' FROM category;
  INSERT INTO tag (original_language) VALUES ('en');
  INSERT INTO tag_text (tag_id, language, name, description, slug, written, source, folded)
    SELECT id, 'en', 'Free', '', 'free', '{name}', 'en', 'free' FROM tag;
  INSERT INTO event (status, published_at, modified_at, original_language, starts_at, ends_at, starts_local, ends_local, time_zone, cost)
    VALUES ('publish', '2026-11-01', '2026-11-01', 'fr', '2099-06-01 18:00Z', '2099-06-01 20:00Z', '2099-06-01 20:00', '2099-06-01 22:00', 'Europe/Paris', '{5 €}');
  INSERT INTO event_text (event_id, language, name, description, excerpt, slug, written, source, folded, stems)
    SELECT id, language, 'Répétition', '', '', 'repetition', '{name}', 'fr', 'repetition', to_tsvector('french', 'repetition')
    FROM event, unnest(ARRAY['en', 'fr', 'es']) AS language;
  INSERT INTO event_venue (event_id, venue_id, position) SELECT event.id, venue.id, 0 FROM event, venue ORDER BY 2 LIMIT 1;
  INSERT INTO event_category (event_id, category_id) SELECT event.id, category.id FROM event, category;`

describe.runIf(inject('server'))('earlier dumps', () => {
  let folder: string
  let cluster: Cluster
  let service: Service | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'calendar-earlier-'))
    cluster = await startCluster(['fsync=off'])
    await administer(cluster.url, 'CREATE DATABASE calendar')
    const database = openServerDatabase(databaseOf(cluster.url, 'calendar'), 1)
    await loadEarlierVersion(database)
    await database.pool.query(records)
    await database.close()
    await run('pg_dump -Fc -f calendar.dump calendar; pg_dump -f calendar.sql calendar')
  })
  afterAll(() => {
    cluster?.drop()
    rmSync(folder, { recursive: true })
  })
  afterEach(async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
    await administer(cluster.url, 'DROP DATABASE IF EXISTS restored WITH (FORCE)')
  })

  const run = (commands: string) => runCommands(commands, { url: cluster.url, folder })
  const restored = () => databaseOf(cluster.url, 'restored')
  const start = async () => {
    service = await startService({ DATABASE_URL: restored(), SEED: 'off', IMAGES_DIR: join(folder, 'images') })
    return service
  }

  test('are refused by a restore that stops at the first error', async () => {
    for (const part of ['-j 4 -d restored', 'psql -X -v ON_ERROR_STOP=1 -1 -d restored -f calendar.sql']) {
      await expect(run(documented(part))).rejects.toThrow('function word_prefixes(text, integer) does not exist')
      await administer(cluster.url, 'DROP DATABASE restored')
    }
  })

  test('lose their texts in another restore, after which the service does not start', async () => {
    await run('createdb restored; psql -X -d restored -f calendar.sql')
    const { ended, output } = await start()
    expect(await ended).toBe(1)
    expect(output()).toContain('The database has venues, organizers, categories and tags without any text')
  })

  test.each(['name_terms', 'corrected.sql'])('are restored with all rows by the commands with %s', async (part) => {
    await run(documented(part))
    const before = await readContents(databaseOf(cluster.url, 'calendar'))
    expect(await readContents(restored())).toEqual(before)
    expect(before.tables.venue_text).toMatch(/^150 rows/)
    const { ready, url } = await start()
    await ready()
    const venues = await (await fetch(`${url}/fr/cal/events/v1/venues?per_page=50&search=theatre`)).json()
    expect(venues).toMatchObject({ total: 50, venues: expect.any(Array) })
    for (const { venue } of venues.venues) expect(venue).toMatch(/^Théâtre \d+$/)
    const events = await (await fetch(`${url}/cal/events/v1/events?search=petition&end_date=2100-01-01`)).json()
    expect(events).toMatchObject({
      total: 1,
      events: [{ title: 'Répétition', venue: { description: '<p>Une salle</p>' } }],
    })
  })
})
