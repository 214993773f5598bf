// Health checks, log and metrics of a process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'

let folder: string
let service: Service
let drop: () => Promise<void>
const starting = new Map<string, Set<string>>()

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers }).catch(() => undefined)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-operating-'))
  const database = await migratedDatabaseUrl(join(folder, 'db'))
  drop = database.drop
  service = await startService({
    DATABASE_URL: database.url,
    SEED: 'off',
    LOG_LEVEL: 'info',
    TRUST_PROXY: '127.0.0.1,10.0.0.0/8',
    ADMIN_LOGIN: 'boss',
    ADMIN_PASSWORD: 'a long enough password',
  })
  for (let ready = false; !ready; ) {
    for (const path of ['/health/live', '/cal/events/v1/events', '/graphql', '/', '/health/ready']) {
      const response = await ask(path)
      if (!response) continue
      if (path === '/health/ready' && response.status === 200) ready = true
      const seen = starting.get(path) ?? new Set()
      starting.set(path, seen.add(`${response.status} ${response.headers.get('retry-after')}`))
      await response.arrayBuffer()
    }
    await setTimeout(20)
  }
})
afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.ended
  await drop()
  rmSync(folder, { recursive: true })
})

test('a starting process is live, not ready, and responds 503 to other requests', () => {
  expect([...(starting.get('/health/live') ?? [])]).toEqual(['200 null'])
  for (const path of ['/health/ready', '/cal/events/v1/events', '/graphql', '/']) {
    expect([...(starting.get(path) ?? [])][0]).toBe('503 1')
  }
})

test('the log has one line per request and no secrets', async () => {
  const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
  await ask('/cal/events/v1/events?search=Grete&password=geheim', { authorization, 'x-request-id': 'of-rest' })
  const operation = 'query Named($search: String) { events(filter: { search: $search }) { totalCount } }'
  await fetch(`${service.url}/graphql?token=geheim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, 'x-request-id': 'of-graphql' },
    body: JSON.stringify({ query: operation, variables: { search: 'Grete' } }),
  })
  await ask('/health/ready')
  await ask('/metrics', { 'x-request-id': 'of-metrics' })
  await ask('/no/such?place=geheim', { 'x-request-id': 'of-nothing' })
  // The last of the requests is the last in the log.
  await expect.poll(() => service.output()).toContain('"of-nothing"')

  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const about = (requestId: string) =>
    lines
      .filter((line) => line.requestId === requestId)
      .map(({ level, method, path, status, operation, msg }) => [level, method, path, status, operation, msg])
  expect(about('of-rest')).toEqual([[30, 'GET', '/cal/events/v1/events', 200, undefined, 'request']])
  expect(about('of-graphql')).toEqual([[30, 'POST', '/graphql', 200, 'Named', 'request']])
  expect(about('of-nothing')).toEqual([[30, 'GET', '/no/such', 404, undefined, 'request']])
  expect(about('of-metrics')).toEqual([])
  for (const line of lines) expect(line.ms).toBeGreaterThanOrEqual(0)
  expect(service.output()).not.toMatch(/geheim|Grete|long enough|Basic |totalCount/)
})

test('the log does not warn of addresses of proxies', () => {
  expect(service.output()).not.toContain('X-Forwarded-For')
})

test('metrics include those of the process', async () => {
  const text = await (await ask('/metrics'))?.text()
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
    'process_open_fds',
    'http_requests_total',
  ]) {
    expect(text).toMatch(new RegExp(`^${name}[ {]`, 'm'))
  }
})

test('the process prints no deprecation warnings', async () => {
  const event = { title: 'A', start_date: '2030-05-01 10:00', end_date: '2030-05-01 12:00', venue: { venue: 'B' } }
  const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
  const headers = { 'content-type': 'application/json', authorization }
  const write = () =>
    fetch(`${service.url}/cal/events/v1/events`, { method: 'POST', headers, body: JSON.stringify(event) })
  const replies = await Promise.all([
    ask('/'),
    ask('/docs'),
    ask('/graphql?query={events{totalCount}}'),
    write(),
    write(),
  ])
  expect(replies.map((reply) => reply?.status)).toEqual([200, 200, 200, 201, 201])
  expect(service.output()).not.toMatch(/warning/i)
})
