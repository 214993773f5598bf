import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const metrics = async () => (await app.get('/metrics')).body as string

/** What a metric says; undefined when it has no such line. */
const sampleOf = (text: string, line: string) => {
  const sample = text.split('\n').find((each) => each.startsWith(`${line} `))
  return sample === undefined ? undefined : Number(sample.slice(line.length))
}

test('requests are counted by the pattern of their route, and by status', async () => {
  const before = await metrics()
  await app.get('/cal/events/v1/events/12345')
  await app.get('/cal/events/v1/events/54321')
  await app.get('/fr/cal/events/v1/tags')
  await app.graphql('{ events { totalCount } }')
  await app.get('/wp-login.php?user=secret')
  const text = await metrics()
  const change = (line: string) => (sampleOf(text, line) ?? Number.NaN) - (sampleOf(before, line) ?? 0)
  const requests = (method: string, route: string, status: number) =>
    change(`http_requests_total{method="${method}",route="${route}",status="${status}"}`)
  expect(requests('GET', '/cal/events/v1/events/:id(^\\\\d+$)', 404)).toBe(2)
  expect(requests('GET', '/fr/cal/events/v1/tags', 200)).toBe(1)
  expect(requests('POST', '/graphql', 200)).toBe(1)
  expect(requests('GET', 'none', 404)).toBe(1)
  expect(change('http_request_duration_seconds_count{method="POST",route="/graphql"}')).toBe(1)
  expect(text).not.toMatch(/12345|wp-login|secret/)
})

test('statements and connections are counted', async () => {
  const before = sampleOf(await metrics(), 'database_statement_duration_seconds_count') ?? 0
  await app.graphql('{ venues { totalCount } }')
  const text = await metrics()
  expect(sampleOf(text, 'database_statement_duration_seconds_count')).toBeGreaterThan(before)
  expect(sampleOf(text, 'database_connections_max')).toBe(inject('server') ? 4 : 1)
  expect(sampleOf(text, 'database_waiting')).toBe(0)
  expect(sampleOf(text, 'database_connections{state="busy"}')).toBe(0)
  expect(sampleOf(text, 'database_connections{state="idle"}')).toBeGreaterThan(0)
})

test('cached responses are counted', async () => {
  const before = await metrics()
  for (let n = 0; n < 3; n++) await app.get('/cal/events/v1/organizers')
  const text = await metrics()
  const change = (line: string) => (sampleOf(text, line) ?? Number.NaN) - (sampleOf(before, line) ?? Number.NaN)
  expect(change('cache_requests_total{result="hit"}')).toBe(2)
  expect(change('cache_requests_total{result="miss"}')).toBe(1)
  expect(change('cache_entries')).toBe(1)
  expect(change('cache_bytes')).toBeGreaterThan(100)
  expect(sampleOf(text, 'cache_active')).toBe(1)
})

test('metrics have the Prometheus format', async () => {
  const reply = await app.get('/metrics')
  expect(reply.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  for (const line of (reply.body as string).trim().split('\n')) {
    expect(line).toMatch(/^# (HELP|TYPE) \w+ |^\w+(\{[^}]*(\{[^}]*\}[^}]*)*\})? [\d.eE+-]+$|^$/)
  }
})
