// A database whose records lack their texts, as after a dump was restored with errors.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import { initializeSite } from '../../src/calendar/site/site.ts'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'
import { runCommands, startCli, startService } from '../helpers/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'calendar-texts-'))
let url: string
let drop: () => Promise<void>
afterAll(async () => {
  await drop()
  rmSync(folder, { recursive: true })
})
beforeAll(async () => {
  const created = await migratedDatabaseUrl(join(folder, 'data'))
  url = created.url
  drop = created.drop
  const database = await openDatabase(url, 1)
  const db = createClient(database.pool)
  await database.pool.query(`INSERT INTO organizer (status, published_at, modified_at, original_language)
    VALUES ('publish', now(), now(), 'en')`)
  await makeEvent(db, { fr: 'Répétition' })
  // A change of the languages gives the organizer empty texts.
  for (const languages of [['fr'], ['en', 'fr', 'es']])
    await initializeSite(db, { ...readSettings({}), languages, defaultLanguage: 'fr' })
  await database.pool.query(`INSERT INTO venue (status, published_at, modified_at, original_language)
    SELECT 'publish', now(), now(), 'en' FROM generate_series(1, 3)`)
  await database.pool.query(`INSERT INTO tag (original_language) VALUES ('en')`)
  await database.pool.query(`INSERT INTO venue_text (venue_id, language, name, description, excerpt, slug, written, source, folded)
    SELECT id, 'fr', 'Salle', '', '', 'salle', '{name}', 'fr', 'salle' FROM venue ORDER BY id LIMIT 2`)
  await db.$disconnect()
  await database.close()
})

const reason =
  'The database has venues, organizers and tags without any text, as after a dump was restored with errors.'

// The last test deletes the records.
describe('such a database', { shuffle: false }, () => {
  test.each(inject('server') ? ['1', '2'] : ['1'])('is refused at the start of %s processes', async (WORKERS) => {
    const service = await startService({ DATABASE_URL: url, SEED: 'off', WORKERS })
    expect(await service.ended).toBe(1)
    expect(service.output()).toContain(reason)
    expect(service.output()).toContain('docs/operations.md#backups')
  })

  test('is refused by commands until these records are deleted', async () => {
    const outcomes = await runCommands({ DATABASE_URL: url }, [
      ['export', join(folder, 'all.ndjson')],
      ['user', 'list'],
    ])
    const refused = { code: 1, out: '', err: expect.stringContaining(reason) }
    expect(outcomes).toEqual([refused, refused])
    const [documented = ''] = /DELETE FROM venue [^`]+/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
    const database = await openDatabase(url, 1)
    for (const kind of ['venue', 'organizer', 'tag']) await database.pool.query(documented.replaceAll('venue', kind))
    const { rows } = await database.pool.query('SELECT 1 FROM venue UNION ALL SELECT 1 FROM event')
    expect(rows).toHaveLength(3)
    await database.close()
    expect(await startCli({ DATABASE_URL: url }, 'user', 'list').done).toMatchObject({ code: 0, err: '' })
  })
})
