// Real Varnish in front of one instance, while another one writes all the time: no answer is older than docs/deployment/cdn.md
// promises. READS=1000000 for a long run.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { measureCdn } from '../helpers/cdn-load.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { freePort, type Service, startService } from '../helpers/process.ts'
import { hasVarnish, startVarnish, type Varnish } from '../helpers/varnish.ts'

const reads = Number(process.env.READS ?? 30_000)
const connections = Number(process.env.CONNECTIONS ?? 16)
const writesPerSecond = Number(process.env.WRITES_PER_SECOND ?? 10)
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
const ns = '/cal/events/v1'

describe.runIf(inject('server') && hasVarnish)('behind Varnish', () => {
  let drop: () => Promise<void>
  let varnish: Varnish
  const instances: Service[] = []

  beforeAll(async () => {
    const empty = await emptyDatabaseUrl('')
    drop = empty.drop
    const port = await freePort()
    const env = {
      ...{ DATABASE_URL: empty.url, SEED: 'off', LOG_LEVEL: 'warn' },
      ...{ ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' },
      ...{ CDN_MAX_AGE: '3600', CDN_STALE_WHILE_REVALIDATE: '60', CDN_PURGE: `varnish:http://127.0.0.1:${port}` },
    }
    for (const _ of [1, 2]) {
      const instance = await startService(env)
      instances.push(instance)
      await instance.ready()
    }
    varnish = await startVarnish(instances[0]?.url ?? '', port)
  }, 120_000)
  afterAll(async () => {
    await varnish?.close()
    for (const { child, ended } of instances) {
      child.kill('SIGKILL')
      await ended
    }
    await drop?.()
  })

  test('no answer is older than a second', { timeout: 3_600_000 }, async () => {
    const writer = instances[1]?.url ?? ''
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const created = await fetch(`${writer}${ns}/events`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'version 0',
        slug: 'version-0',
        start_date: `${day} 00:00`,
        end_date: `${day} 00:10`,
      }),
    })
    const { id } = await created.json()
    const load = { cache: varnish.url, writer, authorization, event: id }
    const report = await measureCdn({ ...load, reads, connections, writesPerSecond })
    console.log({ ...report, failures: report.failures.length })
    expect(report.failures.slice(0, 10)).toEqual([])
    expect(report.hitRate).toBeGreaterThan(0.5)
    expect(report.oldest).toBeLessThan(1000 + report.stall)
  })
})
