// Real Varnish in front of one instance, while another one writes all the time: no answer is older than docs/deployment/cdn.md
// promises. READS=1000000 for a long run.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Load, type LoadReport, measureCdn } from '../helpers/cdn-load.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { authorization, freePort, killAll, type Service, startInstances } from '../helpers/process.ts'
import { hasVarnish, startVarnish, type Varnish } from '../helpers/varnish.ts'

const reads = Number(process.env.READS ?? 30_000)
const connections = Number(process.env.CONNECTIONS ?? 16)
const writesPerSecond = Number(process.env.WRITES_PER_SECOND ?? 10)
const ns = '/cal/events/v1'

describe.runIf(inject('server') && hasVarnish)('behind Varnish', () => {
  let drop: () => Promise<void>
  let varnish: Varnish
  let instances: Service[] = []

  beforeAll(async () => {
    const empty = await emptyDatabaseUrl('')
    drop = empty.drop
    const port = await freePort()
    const env = {
      DATABASE_URL: empty.url,
      ...{ CDN_MAX_AGE: '3600', CDN_STALE_WHILE_REVALIDATE: '60', CDN_PURGE: `varnish:http://127.0.0.1:${port}` },
    }
    instances = await startInstances(2, env)
    varnish = await startVarnish(instances[0]?.url ?? '', port)
  })
  afterAll(async () => {
    await varnish?.close()
    await killAll(instances)
    await drop?.()
  })

  test('no answer is older than a second', async () => {
    const report = await measure({ reads })
    expect(report.hitRate).toBeGreaterThan(0.5)
  })

  test('no answer is older than a second while Varnish is killed and comes back', async () => {
    let isDown = false
    const killing = (async () => {
      for (let kill = 0; kill < 3; kill += 1) {
        await setTimeout(2000)
        isDown = true
        await varnish.kill()
        // Until then the purges of writes fail, and stay queued.
        await expect.poll(oldestPurge).toBeGreaterThan(0.5)
        await varnish.start()
        isDown = false
        await expect.poll(oldestPurge).toBeLessThan(0.5)
      }
    })()
    await measure({ reads: killing, isDown: () => isDown })
    await killing
  })

  /** Seconds since the oldest write that was not purged. */
  async function oldestPurge(): Promise<number> {
    const metrics = await (await fetch(`${instances[1]?.url}/metrics`)).text()
    return Number(/^cdn_purge_oldest_seconds\{.*\} (.+)$/m.exec(metrics)?.[1])
  }

  let events = 0

  /** Reads and writes a new event. */
  async function measure(load: Pick<Load, 'reads' | 'isDown'>): Promise<LoadReport> {
    const writer = instances[1]?.url ?? ''
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    events += 1
    const slug = `event-${events}`
    const dates = { start_date: `${day} 00:00`, end_date: `${day} 00:${10 + events}` }
    const created = await fetch(`${writer}${ns}/events`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'version 0', slug, ...dates }),
    })
    const { id } = await created.json()
    const event = { id, slug }
    const report = await measureCdn({
      cache: varnish.url,
      writer,
      authorization,
      event,
      connections,
      writesPerSecond,
      ...load,
    })
    console.log({ ...report, failures: report.failures.length })
    expect(report.failures.slice(0, 10)).toEqual([])
    expect(report.oldest).toBeLessThan(1000 + report.stall)
    await fetch(`${writer}${ns}/events/${id}`, { method: 'DELETE', headers: { authorization } })
    return report
  }
})
