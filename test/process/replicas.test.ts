// The service with a primary and a streaming replica.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { type ListenerProxy, startListenerProxy } from '../helpers/listener-proxy.ts'
import { type MovingAddress, startMovingAddress } from '../helpers/moving-address.ts'
import { type Service, startService } from '../helpers/process.ts'

const ns = '/cal/events/v1'
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
const json = { 'content-type': 'application/json' }

interface State {
  readonly lag: number | null
  readonly used: boolean
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The fields that the tests read. */
  readonly body: { readonly id?: number; readonly name?: string; readonly status?: string; readonly replicas?: State[] }
}

// Embedded databases have no replicas.
describe.runIf(inject('server'))('with a replica', () => {
  let primary: Cluster
  let replica: Cluster
  let proxy: ListenerProxy
  let address: MovingAddress
  let service: Service
  let tag: string
  let version = 0
  beforeAll(async () => {
    primary = await startCluster(['fsync=off'])
    replica = await primary.replicate('one')
    proxy = await startListenerProxy(primary.url)
    address = await startMovingAddress(replica.url)
    service = await startService(settings())
    await service.ready()
    tag = `/tags/${(await write('/tags', 'Version 0')).body.id}`
  })
  afterAll(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    proxy.close()
    address.close()
    replica.drop()
    primary.drop()
  })
  beforeEach(() => used(true))

  const settings = () => ({
    DATABASE_URL: proxy.url,
    DATABASE_REPLICA_URL: address.url,
    REPLICA_MAX_LAG: '2000',
    SEED: 'off',
    ADMIN_LOGIN: 'boss',
    ADMIN_PASSWORD: 'a long enough password',
  })

  async function request(path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(`${service.url}${path}`, init)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const write = (path: string, name: string) =>
    request(`${ns}${path}`, {
      method: 'POST',
      headers: { ...json, authorization },
      body: JSON.stringify({ name }),
    })
  const writeNext = async () => {
    version += 1
    const reply = await write(tag, `Version ${version}`)
    expect(reply.status).toBe(200)
    return reply
  }
  const nameOf = async (headers: Record<string, string> = {}, path = `${ns}${tag}`) =>
    (await request(path, { headers })).body.name
  const readyState = async ({ url } = service): Promise<Reply['body']> => (await fetch(`${url}/health/ready`)).json()
  /** Waits until queries use the replica, or do not. */
  const used = (isUsed: boolean, by = service) =>
    expect.poll(async () => (await readyState(by)).replicas?.[0]?.used, { interval: 20 }).toBe(isUsed)

  async function onServer(cluster: Cluster, sql: string): Promise<{ n?: number }[]> {
    const server = openServerDatabase(cluster.url, 1)
    const { rows } = await server.pool.query<{ n?: number }>(sql)
    await server.close()
    return rows
  }
  const statementsOf = async (cluster: Cluster) => {
    await onServer(cluster, 'SELECT')
    const [row] = await onServer(
      cluster,
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%tag%' AND pid <> pg_backend_pid()",
    )
    return row?.n
  }

  test('queries of visitors read from the replica, and those of users from the primary', async () => {
    // A page is not cached, so each request for it reads.
    for (const path of ['/', `${ns}/tags?n=1`, `${ns}/tags?n=2`]) await fetch(`${service.url}${path}`)
    expect(await statementsOf(replica)).toBeGreaterThan(0)
    await onServer(replica, 'SELECT pg_wal_replay_pause()')
    await writeNext()
    expect(await nameOf({ authorization })).toBe(`Version ${version}`)
    await onServer(replica, 'SELECT pg_wal_replay_resume()')
  })

  test('a cached response is never older than the last write, even if the replica is', async () => {
    await onServer(replica, 'SELECT pg_wal_replay_pause()')
    for (let n = 0; n < 10; n += 1) {
      await writeNext()
      expect(await nameOf()).toBe(`Version ${version}`)
      expect((await request(`${ns}${tag}`)).headers.get('cache-status')).toBe('calendar; hit')
      expect(await nameOf()).toBe(`Version ${version}`)
    }
    await onServer(replica, 'SELECT pg_wal_replay_resume()')
  })

  describe('without the response cache', () => {
    let uncached: Service
    beforeAll(async () => {
      uncached = await startService({ ...settings(), CACHE_BYTES: '0' })
      await uncached.ready()
    })
    beforeEach(() => used(true, uncached))
    afterAll(async () => {
      uncached.child.kill('SIGKILL')
      await uncached.ended
    })

    test('a client that wrote sees its write on pages, by header and by cookie', async () => {
      const page = ({ url }: Service, headers: Record<string, string>) => fetch(`${url}/?x=${version}`, { headers })
      expect((await page(uncached, {})).status).toBe(200)
      await onServer(replica, 'SELECT pg_wal_replay_pause()')
      const { headers, status } = await fetch(`${uncached.url}${ns}/events`, {
        method: 'POST',
        headers: { ...json, authorization },
        body: JSON.stringify({ title: 'Seen at once', start_date: '2090-05-01 10:00', end_date: '2090-05-01 12:00' }),
      })
      expect(status).toBe(201)
      const position = headers.get('calendar-write-position') ?? ''
      expect(position).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/)
      const [cookie = ''] = (headers.get('set-cookie') ?? '').split('; ')
      expect(headers.get('set-cookie')).toMatch(
        /^calendar_write_position=[0-9A-F/]+; Max-Age=62; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      const shows = async (sent: Record<string, string>, by = uncached) =>
        (await (await page(by, sent)).text()).includes('Seen at once')
      expect(await shows({ 'calendar-write-position': position })).toBe(true)
      expect(await shows({ cookie: `other=1; ${cookie}` })).toBe(true)
      expect(await shows({ 'calendar-write-position': 'latest' })).toBe(true)
      // Others may read the replica, which is behind.
      expect(await shows({})).toBe(false)
      expect(await shows({ 'calendar-write-position': 'nonsense', cookie: 'calendar_write_position=%' })).toBe(false)
      // With the cache, pages use cached counts, so they read what is current.
      expect(await shows({}, service)).toBe(true)
      await onServer(replica, 'SELECT pg_wal_replay_resume()')
      await expect.poll(() => shows({})).toBe(true)
      // A position that was never written costs no more than the current one: the replica serves it.
      expect(await shows({ 'calendar-write-position': 'FFFFFFFF/FFFFFFFF' })).toBe(true)
    })
  })

  test('forged positions do not turn off the cache for others while notifications are slow', async () => {
    // Cached before, so that a hit needs no statement.
    for (let n = 0; n < 2; n += 1) await nameOf()
    // Longer than a request waits for a notification.
    proxy.delay(400)
    const positions = ['FFFFFFFF/FFFFFFFF', 'latest', '7FFFFFFF/0']
    let isOver = false
    const forging = positions.map(async (position) => {
      const names: unknown[] = []
      for (; !isOver; await setTimeout(5)) names.push(await nameOf({ 'calendar-write-position': position }))
      return names
    })
    const states: unknown[] = []
    for (let n = 0; n < 40; n += 1) {
      states.push((await request(`${ns}${tag}`)).headers.get('cache-status'))
      await setTimeout(20)
    }
    isOver = true
    proxy.delay(0)
    expect(new Set(states)).toEqual(new Set(['calendar; hit']))
    expect(new Set((await Promise.all(forging)).flat())).toEqual(new Set([`Version ${version}`]))
  })

  test('reads get neither a position nor a cookie', async () => {
    const { headers } = await request(`${ns}${tag}`)
    expect([headers.get('calendar-write-position'), headers.get('set-cookie')]).toEqual([null, null])
  })

  test('a replica that lags too long is left out, and comes back', async () => {
    await onServer(replica, 'SELECT pg_wal_replay_pause()')
    await writeNext()
    await used(false)
    expect((await readyState()).status).toBe('ready')
    await onServer(replica, 'SELECT pg_wal_replay_resume()')
    await used(true)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^database_replica_lag_seconds\{replica="1"\} [\d.]+$/m)
    expect(metrics).toContain('database_replica_used{replica="1"} 1')
  })

  test('a replica that has everything is not late when the log ends with a segment, as after each archive_timeout', async () => {
    const offset = 'SELECT (pg_walfile_name_offset(pg_current_wal_insert_lsn())).file_offset AS n'
    await expect
      .poll(async () => {
        await onServer(primary, 'SELECT pg_switch_wal()')
        return (await onServer(primary, offset))[0]?.n
      })
      .toBe(40)
    const uses: unknown[] = []
    // Longer than REPLICA_MAX_LAG.
    for (let n = 0; n < 14; n += 1) {
      await setTimeout(200)
      uses.push((await readyState()).replicas?.[0]?.used)
    }
    expect(uses).not.toContain(false)
  })

  test('a replica that is gone costs no request', async () => {
    const statuses: number[] = []
    let isOver = false
    const reading = Array.from({ length: 4 }, async (_, reader) => {
      for (let n = 0; !isOver; n += 1) {
        statuses.push((await request(`${ns}/tags?n=${reader}.${n}`)).status)
        await setTimeout(5)
      }
    })
    await setTimeout(200)
    replica.stop('immediate')
    await used(false)
    replica.start()
    await used(true)
    isOver = true
    await Promise.all(reading)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('a replica that stops responding costs no request', async () => {
    const readPages = (name: string) =>
      Promise.all(Array.from({ length: 4 }, async (_, n) => (await request(`${ns}/tags?n=${name}.${n}`)).status))
    await readPages('before')
    address.silence()
    expect(await readPages('silent')).toEqual([200, 200, 200, 200])
    await used(false)
    address.move(replica.url)
    await used(true)
    expect(await readPages('after')).toEqual([200, 200, 200, 200])
  })

  test('visitors still read while the primary is gone, and writes fail with 503', async () => {
    primary.stop('immediate')
    expect((await request(`${ns}/tags?n=gone`)).status).toBe(200)
    expect(await nameOf()).toBe(`Version ${version}`)
    expect((await fetch(`${service.url}/`)).status).toBe(200)
    const { status, headers } = await write(tag, 'Refused')
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    await expect.poll(async () => (await readyState()).status).toMatch(/primary/)
    expect((await request('/health/ready')).status).toBe(200)
    primary.start()
    await expect.poll(async () => (await readyState()).status).toBe('ready')
    await expect.poll(async () => (await write(tag, 'Back')).status).toBe(200)
    expect(await nameOf()).toBe('Back')
  })
})
