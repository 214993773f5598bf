// Language roots: a path below a language is the same path without it, in that language.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, { en: { name: 'Concert', slug: 'concert' }, fr: { name: 'Récital', slug: 'recital' } })
})
afterAll(() => app?.close())

const html = { headers: { accept: 'text/html' } }

test.each([
  ['/cal/events/v1/events', 'Concert'],
  ['/fr/cal/events/v1/events', 'Récital'],
  ['/graphql?query={events{nodes{title}}}', 'Concert'],
  ['/fr/graphql?query={events{nodes{title}}}', 'Récital'],
  ['/events.json', 'Concert'],
  ['/fr/events.json', 'Récital'],
  ['/fr/?feed=rss2', 'Récital'],
  ['/fr/event/recital/', 'Récital'],
  ['/fr/embed/events', 'Récital'],
  ['/en/opensearch.xml', '<Language>en</Language>'],
  ['/fr/opensearch.xml', '<Language>fr</Language>'],
])('%s answers in the language of its path, also from the cache', async (url, text) => {
  for (let repeats = 0; repeats < 2; repeats += 1) {
    const { status, body } = await app.get(url)
    expect(status).toBe(200)
    expect(typeof body === 'string' ? body : JSON.stringify(body)).toContain(text)
  }
})

test('the same path in two languages has two entries in the cache', async () => {
  const read = async (root: string) => (await app.get(`${root}/cal/events/v1/events`)).body.events[0].title
  expect([await read('/en'), await read('/fr'), await read(''), await read('/fr')]).toEqual([
    'Concert',
    'Récital',
    'Concert',
    'Récital',
  ])
})

test('a language without a slash at its end leads to its page', async () => {
  const { status, headers } = await app.get('/fr', html)
  expect([status, headers.location]).toEqual([301, 'http://calendar.test/fr/'])
})

test.each(['/metrics', '/health/ready', '/docs', '/sitemap.xml', '/robots.txt', '/favicon.ico', '/oembed'])(
  '%s has no language root',
  async (url) => {
    expect((await app.get(url)).status).not.toBe(404)
    const { status, headers } = await app.get(`/fr${url}`)
    expect(status).toBe(404)
    expect(headers['x-frame-options']).toBe('DENY')
  },
)

test.each(['/suggestions?prefix=c', '/fr/fr/graphql', '/de/graphql', '/frgraphql'])('%s is unknown', async (url) => {
  expect((await app.get(url)).status).toBe(404)
})

test('a page that is not found is in the language of the path', async () => {
  const { status, body } = await app.get('/fr/nothing', html)
  expect(status).toBe(404)
  expect(body).toContain('Page introuvable')
})
