// Stops the database under load and starts it again. GONE=300 stops it for 300 seconds.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { type Service, startService } from '../helpers/process.ts'
import { openLedger } from '../helpers/write-ledger.ts'

const gone = Number(process.env.GONE ?? 30) * 1000
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
const json = { 'content-type': 'application/json' }

/** Read requests by name. */
const endpoints: Readonly<Record<string, readonly [path: string, init?: RequestInit]>> = {
  live: ['/health/live'],
  ready: ['/health/ready'],
  rest: ['/cal/events/v1/events'],
  graphql: ['/graphql', { method: 'POST', headers: json, body: '{"query":"{ events { totalCount } }"}' }],
  page: ['/'],
}

interface Seen {
  readonly endpoint: string
  readonly sentAt: number
  readonly respondedAt: number
  readonly status: number
  readonly retryAfter: string | null
}

describe.runIf(inject('server'))('a database that stops under load', () => {
  let cluster: Cluster
  let service: Service
  const ledger = openLedger()
  beforeAll(async () => {
    cluster = await startCluster()
    const ADMIN = { ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
    service = await startService({
      DATABASE_URL: cluster.url,
      SEED: 'off',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'fatal',
      ...ADMIN,
    })
    await service.ready()
  })
  afterAll(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    cluster.drop()
  })

  async function sendRequest(endpoint: string, title: string): Promise<Pick<Seen, 'status' | 'retryAfter'>> {
    if (endpoint === 'write') return ledger.write(service.url, authorization, title)
    const [path, init] = endpoints[endpoint] ?? ['/']
    const response = await fetch(`${service.url}${path}`, init)
    await response.arrayBuffer()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }

  test.each(['fast', 'immediate'] as const)(
    'in mode %s loses no acknowledged write',
    { timeout: gone + 120_000 },
    async (mode) => {
      const seen: Seen[] = []
      let over = false
      const repeat = (endpoint: string) =>
        [1, 2].map(async (asker) => {
          for (let n = 0; !over; n += 1) {
            const sentAt = Date.now()
            const response = await sendRequest(endpoint, `${mode} ${asker}.${n}`)
            seen.push({ endpoint, sentAt, respondedAt: Date.now(), ...response })
            await setTimeout(30)
          }
        })
      const asking = ['write', ...Object.keys(endpoints)].flatMap(repeat)
      await setTimeout(3000)
      const stopping = Date.now()
      cluster.stop(mode)
      const stopped = Date.now()
      await setTimeout(gone)
      const starting = Date.now()
      cluster.start()
      const back = Date.now()
      await setTimeout(5000)
      over = true
      await Promise.all(asking)

      expect(service.child.exitCode).toBe(null)
      expect([...new Set(seen.filter(({ endpoint }) => endpoint === 'live').map(({ status }) => status))]).toEqual([
        200,
      ])
      const others = seen.filter(({ endpoint }) => endpoint !== 'live')
      const statuses = (some: readonly Seen[]) => [...new Set(some.map(({ status }) => status))].sort()
      expect(statuses(others.filter(({ endpoint }) => endpoint !== 'write'))).toEqual([200, 503])
      // 500 is allowed only for writes whose commit is unknown.
      const written = statuses(others.filter(({ endpoint }) => endpoint === 'write'))
      expect(written.filter((status) => status !== 500)).toEqual([201, 503])
      await ledger.expectStored(service.url)
      expect(others.filter(({ status, retryAfter }) => status === 503 && retryAfter !== '1')).toEqual([])
      expect(others.filter(({ respondedAt, status }) => respondedAt < stopping && status === 503)).toEqual([])
      const meanwhile = others.filter(({ sentAt, respondedAt }) => sentAt > stopped + 100 && respondedAt < starting)
      expect(meanwhile.length).toBeGreaterThan(gone / 100)
      expect(meanwhile.filter(({ status }) => status !== 503)).toEqual([])
      const late = others.filter(({ sentAt, status }) => sentAt > back + 2000 && status === 503)
      expect(late).toEqual([])
      const last =
        Math.max(...others.filter(({ status }) => status === 503).map(({ respondedAt }) => respondedAt)) - back
      const slowest = Math.max(...meanwhile.map(({ sentAt, respondedAt }) => respondedAt - sentAt))
      const unknown = others.filter(({ status }) => status === 500).length
      console.log(
        `${mode}: ${ledger.stored()} writes stored, of ${unknown} nobody knows; ${meanwhile.length} times 503, the slowest ${slowest} ms; the last one ${last} ms after its return`,
      )
    },
  )
})
