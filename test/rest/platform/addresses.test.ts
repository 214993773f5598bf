// The addresses of the platform of the reference: the path of the REST API as a query parameter, methods in place of POST,
// the index of the platform, and other names of the language parameter.
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../../helpers/app.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'

const legacy = { REST_PREFIX: '/wp-json', REST_NAMESPACE: 'old/events/v1', REST_HEADER_PREFIX: 'X-Old' }
const root = '/wp-json/old/events/v1'

let app: TestApp
let hall = 0
beforeAll(async () => {
  app = await openTestApp({ ...legacy, REST_CATEGORY_TAXONOMY: 'old_events_cat' })
  const categoryIds = [await makeCategory(app.db, { en: 'Music', fr: 'Musique' })]
  hall = await makeVenue(app.db, { en: 'Hall (arts)', fr: 'Salle (arts)' })
  await makeVenue(app.db, 'Été à la mer')
  await makeVenue(app.db, '音楽')
  for (const night of [1, 2, 3]) {
    await makeEvent(app.db, { en: `Night ${night}`, fr: `Nuit ${night}` }, { categoryIds, venueIds: [hall] })
  }
})
afterAll(() => app.close())

const withoutTimes = ({ date: _, 'x-request-id': __, 'cache-status': ___, ...headers }: Record<string, unknown>) =>
  headers

describe('a path in the parameter rest_route is answered as the path itself', () => {
  test.each([
    ['/?rest_route=/old/events/v1/events', '/wp-json/old/events/v1/events'],
    ['/?rest_route=/old/events/v1/events/', '/wp-json/old/events/v1/events/'],
    ['/?rest_route=%2Fold%2Fevents%2Fv1%2Fevents&per_page=2', `${root}/events?per_page=2`],
    ['/?per_page=2&rest_route=/old/events/v1/events&page=2', `${root}/events?per_page=2&page=2`],
    ['/?rest%5Froute=/old/events/v1/tags', `${root}/tags`],
    ['/?rest_route=old/events/v1/tags', `${root}/tags`],
    ['/?rest_route=/nothing&rest_route=/old/events/v1/tags', `${root}/tags`],
    ['/index.php?rest_route=/old/events/v1/venues&search=hall%26co', `${root}/venues?search=hall%26co`],
    ['/index.php/?rest_route=/old/events/v1/venues', `${root}/venues`],
    ['/index.php/wp-json/old/events/v1/venues?per_page=1', `${root}/venues?per_page=1`],
    ['/fr/index.php/wp-json/', '/fr/wp-json/'],
    ['/fr/?rest_route=/old/events/v1/events', `/fr${root}/events`],
    ['/fr?rest_route=/old/events/v1/events', `/fr${root}/events`],
    ['/fr/index.php?rest_route=/old/events/v1/events', `/fr${root}/events`],
    ['/?rest_route=/old/events/v1/venues/by-slug/ete-a-la-mer', `${root}/venues/by-slug/ete-a-la-mer`],
    ['/?rest_route=/old/events/v1/venues/by-slug/%E9%9F%B3%E6%A5%BD', `${root}/venues/by-slug/%E9%9F%B3%E6%A5%BD`],
    ['/?rest_route=/old/events/v1/venues/by-slug/nothing', `${root}/venues/by-slug/nothing`],
    ['/?rest_route=/old/events/v1/events&categories[]=music', `${root}/events?categories[]=music`],
    ['/?rest_route=/old/events/v1/events&categories=unknown', `${root}/events?categories=unknown`],
    ['/?rest_route=/old/events/v1', root],
    ['/?rest_route=/', '/wp-json/'],
    ['/?rest_route=', '/wp-json'],
    ['/?rest_route=/nothing', '/wp-json/nothing'],
    ['/?rest_route=/old/events/v1/../../../graphql', '/wp-json/old/events/v1/nothing'],
    ['/?rest_route=/old/events/v1/events%3Fpage=2', `${root}/nothing`],
  ])('%s', async (address, path) => {
    const [sent, own] = [await app.get(address), await app.get(path)]
    expect([sent.status, sent.body]).toEqual([own.status, own.body])
    expect(withoutTimes(sent.headers)).toEqual(withoutTimes(own.headers))
  })

  test('both share a cached response', async () => {
    await app.get(`${root}/venues?per_page=7`)
    const { headers } = await app.get('/?rest_route=/old/events/v1/venues&per_page=7')
    expect(headers['cache-status']).toBe('calendar; hit')
  })

  test('links in the response are those of the path', async () => {
    const { body } = await app.get('/fr/?rest_route=/old/events/v1/events&per_page=2')
    expect(body.next_rest_url).toMatch(
      /^http:\/\/calendar\.test\/fr\/wp-json\/old\/events\/v1\/events\/\?page=2&per_page=2/,
    )
    expect(body.events[0].title).toBe('Nuit 1')
  })

  test('HEAD and OPTIONS too', async () => {
    const head = await app.get('/?rest_route=/old/events/v1/events', { method: 'HEAD' })
    expect([head.status, head.body, head.headers['x-old-total']]).toEqual([200, '', '3'])
    const options = await app.get('/?rest_route=/old/events/v1/events', { method: 'OPTIONS' })
    expect([options.status, options.body.methods]).toEqual([200, ['GET', 'POST']])
  })

  test('writes in each encoding', async () => {
    const editor = await app.signIn('editor')
    const json = await editor.send('POST', '/?rest_route=/old/events/v1/tags', { name: 'Jazz' })
    const form = await editor.send('POST', '/index.php?rest_route=/old/events/v1/tags', 'name=Blues')
    expect([json.status, json.body.name, form.status, form.body.name]).toEqual([201, 'Jazz', 201, 'Blues'])
    const put = await editor.send('PUT', `/?rest_route=/old/events/v1/tags/${json.body.id}`, { name: 'Swing' })
    expect([put.status, put.body.name]).toEqual([200, 'Swing'])
    const removed = await editor.send('DELETE', `/?rest_route=/old/events/v1/tags/${json.body.id}&force=true`)
    expect([removed.status, removed.body.name]).toEqual([200, 'Swing'])
  })

  test('other addresses keep the parameter without a meaning', async () => {
    expect((await app.get(`${root}/venues/${hall}?rest_route=/old/events/v1/tags`)).body.venue).toBe('Hall (arts)')
  })
})

describe('a POST can stand for another method', () => {
  test.each<[string, (id: number) => [string, Record<string, string>], [number, string]]>([
    ['a parameter', (id) => [`${root}/tags/${id}?_method=DELETE`, {}], [200, 'Old']],
    [
      'a parameter beside rest_route',
      (id) => [`/?rest_route=/old/events/v1/tags/${id}&_method=delete`, {}],
      [200, 'Old'],
    ],
    ['a header', (id) => [`${root}/tags/${id}`, { 'x-http-method-override': 'DELETE' }], [200, 'Old']],
    [
      'the parameter before the header',
      (id) => [`${root}/tags/${id}?_method=PUT`, { 'x-http-method-override': 'DELETE' }],
      [200, 'New'],
    ],
    ['GET', (id) => [`${root}/tags/${id}?_method=GET`, {}], [200, 'Old']],
    ['a method without a route', () => [`${root}/tags?_method=DELETE`, {}], [404, '']],
    ['no such method', (id) => [`${root}/tags/${id}?_method=REMOVE`, {}], [200, 'New']],
  ])('by %s', async (_how, requestOf, [status, name]) => {
    const editor = await app.signIn('editor')
    const { body: tag } = await editor.send('POST', `${root}/tags`, { name: 'Old' })
    const [url, headers] = requestOf(tag.id)
    const reply = await editor.send('POST', url, { name: 'New' }, headers)
    expect([reply.status, reply.body.name ?? '']).toEqual([status, name])
    await editor.send('DELETE', `${root}/tags/${tag.id}`)
  })

  it('needs the same permission', async () => {
    const { status, body } = await app.send('POST', `${root}/venues/${hall}?_method=DELETE`)
    expect([status, body.code]).toEqual([401, 'rest_forbidden'])
  })

  it('no GET becomes a write', async () => {
    const editor = await app.signIn('editor')
    const { status, body } = await editor.get(`${root}/venues/${hall}?_method=DELETE`)
    expect([status, body.status]).toEqual([200, 'publish'])
  })
})

describe('the index of the platform', () => {
  test.each(['/wp-json/', '/wp-json', '/?rest_route=/'])('%s', async (path) => {
    const { status, headers, body } = await app.get(path)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=UTF-8'])
    expect(body).toMatchObject({
      name: 'Event calendar',
      description: '',
      url: 'http://calendar.test',
      home: 'http://calendar.test',
      gmt_offset: 0,
      timezone_string: 'UTC',
      authentication: [],
    })
    expect(body.namespaces[0]).toBe('old/events/v1')
  })

  it('lists the routes as the index of each namespace does', async () => {
    const { body } = await app.get('/wp-json/')
    const own = (await app.get(root)).body.routes
    expect(body.routes).toMatchObject(own)
    expect(body.routes['/']).toMatchObject({
      methods: ['GET'],
      _links: { self: [{ href: 'http://calendar.test/wp-json/' }] },
    })
    expect(body.routes['/old/events/v1/events']._links.self[0].href).toBe(`http://calendar.test${root}/events`)
  })

  it('is in each language, with its own links', async () => {
    const { body } = await app.get('/fr/wp-json/')
    expect(body).toMatchObject({ url: 'http://calendar.test', home: 'http://calendar.test/fr' })
    expect(body.routes['/old/events/v1']._links.self[0].href).toBe(`http://calendar.test/fr${root}`)
  })

  it('shows the zone of the site, and its offset at the present time', async () => {
    for (const [zone, winter, summer, name] of [
      ['Europe/Paris', 1, 2, 'Europe/Paris'],
      ['UTC+5:30', 5.5, 5.5, ''],
      ['America/St_Johns', -3.5, -2.5, 'America/St_Johns'],
    ] as const) {
      const other = await serve(app, { ...legacy, SITE_TIMEZONE: zone })
      const first = (await other.get('/wp-json')).body
      other.clock.now = new Date('2027-07-01T12:00:00Z')
      const second = (await other.get('/wp-json')).body
      expect([first.gmt_offset, second.gmt_offset, first.timezone_string]).toEqual([winter, summer, name])
      await other.app.close()
    }
  })
})

describe('lang and wpml_language are spellings of translation_language', () => {
  test.each([
    ['?lang=fr', 'fr', 'lang=fr'],
    ['?wpml_language=fr', 'fr', 'wpml_language=fr'],
    ['?lang=fr&wpml_language=en', 'en', 'wpml_language=en'],
    ['?lang=fr&wpml_language=en&translation_language=fr', 'fr', 'translation_language=fr'],
    ['?lang=all', 'en', ''],
    ['?lang=', 'en', ''],
    ['?lang[]=fr', 'en', ''],
  ])('%s', async (query, language, kept) => {
    const { status, headers, body } = await app.get(`${root}/venues/${query}&search=arts`)
    expect([status, headers['content-language'], body.venues[0].venue]).toEqual([
      200,
      language,
      language === 'fr' ? 'Salle (arts)' : 'Hall (arts)',
    ])
    expect(body.rest_url).toBe(
      `http://calendar.test${root}/venues/?page=1&per_page=10&search=arts${kept && `&${kept}`}`,
    )
  })

  it('they take precedence over the language of the path', async () => {
    expect((await app.get(`/fr${root}/venues/${hall}?lang=en`)).body.venue).toBe('Hall (arts)')
    expect((await app.get(`/?rest_route=/old/events/v1/venues/${hall}&lang=fr`)).body.venue).toBe('Salle (arts)')
  })

  it('an unknown wpml_language is an invalid parameter, as an unknown translation_language', async () => {
    const { status, body } = await app.get(`${root}/venues?wpml_language=xx`)
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['wpml_language']])
  })

  test.each([
    ['/?lang=fr', '/fr/'],
    ['/event/night-1/?lang=fr', '/fr/event/nuit-1/'],
    ['/fr/event/nuit-1/?wpml_language=en', '/event/night-1/'],
    ['/events/category/music/?lang=fr&page=1', '/fr/events/category/musique/'],
  ])('the page %s redirects to the page in that language', async (path, own) => {
    const { status, headers } = await app.get(path)
    expect([status, headers.location]).toEqual([301, `http://calendar.test${own}`])
  })

  test.each([
    ['/events.json?include=1&lang=fr', 200, 'fr'],
    ['/?feed=json&wpml_language=fr', 200, 'fr'],
    ['/fr/events.json?lang=en', 200, 'en'],
    ['/events.ics?wpml_language=en&lang=fr', 200, 'en'],
    ['/fr/events.ics?lang=all', 200, 'fr'],
    ['/events.ics?wpml_language=xx', 400, undefined],
  ])('the feed %s has that language', async (path, status, language) => {
    const { headers, ...reply } = await app.get(path)
    expect([reply.status, headers['content-language']]).toEqual([status, language])
  })

  test.each(['/?lang=all', '/event/night-1/?lang=xx', '/fr/event/nuit-1/?lang=fr'])(
    'the page %s does not',
    async (path) => {
      expect((await app.get(path)).status).toBe(200)
    },
  )
})

it('categories name the taxonomy of the setting', async () => {
  const [list, events] = [(await app.get(`${root}/categories`)).body, (await app.get(`${root}/events`)).body]
  expect([list.categories[0].taxonomy, events.events[0].categories[0].taxonomy]).toEqual([
    'old_events_cat',
    'old_events_cat',
  ])
  expect(JSON.stringify((await app.get(`${root}/doc`)).body)).not.toContain('cal_events_cat')
})

describe('with LEGACY_ADDRESSES=off', () => {
  let plain: TestApp
  beforeAll(async () => {
    plain = await serve(app, {})
  })
  afterAll(() => plain.app.close())

  test.each<[string, InjectOptions]>([
    ['/?rest_route=/cal/events/v1/events', {}],
    ['/?rest_route=/cal/events/v1/events', { method: 'POST' }],
    ['/wp-json/', { headers: { accept: 'text/html' } }],
    ['/fr/wp-json/wp/v2/tags', { headers: { accept: 'text/html' } }],
  ])('%s %j is unknown to clients of REST', async (path, options) => {
    const { status, body } = await plain.get(path, options)
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
  })

  it('lang and _method have no meaning', async () => {
    const { headers } = await plain.get(`/cal/events/v1/venues?lang=fr`)
    expect(headers['content-language']).toBe('en')
    expect((await plain.get('/?lang=fr')).status).toBe(200)
    const { status } = await plain.send('POST', `/cal/events/v1/venues?_method=DELETE`, {})
    expect(status).toBe(400)
  })
})
