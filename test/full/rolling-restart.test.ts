// Restarts two instances behind a load balancer one after the other under 200 requests per second. PER_SECOND=50 sets a lower
// rate for slow machines.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Balancer, startBalancer } from '../helpers/balancer.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'

const perSecond = Number(process.env.PER_SECOND ?? 200)
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
const json = { 'content-type': 'application/json' }
const event = { title: 'A', start_date: '2030-05-01 10:00', end_date: '2030-05-01 12:00' }

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ...Array.from({ length: 2 }, (_, n) => [`/cal/events/v1/events?per_page=1&page=${n + 1}`] as const),
  ...Array.from({ length: 34 }, (_, n) => [`/cal/events/v1/tags?per_page=1&page=${n + 1}`] as const),
  ['/graphql', { method: 'POST', headers: json, body: '{"query":"{ events(first: 5) { nodes { title } } }"}' }],
  ['/graphql?query={venues{totalCount}}'],
  ['/fr/'],
  ['/cal/events/v1/events', { method: 'POST', headers: { ...json, authorization }, body: JSON.stringify(event) }],
]

describe.runIf(inject('server'))('a rolling restart', () => {
  let drop: () => Promise<void>
  let env: Record<string, string>
  let balancer: Balancer
  let instances: Service[] = []
  beforeAll(async () => {
    const empty = await emptyDatabaseUrl('')
    drop = empty.drop
    const ADMIN = { ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
    env = { DATABASE_URL: empty.url, SEED: 'on', RATE_LIMIT: '0', ...ADMIN }
    balancer = await startBalancer()
    instances = [await join(), await join()]
  })
  afterAll(async () => {
    balancer.close()
    for (const { child, ended } of instances) {
      child.kill('SIGKILL')
      await ended
    }
    await drop()
  })

  async function join(): Promise<Service> {
    const instance = await startService(env)
    balancer.add(instance.url)
    while (!balancer.ready().includes(instance.url)) await setTimeout(50)
    return instance
  }

  test('loses no request', async () => {
    const failures: string[] = []
    const latencies: number[] = []
    const pending = new Set<Promise<void>>()
    let sent = 0
    const begun = performance.now()
    const load = setInterval(() => {
      for (; sent < ((performance.now() - begun) / 1000) * perSecond; sent += 1) {
        const [path, init] = requests[sent % requests.length] ?? ['/']
        const startedAt = performance.now()
        const one = fetch(`${balancer.url}${path}`, init)
          .then(async (response) => {
            const text = await response.text()
            if (!response.ok || text.startsWith('{"errors"'))
              failures.push(`${path} ${response.status} ${text.slice(0, 200)}`)
          })
          .catch((error) => failures.push(`${path} ${error} ${error.cause}`))
          .then(() => latencies.push(performance.now() - startedAt))
          .finally(() => pending.delete(one)) as unknown as Promise<void>
        pending.add(one)
      }
    }, 5)
    await setTimeout(3000)
    for (const old of [...instances]) {
      const startedAt = performance.now()
      old.child.kill('SIGTERM')
      expect(await old.ended).toBe(0)
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      balancer.remove(old.url)
      instances = [...instances.filter((each) => each !== old), await join()]
      await setTimeout(1000)
    }
    clearInterval(load)
    const seconds = (performance.now() - begun) / 1000
    await Promise.all(pending)
    latencies.sort((a, b) => a - b)
    const [p50, p99] = [0.5, 0.99].map((part) => Math.round(latencies[Math.floor(part * latencies.length)] ?? 0))
    console.log(`${sent} requests in ${Math.round(seconds)} s, ${failures.length} failed; p50 ${p50} ms, p99 ${p99} ms`)
    expect(failures.slice(0, 10)).toEqual([])
    expect(sent).toBeGreaterThan(0.95 * perSecond * seconds)
  })
})
