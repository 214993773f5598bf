// What a start says that takes long, and of accounts. memory.test.ts has a first start with the sample.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import { emptyDatabaseUrl, unmigratedDatabaseUrl } from '../helpers/db.ts'
import { loadEarlierVersion } from '../helpers/earlier-version.ts'
import { type Service, startService } from '../helpers/process.ts'
import { basic } from '../helpers/users.ts'

const isServer = inject('server')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-announcements-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts, waits until all processes serve requests, calls `use`, and returns what the start printed, by lines. */
async function printedBy(env: Record<string, string>, use: (service: Service) => Promise<void>): Promise<string[]> {
  const service = await startService({ IMAGES_DIR: join(folder, 'images'), LOG_LEVEL: 'trace', ...env })
  try {
    await service.ready()
    await expect.poll(() => service.output()).toContain('The calendar is open')
    await use(service)
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
  }
  return service.output().split('\n')
}

/** Log lines are JSON. */
const isLogged = (line: string) => line.startsWith('{')

async function roleOf({ url }: Service, login: string, password: string): Promise<unknown> {
  const headers = { authorization: basic(login, password) }
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent('{ viewer { role } }')}`, { headers })
  return response.ok ? ((await response.json()) as { data: { viewer: { role: string } } }).data.viewer.role : undefined
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
  test('says that the database is migrated, that texts are rebuilt, and that TRUST_PROXY=on trusts everybody; only the first start prints the first password, and no start logs it', async () => {
    const { url: DATABASE_URL, drop } = await unmigratedDatabaseUrl(join(folder, 'upgrade'))
    const database = await openDatabase(DATABASE_URL, 1)
    await loadEarlierVersion(database)
    await database.close()
    const env = { DATABASE_URL, SEED: 'off', WORKERS: isServer ? '2' : '1' }
    let password = ''
    const first = await printedBy(env, async (service) => {
      password = /^ {2}password {2}(\S+)$/m.exec(service.output())?.[1] ?? ''
      expect(await roleOf(service, 'admin', password)).toBe('ADMINISTRATOR')
      expect(await roleOf(service, 'admin', 'guessed-wrong')).toBeUndefined()
    })
    expect(first.filter((line) => !isLogged(line)).slice(0, 7)).toEqual([
      `Migrating the database of an earlier version: ${readdirSync('prisma/migrations').length} migrations.`,
      'The first administrator, shown only now:',
      '  login     admin',
      `  password  ${password}`,
      'No administrator has a password for the editor yet. With this link admin chooses one, once and within 24 hours:',
      expect.stringMatching(/^ {2}http:\S+\/sign-in\/link\?token=\w{43}$/),
      'The calendar is open:',
    ])
    expect(first.filter(isLogged).length).toBeGreaterThan(0)
    expect(first.filter((line) => line.includes(password))).toHaveLength(1)
    expect(first.join('\n')).not.toMatch(/guessed-wrong|Basic /)

    const given = { ADMIN_LOGIN: 'ada', ADMIN_PASSWORD: 'correct horse' }
    const second = await printedBy({ ...env, ...given, LANGUAGES: 'en,de', TRUST_PROXY: 'on' }, async (service) => {
      expect(await roleOf(service, 'ada', 'correct horse')).toBe('ADMINISTRATOR')
      expect(await roleOf(service, 'admin', password)).toBe('ADMINISTRATOR')
    })
    expect(second.filter((line) => !isLogged(line)).slice(0, 2)).toEqual([
      'Rebuilding the texts of all records, because LANGUAGES, DEFAULT_LANGUAGE or the version has changed.',
      'The calendar is open:',
    ])
    expect(second.join('\n')).not.toContain('correct horse')
    const warnings = second.filter(isLogged).map((line) => JSON.parse(line))
    const advice =
      /^TRUST_PROXY=on.*any client choose its own address.*X-Forwarded-For.*addresses of the proxies.*127\.0\.0\.1,10/
    expect(warnings.filter(({ level }) => level >= 40)).toEqual([
      expect.objectContaining({ msg: expect.stringMatching(advice) }),
    ])
    await drop()
  })
})
