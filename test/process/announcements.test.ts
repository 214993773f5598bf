// What a start says that takes long. memory.test.ts has a first start with the sample.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { loadEarlierVersion } from '../helpers/earlier-version.ts'
import { startService } from '../helpers/process.ts'

const isServer = inject('server')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-announcements-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What a start prints until all processes serve requests. */
async function printedBy(env: Record<string, string>): Promise<string> {
  const service = await startService({ IMAGES_DIR: join(folder, 'images'), ...env })
  try {
    await service.ready()
    await expect.poll(() => service.output()).toContain('The calendar is open')
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
  }
  return service.output()
}

describe('a first start', () => {
  test('says it in the log in production', async () => {
    const place = join(folder, 'production')
    const { url: DATABASE_URL, drop } = await emptyDatabaseUrl(place)
    const WORKERS = isServer ? '2' : '1'
    const service = await startService({
      ...{ DATABASE_URL, WORKERS, LOG_LEVEL: 'info', NODE_ENV: 'production' },
      SEED: isServer ? 'on' : 'off',
    })
    await expect.poll(() => service.output()).toContain('\n')
    service.child.kill('SIGKILL')
    await service.ended
    const [line = ''] = service.output().split('\n')
    expect(JSON.parse(line)).toMatchObject(
      isServer
        ? { level: 30, msg: 'Loading sample events.', worker: 1 }
        : { level: 30, msg: `Creating the database in ${place}. This first start takes up to a minute.` },
    )
    await drop()
  })
})

describe('an upgrade', () => {
  test('says that the database is migrated, and that texts are rebuilt', async () => {
    const { url: DATABASE_URL, drop } = await emptyDatabaseUrl(join(folder, 'upgrade'))
    const database = await openDatabase(DATABASE_URL, 1)
    await loadEarlierVersion(database)
    await database.close()
    const env = {
      DATABASE_URL,
      SEED: 'off',
      WORKERS: isServer ? '2' : '1',
      ADMIN_LOGIN: 'a',
      ADMIN_PASSWORD: 'a long password',
    }
    expect((await printedBy(env)).split('\n').slice(0, 2)).toEqual([
      'Migrating the database of an earlier version: 1 migration.',
      'The calendar is open:',
    ])
    expect((await printedBy({ ...env, LANGUAGES: 'en,de' })).split('\n').slice(0, 2)).toEqual([
      'Rebuilding the texts of all records, because LANGUAGES, DEFAULT_LANGUAGE or the version has changed.',
      'The calendar is open:',
    ])
    await drop()
  })
})
