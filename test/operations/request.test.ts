import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
beforeAll(async () => {
  // Responses from the cache run no statements.
  app = await openTestApp({ CACHE_BYTES: '0' })
})
afterAll(() => app.close())

const paths = ['/cal/events/v1/events', '/graphql?query={events{totalCount}}', '/', '/nothing', '/health/live']
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

describe('the ID of a request', () => {
  test.each(paths)('comes back from %s', async (url) => {
    const reply = await app.get(url, { headers: { 'x-request-id': 'trace-1/a.b:c+d=' } })
    expect(reply.headers['x-request-id']).toBe('trace-1/a.b:c+d=')
    expect((await app.get(url)).headers['x-request-id']).toMatch(uuid)
  })

  test.each(['', 'two words', 'a'.repeat(101), '{"level":60}', 'é', 'a,b'])(
    'is a new one where the client gave %j',
    async (requestId) => {
      const reply = await app.get('/health/live', { headers: { 'x-request-id': requestId } })
      expect(reply.headers['x-request-id']).toMatch(uuid)
    },
  )
})

describe('Server-Timing', () => {
  const timing = /^total;dur=\d+\.\d, db;dur=(\d+\.\d);desc="(\d+) statements"(, cache;desc="fwd=miss")?$/

  test.each(paths)('%s returns Server-Timing only on request', async (url) => {
    const reply = await app.get(url, { headers: { 'x-server-timing': '1' } })
    expect(reply.headers['server-timing']).toMatch(timing)
    expect((await app.get(url)).headers['server-timing']).toBeUndefined()
    expect((await app.get(url, { headers: { 'x-server-timing': '2' } })).headers['server-timing']).toBeUndefined()
  })

  test('counts the statements of its own request', async () => {
    const headers = { 'x-server-timing': '1' }
    const urls = ['{events{totalCount}venues{totalCount}}', '{tags{totalCount}}', '{__typename}'].map(
      (query) => `/graphql?query=${query}`,
    )
    const alone: number[] = []
    for (const url of urls) {
      app.statements.length = 0
      await app.get(url)
      alone.push(app.statements.length)
    }
    const together = await Promise.all(urls.map((url) => app.get(url, { headers })))
    expect(alone).toEqual([expect.any(Number), expect.any(Number), 0])
    expect(together.map((reply) => Number(timing.exec(reply.headers['server-timing'] ?? '')?.[2]))).toEqual(alone)
  })
})
