// Kills a service while it is written to, starts it again, and looks at what is there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { migratedDatabaseUrl } from './db.ts'
import { startService } from './process.ts'

const writers = 10
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`

interface Listed {
  events: { id: number; title: string; venue: { venue: string }; tags: { name: string }[] }[]
  total: number
  next_rest_url?: string
}

/** Creates events, each with a venue and a tag of its own, until the service is gone; notes what is acknowledged. */
async function write(url: string, writer: string, acknowledged: Map<number, string>): Promise<void> {
  for (let n = 0; ; n += 1) {
    const title = `${writer} ${n}`
    const dates = { start_date: '2030-05-01 10:00', end_date: '2030-05-01 12:00' }
    const body = JSON.stringify({ title, ...dates, venue: { venue: `Venue of ${title}` }, tags: [`tag ${title}`] })
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/cal/events/v1/events`, { method: 'POST', headers, body }).catch(() => undefined)
    const event = await answer?.json().catch(() => undefined)
    if (answer === undefined || event === undefined) return
    expect([answer.status, event.title]).toEqual([201, title])
    acknowledged.set(event.id, title)
  }
}

async function listAll(url: string): Promise<Listed['events']> {
  const events: Listed['events'] = []
  let next: string | undefined = `${url}/cal/events/v1/events?per_page=50&start_date=2030-01-01&end_date=2031-01-01`
  while (next) {
    const page = (await (await fetch(next)).json()) as Listed
    events.push(...page.events)
    next = page.next_rest_url?.replace(/^http:\/\/[^/]+/, url)
  }
  return events
}

export interface Killed {
  readonly acknowledged: number
  /** Milliseconds from the start of a process until it is ready, the slowest. */
  readonly slowestStart: number
}

/** Expects that what was acknowledged is there after so many kills, and that nothing is half-written. */
export async function killWhileWriting(kills: number): Promise<Killed> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-writes-'))
  const { url: DATABASE_URL, drop } = await migratedDatabaseUrl(join(folder, 'db'))
  const env = { DATABASE_URL, SEED: 'off', ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
  const acknowledged = new Map<number, string>()
  const starts: number[] = []
  const start = async () => {
    const begun = Date.now()
    const service = await startService(env)
    await service.ready()
    starts.push(Date.now() - begun)
    return service
  }
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await start()
    const before = acknowledged.size
    const writing = Array.from({ length: writers }, (_, index) => write(service.url, `${kill}.${index}`, acknowledged))
    while (acknowledged.size < before + 2 * writers) await setTimeout(10)
    await setTimeout((kill * 37) % 400)
    service.child.kill('SIGKILL')
    await Promise.all(writing)
    await service.ended
  }
  const service = await start()
  await expectWhole(service.url, acknowledged)
  service.child.kill('SIGKILL')
  await service.ended
  await drop()
  rmSync(folder, { recursive: true })
  return { acknowledged: acknowledged.size, slowestStart: Math.max(...starts) }
}

async function expectWhole(url: string, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  const events = await listAll(url)
  const titles = new Map(events.map(({ id, title }) => [id, title]))
  for (const [id, title] of acknowledged) expect(titles.get(id)).toBe(title)
  for (const { title, venue, tags } of events) {
    expect([venue.venue, tags[0]?.name]).toEqual([`Venue of ${title}`, `tag ${title}`])
  }
  // Each was written with its event or not at all.
  for (const kind of ['venues', 'tags']) {
    const { total } = (await (await fetch(`${url}/cal/events/v1/${kind}`)).json()) as Listed
    expect([kind, total]).toEqual([kind, events.length])
  }
}
