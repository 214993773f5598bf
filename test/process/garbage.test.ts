// V8 allocates some objects in the old generation at once, such as functions that are assigned to a property and getters of
// object literals. What they refer to survives minor garbage collections, so that major ones, which are slow, run more often.
// In a process of its own, because V8 also decides by what survived before, in other tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { authorization, killAll, type Service, startInstances } from '../helpers/process.ts'

let service: Service
let folder: string
let drop: () => Promise<void>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-garbage-'))
  const database = await migratedDatabaseUrl(join(folder, 'data'))
  drop = database.drop
  const report = new URL('../helpers/report-old-generation.js', import.meta.url).href
  const env = { DATABASE_URL: database.url, NODE_OPTIONS: `--import=${report}`, CACHE_BYTES: '0' }
  const [started] = await startInstances(1, env)
  if (!started) throw new Error('The service did not start.')
  service = started
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const others = { start_date: `${day} 10:00:00`, end_date: `${day} 12:00:00`, status: 'publish' }
  const headers = { 'content-type': 'application/json', authorization }
  for (let number = 0; number < 10; number += 1) {
    const body = JSON.stringify({
      title: `Event ${number}`,
      description: `${number} long text `.repeat(500),
      ...others,
    })
    const response = await fetch(`${service.url}/cal/events/v1/events`, { method: 'POST', headers, body })
    expect(response.status).toBe(201)
  }
})

afterAll(async () => {
  await killAll([service])
  await drop()
  rmSync(folder, { recursive: true })
})

/** Bytes of the old generation after minor garbage collections. */
async function oldGeneration(): Promise<number> {
  const from = service.output().length
  service.child.kill('SIGUSR2')
  for (;;) {
    const [, bytes] = /Old generation: (\d+) bytes/.exec(service.output().slice(from)) ?? []
    if (bytes) return Number(bytes)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const graphql = (query: string) => ({
  path: '/graphql',
  options: { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) },
})

const fields = 'title descriptionHtml excerptHtml slug venues { name }'

test.each([
  ['a list by REST', { path: '/cal/events/v1/events', options: {} }],
  ['a page by GraphQL', graphql(`{ eventsPage { items { ${fields} } total } }`)],
  [
    'a connection by GraphQL',
    graphql(`{ events(first: 10) { nodes { ${fields} } pageInfo { endCursor } totalCount } }`),
  ],
])('what %s has read is collected by minor garbage collections', async (_name, { path, options }) => {
  /** Returns the number of bytes of the response. */
  const send = async () => {
    const response = await fetch(service.url + path, options)
    expect(response.status).toBe(200)
    return (await response.arrayBuffer()).byteLength
  }
  for (let number = 0; number < 50; number += 1) await send()
  const retained: number[] = []
  let bytes = 0
  // A major garbage collection, or code that is compiled, may change one of the rounds.
  for (let round = 0; round < 5; round += 1) {
    const before = await oldGeneration()
    for (let number = 0; number < 20; number += 1) bytes = await send()
    retained.push(((await oldGeneration()) - before) / 20)
  }
  expect(bytes).toBeGreaterThan(50_000)
  expect(retained.sort((a, b) => a - b)[2]).toBeLessThan(bytes / 4)
})
