// The service behind PgBouncer in transaction mode.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { prepareDatabaseServer } from '../../src/engine/postgres/prepare-server.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { administer } from '../helpers/global-setup.ts'
import { hasPooler, type Pooler, startPooler } from '../helpers/pooler.ts'
import { authorization, killAll, type Service, startCli, startInstances } from '../helpers/process.ts'

const ns = '/cal/events/v1'
const settings = { startupTimeout: 5000, requestTimeout: 10_000 }

// Embedded databases have no pooler, and PgBouncer is a package of the system.
describe.runIf(inject('server') && hasPooler)('with PgBouncer in transaction mode', () => {
  let direct: string
  let drop: () => Promise<void>
  let pooler: Pooler
  let services: Service[]
  beforeAll(async () => {
    ;({ url: direct, drop } = await emptyDatabaseUrl(''))
    pooler = await startPooler(direct)
    const env = { DATABASE_URL: pooler.url(direct), DATABASE_DIRECT_URL: direct, PREPARED_STATEMENTS: 'off' }
    services = await startInstances(2, env)
  })
  afterAll(async () => {
    await killAll(services)
    await pooler.close()
    await drop()
  })

  const get = async (service: Service | undefined, path: string) => {
    const response = await fetch(`${service?.url}${ns}${path}`)
    const [, cache] = (response.headers.get('cache-status') ?? '').split('; ')
    return { status: response.status, cache, body: await response.json() }
  }
  const post = async (service: Service | undefined, path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(`${service?.url}${ns}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }

  test('writes of one instance invalidate the cached responses of another', async () => {
    const [a, b] = services
    const created = await post(a, '/tags', { name: 'Version 0' })
    expect(created.status).toBe(201)
    const path = `/tags/${created.body.id}`
    await Promise.all(Array.from({ length: 30 }, () => get(b, `${path}?n=${Math.random()}`)))
    for (let version = 1; version <= 20; version += 1) {
      const name = `Version ${version}`
      expect((await post(a, path, { name })).status).toBe(200)
      expect((await get(a, path)).body.name).toBe(name)
      await expect.poll(async () => (await get(b, path)).body.name, { interval: 10 }).toBe(name)
      // On a busy machine, the response that showed the change may have been built while its notification was under way.
      await expect.poll(() => get(b, path)).toMatchObject({ status: 200, cache: 'hit', body: { name } })
    }
  })

  test('repeated reads and simultaneous writes succeed on shared connections', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const service = services[n % 2]
        if (n % 3 === 0) return (await post(service, '/tags', { name: `Tag ${n}` })).status
        return (await get(service, `/tags?per_page=5&page=1&n=${n}`)).status
      }),
    )
    expect(statuses.filter((_, n) => n % 3 === 0)).toEqual(Array(20).fill(201))
    expect(statuses.filter((_, n) => n % 3 !== 0)).toEqual(Array(40).fill(200))
  })

  test('statements run with the settings of the service, which are stored for the role', async () => {
    const pooled = openServerDatabase(pooler.url(direct), 1, direct)
    const { rows } = await pooled.pool.query(
      "SELECT current_setting('TimeZone') AS zone, current_setting('jit') AS jit, current_setting('statement_timeout') AS timeout",
    )
    await pooled.close()
    expect(rows).toEqual([{ zone: 'UTC', jit: 'off', timeout: '10s' }])
  })

  test('requests succeed again after a restart of PgBouncer', async () => {
    await pooler.restart()
    const [a, b] = services
    await expect.poll(async () => (await get(a, `/tags?n=${Math.random()}`)).status).toBe(200)
    await expect.poll(async () => (await get(b, `/tags?n=${Math.random()}`)).status).toBe(200)
    expect((await post(a, '/tags', { name: 'After the restart' })).status).toBe(201)
  })

  test('a start with prepared statements fails and names the setting', async () => {
    const pooled = openServerDatabase(pooler.url(direct), 2, direct)
    await expect(prepareDatabaseServer(pooled, { ...settings, preparedStatements: true })).rejects.toThrow(
      'Set PREPARED_STATEMENTS=off',
    )
    await pooled.close()
  })

  test('a start without DATABASE_DIRECT_URL fails at once and names the setting', async () => {
    const pooled = openServerDatabase(pooler.url(direct), 2)
    await expect(prepareDatabaseServer(pooled, { ...settings, preparedStatements: false })).rejects.toThrow(
      'Set DATABASE_DIRECT_URL',
    )
    await pooled.close()
  })

  test('a start fails if the pooler connects with other settings', async () => {
    const other = await emptyDatabaseUrl('')
    const url = new URL(other.url)
    await administer(
      other.url,
      `ALTER ROLE postgres IN DATABASE "${url.pathname.slice(1)}" SET timezone = 'Europe/Paris'`,
    )
    const own = await startPooler(other.url)
    const pooled = openServerDatabase(own.url(other.url), 2, other.url)
    // Until then, PgBouncer keeps a connection with the settings from before.
    await pooled.pool.query('SELECT')
    const start = prepareDatabaseServer(pooled, { ...settings, preparedStatements: false })
    await expect(start).rejects.toThrow(/TimeZone = Europe\/Paris.*restart the pooler/)
    await own.restart()
    await pooled.pool.query('SELECT').catch(() => {})
    await prepareDatabaseServer(pooled, { ...settings, preparedStatements: false })
    await pooled.close()
    await own.close()
    await other.drop()
  })

  test('commands connect to the server itself', async () => {
    const env = { DATABASE_URL: pooler.url(direct), DATABASE_DIRECT_URL: direct, PREPARED_STATEMENTS: 'off' }
    await pooler.kill()
    const { code, out } = await startCli(env, 'user', 'list').done
    await pooler.restart()
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('boss') })
  })
})
