// Settings of the REST API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  for (let i = 0; i < 7; i++) await makeVenue(app.db, `Hall ${i}`)
  await makeEvent(app.db, 'Choir', { cost: ['20'], timeZone: 'Asia/Tokyo' })
})
afterAll(() => app.close())

/** Another instance on the same database. */
async function under<Result>(env: Record<string, string>, run: (other: TestApp) => Promise<Result>): Promise<Result> {
  const other = await serve(app, env)
  try {
    return await run(other)
  } finally {
    await other.app.close()
  }
}

describe('the paths of the API', () => {
  it.each([
    [{ REST_PREFIX: '/api' }, '/api/cal/events/v1', '/fr/api/cal/events/v1'],
    [{ REST_NAMESPACE: 'old/v2' }, '/old/v2', '/fr/old/v2'],
    [{ REST_PREFIX: '/wp', REST_NAMESPACE: 'x' }, '/wp/x', '/fr/wp/x'],
  ])('%j', async (env, root, french) => {
    await under(env, async (other) => {
      for (const prefix of [root, french]) {
        const { status, body } = await other.get(`${prefix}/events`)
        expect([status, body.events.length]).toEqual([200, 1])
        expect(body.rest_url).toContain(`http://calendar.test${prefix}/events/?page=1`)
        expect(body.events[0].rest_url).toBe(`http://calendar.test${prefix}/events/${body.events[0].id}`)
        expect((await other.get(`${prefix}/nothing`)).body.code).toBe('rest_no_route')
      }
      expect((await other.get('/cal/events/v1/events')).status).toBe(404)
    })
  })

  it('REST_ENABLED=off makes every route unknown', async () => {
    await under({ REST_ENABLED: 'off' }, async (other) => {
      for (const root of ['', '/fr']) {
        const { status, body } = await other.get(`${root}/cal/events/v1/events`)
        expect([status, body.code]).toEqual([404, 'rest_no_route'])
      }
      expect((await other.graphql('{ __typename }')).status).toBe(200)
    })
  })

  it('links start with PUBLIC_URL, links to pages with PAGES_URL', async () => {
    const env = { PUBLIC_URL: 'https://api.test/base/', PAGES_URL: 'https://www.test:8443/calendar' }
    const [event] = await under(env, async (other) => (await other.get('/fr/cal/events/v1/events')).body.events)
    expect(event).toMatchObject({
      rest_url: `https://api.test/base/fr/cal/events/v1/events/${event.id}`,
      url: 'https://www.test:8443/calendar/fr/event/choir/',
      global_id: `www.test:8443/calendar?id=${event.id}`,
    })
  })
})

describe('pages', () => {
  it.each([
    [{ PER_PAGE_DEFAULT: '3' }, '', 3, 3],
    [{ PER_PAGE_DEFAULT: '5' }, '', 5, 2],
    [{ PER_PAGE_DEFAULT: '20' }, '', 7, 1],
    [{ PER_PAGE_DEFAULT: '3' }, '?per_page=6', 6, 2],
    [{ PER_PAGE_MAX: '4' }, '?per_page=6', 4, 2],
  ])('%j%s returns %i of 7 items', async (env, query, items, pages) => {
    const { body } = await under(env, (other) => other.get(`/cal/events/v1/venues${query}`))
    expect([body.venues.length, body.total, body.total_pages]).toEqual([items, 7, pages])
  })

  it('REST_HEADER_PREFIX is the prefix of the headers', async () => {
    const { headers } = await under({ REST_HEADER_PREFIX: 'X-Old' }, (other) => other.get('/cal/events/v1/venues'))
    expect([headers['x-old-total'], headers['x-old-totalpages'], headers['x-cal-total']]).toEqual(['7', '1', undefined])
  })
})

describe('values', () => {
  it('SITE_TIMEZONE applies to publication dates, not to events', async () => {
    const env = { SITE_TIMEZONE: 'Asia/Kolkata' }
    const [event] = await under(env, async (other) => (await other.get('/cal/events/v1/events')).body.events)
    expect(event).toMatchObject({
      date: '2026-10-22 17:30:00',
      date_utc: '2026-10-22 12:00:00',
      start_date: '2026-12-01 19:00:00',
      utc_start_date: '2026-12-01 10:00:00',
    })
  })

  it.each([
    [{ DEFAULT_CURRENCY_SYMBOL: '€' }, '€20'],
    [{ DEFAULT_CURRENCY_SYMBOL: '€', DEFAULT_CURRENCY_POSITION: 'postfix' }, '20€'],
  ])('%j formats a price without currency as %s', async (env, cost) => {
    const [event] = await under(env, async (other) => (await other.get('/cal/events/v1/events')).body.events)
    expect([event.cost, event.cost_details.currency_symbol]).toEqual([cost, ''])
  })

  it('LANGUAGES sets the roots, DEFAULT_LANGUAGE the language without a root', async () => {
    const other = await openTestApp({ LANGUAGES: 'fr,de', DEFAULT_LANGUAGE: 'fr' })
    const { headers } = await other.get('/cal/events/v1/events')
    const statuses = []
    for (const root of ['/fr', '/de', '/en']) statuses.push((await other.get(`${root}/cal/events/v1/events`)).status)
    const invalid = await other.get('/cal/events/v1/events?translation_language=en')
    await other.close()
    expect([headers['content-language'], statuses, invalid.status]).toEqual(['fr', [200, 200, 404], 400])
  })
})
