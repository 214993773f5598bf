// Feeds that are too long for the cache: they are streamed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onQuery } from '../../src/engine/postgres/query.ts'
import { compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { eventsOf, readCalendar } from '../helpers/icalendar.ts'
import { makeEvent } from '../helpers/make.ts'
import { write } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let concert: number

beforeAll(async () => {
  app = await openTestApp({ ...compared, FEED_EVENTS_MAX: '300' })
  admin = await app.signIn('administrator')
  concert = await makeEvent(app.db, { en: 'Concert', fr: 'Le concert' })
  const long = 'long text '.repeat(10_000)
  const dates = { start: '2027-06-01T10:00:00' }
  for (let count = 0; count < 120; count += 1) {
    const description = count % 10 === 0 ? long : 'A long event'
    await makeEvent(app.db, { en: { name: `Long ${count}`, description } }, dates)
  }
})
afterAll(() => app?.close())

test('a long feed is streamed completely, without being cached', async () => {
  for (const url of ['/events.ics?start_date=2027-06-01&end_date=2027-06-02', '/fr/events.ics?search=long']) {
    const reply = await readCalendar(app, url)
    expect(reply.body.length).toBeGreaterThan(2_000_000)
    expect(new Set(eventsOf(reply.body).map(({ summary }) => summary)).size).toBe(120)
    const again = await readCalendar(app, url)
    expect(again.headers).toMatchObject({ 'cache-status': 'calendar; fwd=miss', etag: reply.headers.etag })
    expect(again.body).toBe(reply.body)
  }
  expect(eventsOf((await readCalendar(app, '/events.ics?search=long&per_page=110')).body)).toHaveLength(110)
})

test('a client that has a streamed feed gets 304 until an event changes', async () => {
  const url = '/es/events.ics?search=long'
  const { etag = '' } = (await readCalendar(app, url)).headers
  const unchanged = { headers: { 'if-none-match': etag } }
  const { status, headers, body } = await app.get(url, unchanged)
  expect([status, headers['cache-status'], body]).toEqual([304, 'calendar; hit', ''])
  expect((await app.get(url, { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
  expect((await app.get(url, unchanged)).status).toBe(304)
  await write(admin, 'update', 'event', { id: concert, excerpt: 'Extended' })
  const changed = await app.get(url, unchanged)
  expect(changed.status).toBe(200)
  expect(changed.headers.etag).not.toBe(etag)
  expect((await admin.get(url)).headers.etag).toBeUndefined()
})

test('a streamed feed that changes while several clients request it gets another ETag', async () => {
  const url = '/es/events.ics?search=long&per_page=115'
  const { etag = '' } = (await readCalendar(app, url)).headers
  const replies = Promise.all([1, 2, 3].map(async () => (await app.app.inject({ url })).statusCode))
  await write(admin, 'update', 'event', { id: concert, excerpt: 'Changed' })
  expect(await replies).toEqual([200, 200, 200])
  expect((await app.get(url, { headers: { 'if-none-match': etag } })).status).toBe(200)
})

test('HEAD of a streamed feed does not read it to the end', async () => {
  const url = '/fr/events.ics?search=long&per_page=118'
  await app.get(url)
  let statements = 0
  const stop = onQuery(app.db, () => {
    statements += 1
  })
  await app.get(url)
  const ofGet = statements
  const head = await app.app.inject({ method: 'HEAD', url })
  await app.get(url)
  stop()
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', undefined])
  expect(statements).toBeLessThan(3 * ofGet)
})
