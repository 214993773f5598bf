// Two workers behind PgBouncer with a replica, while clients read and write: whatever is paused, killed or cancelled, visitors
// get responses, and acknowledged writes are stored.
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { type CdnApi, keysOf, startCdnApi } from '../helpers/cdn-api.ts'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { hasPooler, type Pooler, startPooler } from '../helpers/pooler.ts'
import { authorization, killAll, type Service, startInstances } from '../helpers/process.ts'
import { getAlone, keepRequesting } from '../helpers/workers.ts'
import { openLedger } from '../helpers/write-ledger.ts'

const ns = '/cal/events/v1'
/** Milliseconds of load while something is paused or gone. */
const pause = 3000

describe.runIf(inject('server') && hasPooler)('workers with a replica, behind PgBouncer', () => {
  let primary: Cluster
  let replica: Cluster
  let primaryPooler: Pooler
  let replicaPooler: Pooler
  let cdn: CdnApi
  let services: Service[] = []
  let url = ''
  beforeAll(async () => {
    // A read of the replica is cancelled as soon as it delays the recovery.
    primary = await startCluster(['fsync=off', 'max_standby_streaming_delay=0'])
    replica = await primary.replicate('one')
    ;[primaryPooler, replicaPooler] = [await startPooler(primary.url, 10), await startPooler(replica.url, 10)]
    cdn = await startCdnApi()
    services = await startInstances(1, {
      DATABASE_URL: primaryPooler.url(primary.url),
      DATABASE_DIRECT_URL: primary.url,
      DATABASE_REPLICA_URL: replicaPooler.url(replica.url),
      PREPARED_STATEMENTS: 'off',
      WORKERS: '2',
      LOG_LEVEL: 'fatal',
      CDN_MAX_AGE: '600',
      CDN_PURGE: `varnish:${cdn.url}`,
    })
    url = services[0]?.url ?? ''
  })
  afterAll(async () => {
    await killAll(services)
    cdn.close()
    await primaryPooler.close()
    await replicaPooler.close()
    replica.drop()
    primary.drop()
  })

  const isReplicaUsed = async () => {
    const { body } = await getAlone(`${url}/health/ready`)
    return JSON.parse(body).replicas?.[0]?.used
  }
  beforeEach(() => expect.poll(isReplicaUsed).toBe(true))

  async function onServer(cluster: Cluster, ...statements: string[]): Promise<number | undefined> {
    const server = openServerDatabase(cluster.url, 1)
    try {
      let n: number | undefined
      for (const statement of statements) n = (await server.pool.query<{ n?: number }>(statement)).rows[0]?.n
      return n
    } catch (error) {
      // The recovery of the replica cancels these, too.
      if (Object(error).code === '40001') return onServer(cluster, ...statements)
      throw error
    } finally {
      await server.close()
    }
  }

  test('a write is purged by one worker, not by each', async () => {
    await onServer(primary, 'DELETE FROM cdn_purge')
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ organizer: 'Purged' })
    const { id } = await (await fetch(`${url}${ns}/organizers`, { method: 'POST', headers, body })).json()
    const left = () => onServer(primary, 'SELECT count(*)::int AS n FROM cdn_purge')
    await expect.poll(left).toBe(0)
    // The first purge and its two repetitions.
    expect(cdn.calls.filter((call) => keysOf(call).includes(`organizer-${id}`))).toHaveLength(3)
  })

  describe('under load', () => {
    const ledger = openLedger()
    let titles = 0
    let isOver = false
    let statuses: number[]
    let stale: string[]
    let readers: ReturnType<typeof keepRequesting>[]
    let writing: Promise<void>[]
    beforeEach(() => {
      ;[isOver, statuses, stale] = [false, [], []]
      let sent = 0
      const uncached = () => `${url}${ns}/events?start_date=2030-01-01&search=e&n=${sent++}`
      readers = [uncached, uncached, uncached, () => `${url}${ns}/tags`].map((next) => keepRequesting(next))
      writing = [0, 1].map(async () => {
        while (!isOver) {
          titles += 1
          statuses.push((await ledger.write(url, authorization, `title ${titles}`)).status)
          await setTimeout(20)
        }
      })
      writing.push(readOwnWrites())
    })
    afterEach(async () => {
      await stopLoad()
    })

    /** Reads as a visitor what the last write stored, with its position. */
    async function readOwnWrites(): Promise<void> {
      const headers = { authorization, 'content-type': 'application/json' }
      for (let n = 0; !isOver; n += 1) {
        const body = JSON.stringify({ organizer: `Name ${n}`, slug: 'renamed' })
        const paths = [`${url}${ns}/organizers/by-slug/renamed`, `${url}${ns}/organizers`]
        const send = (path = '') => fetch(path, { method: 'POST', headers, body })
        let written = await send(paths[0])
        if (written.status === 404) written = await send(paths[1])
        const position = written.headers.get('calendar-write-position')
        if (!written.ok || position === null) continue
        const read = await getAlone(`${paths[0]}`, { 'calendar-write-position': position })
        if (read.status === 200 && !read.body.includes(`"Name ${n}"`)) stale.push(read.body)
        await setTimeout(20)
      }
    }

    /** Ends the load. Returns what readers got besides responses of status 200. */
    async function stopLoad(): Promise<string[]> {
      isOver = true
      const failures = await Promise.all(readers.map((reader) => reader.stop()))
      await Promise.all(writing)
      return failures.flat()
    }

    async function expectNothingLost(): Promise<void> {
      const before = ledger.stored()
      await expect.poll(() => ledger.stored()).toBeGreaterThan(before + 3)
      expect(await stopLoad()).toEqual([])
      expect(stale).toEqual([])
      await ledger.expectStored(url)
    }

    test('while the replica stands still', async () => {
      await onServer(replica, 'SELECT pg_wal_replay_pause()')
      await setTimeout(pause)
      expect(await isReplicaUsed()).toBe(false)
      await onServer(replica, 'SELECT pg_wal_replay_resume()')
      await expectNothingLost()
      expect(new Set(statuses)).toEqual(new Set([201]))
    })

    test('while the replica crashes and comes back', async () => {
      replica.stop('immediate')
      await setTimeout(pause)
      replica.start()
      await expectNothingLost()
      expect(new Set(statuses)).toEqual(new Set([201]))
    })

    test('while the replica cancels reads that conflict with its recovery', async () => {
      const conflicts = async () =>
        (await onServer(
          replica,
          'SELECT confl_lock::int AS n FROM pg_stat_database_conflicts WHERE datname = current_database()',
        )) ?? 0
      const end = performance.now() + 30_000
      while ((await conflicts()) < 5 && performance.now() < end) {
        await onServer(primary, ...Array(10).fill(['BEGIN', 'LOCK TABLE event', 'COMMIT']).flat())
      }
      expect(await conflicts()).toBeGreaterThanOrEqual(5)
      await expectNothingLost()
      expect(new Set(statuses)).toEqual(new Set([201]))
    })

    test('while the pooler of the replica is killed and started again', async () => {
      for (let kill = 0; kill < 3; kill += 1) {
        await replicaPooler.kill()
        await setTimeout(pause / 3)
        await replicaPooler.start()
        await expect.poll(isReplicaUsed).toBe(true)
      }
      await expectNothingLost()
      expect(new Set(statuses)).toEqual(new Set([201]))
    })

    test('while the pooler of the primary is killed and started again', async () => {
      for (let kill = 0; kill < 3; kill += 1) {
        const before = ledger.stored()
        await expect.poll(() => ledger.stored()).toBeGreaterThan(before + 3)
        await primaryPooler.kill()
        await setTimeout(pause / 3)
        await primaryPooler.start()
      }
      await expectNothingLost()
      // Writes that were refused, or whose outcome is unknown, are among those of the ledger.
      expect(statuses).toContain(503)
    })
  })
})
