import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('health checks succeed without credentials and are not cached', async () => {
  for (const [path, status] of [
    ['live', 'live'],
    ['ready', 'ready'],
  ]) {
    const reply = await app.get(`/health/${path}`)
    expect([reply.status, reply.body]).toEqual([200, { status }])
    expect(reply.headers['cache-control']).toBe('no-store')
  }
})

test('simultaneous readiness checks share one query', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => app.get('/health/ready')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
})

test('while stopping, the service is not ready, still responds, and closes connections', async () => {
  const other = await serve(app)
  other.stop()
  const ready = await other.get('/health/ready')
  expect([ready.status, ready.body, ready.headers['retry-after']]).toEqual([503, { status: 'stopping' }, '1'])
  expect((await other.get('/health/live')).status).toBe(200)
  const replies = [
    await other.get('/cal/events/v1/events'),
    await other.graphql('{ events { totalCount } }'),
    await other.get('/'),
  ]
  for (const { status, headers } of replies) expect([status, headers.connection]).toEqual([200, 'close'])
  await other.app.close()
})
