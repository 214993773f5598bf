// Password-protected records (contract c.15, QUIRK-34).
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
const ids = { event: 0, venue: 0, organizer: 0, open: 0 }

beforeAll(async () => {
  app = await openTestApp({ LOG_LEVEL: 'info', PER_PAGE_DEFAULT: '1' })
  captureLog()
  const { db } = app
  const key = await hashRecordPassword('secret', app.site.passwordSalt)
  const words = { description: 'Withheld', excerpt: 'Withheld' }
  const lock = { passwordKey: key, imageId: await makeImage(db), website: 'https://withheld.test' }
  const contact = { ...lock, phone: 'withheld' }
  const address = { address: 'withheld', city: 'withheld', country: 'withheld', province: 'withheld', zip: 'withheld' }
  const place = { ...address, state: 'withheld', stateProvince: 'withheld', latitude: 1, longitude: 2 }
  ids.venue = await makeVenue(db, { en: { name: 'Hall', ...words } }, { ...contact, ...place })
  ids.organizer = await makeOrganizer(
    db,
    { en: { name: 'Club', ...words } },
    { ...contact, email: 'withheld@club.test' },
  )
  const links = {
    venueIds: [ids.venue],
    organizerIds: [ids.organizer],
    categoryIds: [await makeCategory(db, 'Withheld')],
    tagIds: [await makeTag(db, 'Withheld')],
  }
  const flags = { allDay: true, showMap: true, showMapLink: true, sticky: true, featured: true }
  const customFields = [{ key: 'withheld', label: 'withheld', value: 1 }]
  const input = { ...lock, ...links, ...flags, cost: ['$987'], customFields }
  ids.event = await makeEvent(db, { en: { name: 'Choir', ...words } }, input)
  ids.open = await makeEvent(db, 'Open', { ...links, start: '2026-12-05T10:00:00' })
})
afterAll(() => app.close())

const logged: string[] = []

/** Captures the log through the internal stream of the logger. */
function captureLog() {
  const symbol = Object.getOwnPropertySymbols(app.app.log).find(({ description }) => description === 'pino.stream')
  if (!symbol) throw new Error('the log has no stream')
  const { [symbol]: stream } = app.app.log as unknown as Record<symbol, { write(line: string): boolean }>
  if (!stream) throw new Error('the log has no stream')
  vi.spyOn(stream, 'write').mockImplementation((line) => logged.push(line) > 0)
}

const get = (path: string) => app.get(`${ns}${path}`)
const dates = ['start_date', 'end_date', 'utc_start_date', 'utc_end_date']

describe('a protected event', () => {
  const maskedEvent = {
    description: '',
    excerpt: '',
    cost: '',
    website: '',
    image: false,
    all_day: null,
    show_map: null,
    show_map_link: null,
    hide_from_listings: null,
    sticky: null,
    featured: null,
    cost_details: { currency_symbol: '', currency_position: '', currency_code: '', values: [] },
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
  }

  it.each(['', '?password=wrong', '?password=Secret', '?password=secret%20'])('is 403 alone: %s', async (query) => {
    for (const path of [`/events/${ids.event}`, '/events/by-slug/choir']) {
      const { status, body } = await get(`${path}${query}`)
      expect([status, body.code, body.data]).toEqual([403, 'event-password-protected', { status: 403 }])
      expect(JSON.stringify(body)).not.toContain('Choir')
    }
  })

  it.each(['', '?password=wrong'])('is listed without its details: %s', async (query) => {
    const [event] = (await get(`/events${query}`)).body.events
    expect(event).toMatchObject({ id: ids.event, title: 'Choir', slug: 'choir', status: 'publish', author: '0' })
    expect(event).toMatchObject(maskedEvent)
    expect(event).toMatchObject({ timezone: 'Europe/Paris', timezone_abbr: 'CET', start_date: '2026-12-01 19:00:00' })
    for (const name of dates) expect(event[`${name}_details`].year).toBe('2026')
    expect(JSON.stringify(event)).not.toMatch(/withheld|987|json_ld/i)
  })

  it('is complete with the password, alone and in lists', async () => {
    const alone = (await get(`/events/${ids.event}?password=secret`)).body
    expect((await get('/events/by-slug/choir?password=secret')).body).toEqual(alone)
    expect(alone).toMatchObject({ description: '<p>Withheld</p>', cost: '$987', featured: true, json_ld: {} })
    expect(alone.venue).toMatchObject({ id: ids.venue, city: 'withheld' })
    const [listed] = (await get('/events?password=secret')).body.events
    expect(listed).toMatchObject({ description: '<p>Withheld</p>', cost: '$987', categories: [{ name: 'Withheld' }] })
  })

  it('is not found by withheld fields', async () => {
    expect((await get('/events?featured=1')).body.total).toBe(0)
    expect((await get('/events?featured=1&password=wrong')).body.total).toBe(0)
    expect((await get('/events?featured=1&password=secret')).body.total).toBe(1)
    expect((await get('/events?featured=0')).body.total).toBe(1)
    expect((await get('/categories')).body.categories[0].count).toBe(1)
  })
})

describe.each([
  ['venue', 'venues', 'hall', ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince']],
  ['organizer', 'organizers', 'club', ['email']],
] as const)('%s', (kind, plural, slug, own) => {
  const text = ['description', 'excerpt', 'phone', 'website', ...own]
  const masked = { ...Object.fromEntries(text.map((name) => [name, ''])), image: false }
  const named = { [kind]: kind === 'venue' ? 'Hall' : 'Club', slug, status: 'publish' }
  const map = kind === 'venue' ? { show_map: null, show_map_link: null, geo_lat: 0, geo_lng: 0 } : {}

  it.each(['', '?password=wrong'])('shows only its name, alone and in lists: %s', async (query) => {
    for (const path of [`/${plural}/${ids[kind]}`, `/${plural}/by-slug/${slug}`, `/${plural}`]) {
      const { status, body } = await get(`${path}${query}`)
      const record = body[plural]?.[0] ?? body
      expect(status).toBe(200)
      expect(record).toMatchObject({ id: ids[kind], ...named, ...masked, ...map })
      expect(JSON.stringify(record)).not.toMatch(/withheld|json_ld/)
    }
  })

  it('shows only its name in an event', async () => {
    const event = (await get(`/events/${ids.open}`)).body
    const record = kind === 'venue' ? event.venue : event.organizer[0]
    expect(record).toMatchObject({ id: ids[kind], ...named, ...masked })
    expect(record).not.toHaveProperty('json_ld')
  })

  it('has the same fields with and without the password', async () => {
    const make = kind === 'venue' ? makeVenue : makeOrganizer
    const passwordKeyOf = await hashRecordPassword('secret', app.site.passwordSalt)
    const bare = await make(
      app.db,
      { en: { name: 'Bare', excerpt: 'Short' } },
      { passwordKey: passwordKeyOf, phone: '1' },
    )
    const masked = (await get(`/${plural}/${bare}`)).body
    const { json_ld, ...open } = (await get(`/${plural}/${bare}?password=secret`)).body
    expect(json_ld).toBeDefined()
    expect(masked).toMatchObject({ excerpt: '', phone: '' })
    expect(Object.keys(masked).toSorted()).toEqual(Object.keys(open).toSorted())
    const { json_ld: _, ...whole } = (await get(`/${plural}/${ids[kind]}?password=secret`)).body
    expect(Object.keys((await get(`/${plural}/${ids[kind]}`)).body).toSorted()).toEqual(Object.keys(whole).toSorted())
    await (kind === 'venue'
      ? app.db.venue.delete({ where: { id: bare } })
      : app.db.organizer.delete({ where: { id: bare } }))
  })

  it('is complete with the password', async () => {
    for (const path of [`/${plural}/${ids[kind]}`, `/${plural}/by-slug/${slug}`]) {
      const { body } = await get(`${path}?password=secret`)
      expect(body).toMatchObject({ ...named, phone: 'withheld', image: { extension: 'jpg' }, json_ld: {} })
    }
    const [listed] = (await get(`/${plural}?password=secret`)).body[plural]
    expect(listed).toMatchObject({ phone: 'withheld', description: '<p>Withheld</p>' })
  })
})

it.each(['events', 'events/1', 'events/by-slug/choir', 'venues', 'venues/1', 'organizers', 'organizers/1'])(
  'an empty password is a wrong parameter: %s',
  async (path) => {
    for (const value of ['', '0']) {
      const { status, body } = await get(`/${path}?password=${value}`)
      expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', ['password']])
    }
  },
)

it('passwords do not appear in responses, headers or logs', async () => {
  for (const path of [
    'events',
    'venues',
    'organizers',
    `events/${ids.event}`,
    `venues/${ids.venue}`,
    'events/99',
    'x',
  ]) {
    for (const query of ['password=secret', 'page=1&password=secret', 'password=secret&translation_language=de']) {
      const { body, headers } = await get(`/${path}?${query}`)
      expect(JSON.stringify([body, headers])).not.toContain('secret')
    }
  }
  const list = (await get('/events?password=secret')).body
  expect(list.next_rest_url).toMatch(/\?page=2&/)
  expect(logged.join('')).toContain(`${ns}/events/${ids.event}`)
  expect(logged.join('')).not.toMatch(/secret|\?/)
})
