// The primary of a cluster crashes under load, its synchronous replica is promoted, and the address moves there.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { type MovingAddress, startMovingAddress } from '../helpers/moving-address.ts'
import { authorization, killAll, type Service, startInstances } from '../helpers/process.ts'
import { openLedger } from '../helpers/write-ledger.ts'

const ns = '/cal/events/v1'

describe.runIf(inject('server'))('a promoted replica', () => {
  let primary: Cluster
  let replica: Cluster
  let address: MovingAddress
  let services: Service[]
  const ledger = openLedger()
  beforeAll(async () => {
    primary = await startCluster()
    replica = await primary.replicate('one')
    primary.requireReplica()
    address = await startMovingAddress(primary.url)
    const env = { DATABASE_URL: address.url, DATABASE_REPLICA_URL: replica.url, LOG_LEVEL: 'fatal' }
    services = await startInstances(2, env)
  })
  afterAll(async () => {
    await killAll(services)
    address.close()
    replica.drop()
    primary.drop()
  })

  test('has every acknowledged write, and no client reads an older state than its own', async () => {
    const reads: { readonly status: number; readonly at: number }[] = []
    const writes: { readonly status: number; readonly at: number }[] = []
    const stale: string[] = []
    let isOver = false
    const urlOf = (n: number) => services[n % 2]?.url ?? ''
    const reading = [0, 1].map(async (reader) => {
      for (let n = 0; !isOver; n += 1) {
        const { status } = await fetch(`${urlOf(n)}${ns}/tags?n=${reader}.${n}`)
        reads.push({ status, at: performance.now() })
        await setTimeout(10)
      }
    })
    const writing = [0, 1].map(async (writer) => {
      for (let n = 0; !isOver; n += 1) {
        const { status } = await ledger.write(urlOf(n), authorization, `${writer}.${n}`)
        writes.push({ status, at: performance.now() })
        await setTimeout(20)
      }
    })
    // Writes by one instance, and reads what it wrote from the other as a visitor.
    const renaming = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const headers = { authorization, 'content-type': 'application/json' }
        const body = JSON.stringify({ organizer: `Name ${n}`, slug: 'renamed' })
        const path = n === 0 ? '/organizers' : '/organizers/by-slug/renamed'
        const written = await fetch(`${urlOf(n)}${ns}${path}`, { method: 'POST', headers, body })
        const position = written.headers.get('calendar-write-position')
        if (!written.ok || position === null) continue
        const read = await fetch(`${urlOf(n + 1)}${ns}/organizers/by-slug/renamed`, {
          headers: { 'calendar-write-position': position },
        })
        const text = await read.text()
        if (read.ok && !text.includes(`"Name ${n}"`)) stale.push(`${n}: ${text.slice(0, 200)}`)
        await setTimeout(20)
      }
    })()

    const acknowledged = () => writes.filter(({ status }) => status === 201).length
    await expect.poll(acknowledged).toBeGreaterThan(10)
    primary.stop('immediate')
    const stopped = performance.now()
    await setTimeout(1500)
    const promoting = performance.now()
    replica.promote()
    address.move(replica.url)
    const moved = performance.now()
    const before = acknowledged()
    await expect.poll(acknowledged).toBeGreaterThan(before + 10)
    await setTimeout(3000)
    isOver = true
    await Promise.all([...reading, ...writing, renaming])

    expect(stale).toEqual([])
    const statuses = (seen: typeof reads, from: number, to: number) => [
      ...new Set(seen.filter(({ at }) => at >= from && at < to).map(({ status }) => status)),
    ]
    expect(statuses(reads, 0, promoting)).toEqual([200])
    expect(statuses(reads, moved + 3000, Number.POSITIVE_INFINITY)).toEqual([200])
    expect(statuses(writes, 0, stopped)).toEqual([201])
    expect(statuses(writes, stopped + 100, promoting)).not.toContain(201)
    expect(statuses(writes, moved + 3000, Number.POSITIVE_INFINITY)).toEqual([201])
    await ledger.expectStored(services[0]?.url ?? '')
    const back = writes.find(({ at, status }) => at > moved && status === 201)?.at ?? Number.NaN
    const failed = reads.filter(({ status }) => status !== 200).length
    console.log(
      `${ledger.stored()} writes stored; the first one ${Math.round(back - moved)} ms after the address moved; ${failed} of ${reads.length} reads failed`,
    )
  })
})
