// The database is stopped under load, and comes back. GONE=300: for as many seconds as wanted.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { type Service, startService } from '../helpers/process.ts'

const gone = Number(process.env.GONE ?? 30) * 1000
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
const json = { 'content-type': 'application/json' }
const dates = { start_date: '2030-05-01 10:00', end_date: '2030-05-01 12:00' }

const doors: Readonly<Record<string, readonly [path: string, init?: RequestInit]>> = {
  live: ['/health/live'],
  ready: ['/health/ready'],
  rest: ['/cal/events/v1/events'],
  write: [
    '/cal/events/v1/events',
    { method: 'POST', headers: { ...json, authorization }, body: JSON.stringify({ title: 'A', ...dates }) },
  ],
  graphql: ['/graphql', { method: 'POST', headers: json, body: '{"query":"{ events { totalCount } }"}' }],
  page: ['/'],
}

interface Seen {
  readonly door: string
  readonly asked: number
  readonly answered: number
  readonly status: number
  readonly retryAfter: string | null
}

describe.runIf(inject('server'))('a database that goes away under load', () => {
  let cluster: Cluster
  let service: Service
  beforeAll(async () => {
    cluster = await startCluster()
    const ADMIN = { ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
    service = await startService({
      DATABASE_URL: cluster.url,
      SEED: 'on',
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

  test.each(['fast', 'immediate'] as const)('stopped in mode %s', { timeout: gone + 120_000 }, async (mode) => {
    const seen: Seen[] = []
    let over = false
    const asking = Object.keys(doors).flatMap((door) =>
      [1, 2].map(async () => {
        while (!over) {
          seen.push(await ask(service.url, door))
          await setTimeout(30)
        }
      }),
    )
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
    expect([...new Set(seen.filter(({ door }) => door === 'live').map(({ status }) => status))]).toEqual([200])
    const others = seen.filter(({ door }) => door !== 'live')
    expect([...new Set(others.map(({ status }) => status))].sort()).toEqual([200, 201, 503])
    expect(others.filter(({ status, retryAfter }) => status === 503 && retryAfter !== '1')).toEqual([])
    expect(others.filter(({ answered, status }) => answered < stopping && status === 503)).toEqual([])
    const meanwhile = others.filter(({ asked, answered }) => asked > stopped + 100 && answered < starting)
    expect(meanwhile.length).toBeGreaterThan(gone / 100)
    expect(meanwhile.filter(({ status }) => status !== 503)).toEqual([])
    const late = others.filter(({ asked, status }) => asked > back + 2000 && status === 503)
    expect(late).toEqual([])
    const last = Math.max(...others.filter(({ status }) => status === 503).map(({ answered }) => answered)) - back
    const slowest = Math.max(...meanwhile.map(({ asked, answered }) => answered - asked))
    console.log(
      `${mode}: ${meanwhile.length} times 503, the slowest ${slowest} ms; the last one ${last} ms after its return`,
    )
  })
})

async function ask(url: string, door: string): Promise<Seen> {
  const [path, init] = doors[door] ?? ['/']
  const asked = Date.now()
  const answer = await fetch(`${url}${path}`, init)
  await answer.arrayBuffer()
  return { door, asked, answered: Date.now(), status: answer.status, retryAfter: answer.headers.get('retry-after') }
}
