// Attacks by other sites and by anonymous clients.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
let editor: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp({ BODY_LIMIT: '100KB' })
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }

test('pages of other sites cannot use the credentials of a user for GraphQL', async () => {
  const preflight = await app.app.inject({
    method: 'OPTIONS',
    url: '/graphql',
    headers: { ...foreign, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
})

test.each([
  'multipart/form-data; boundary=x+json',
  'application/x-www-form-urlencoded; a=+json',
  'text/plain; a=+json',
])('a form is a form, whatever its parameters say: %s', async (type) => {
  const query = 'mutation { createTag(input: { name: "forged" }) { tag { name } } }'
  const { status } = await editor.send('POST', '/graphql', JSON.stringify({ query }), {
    'content-type': type,
    ...foreign,
  })
  expect(status).toBe(415)
  expect(await app.db.tagSlug.count({ where: { slug: 'forged' } })).toBe(0)
})

describe('a form of another site', () => {
  let authorization: string
  beforeAll(async () => {
    const make = `mutation { createApplicationPassword(input: { name: "browser" }) { secret } }`
    const { body } = await editor.graphql(make)
    const secret = `${editor.login}:${body.data.createApplicationPassword.secret}`
    authorization = `Basic ${Buffer.from(secret).toString('base64')}`
  })
  const form = (headers: Record<string, string>, type = 'application/x-www-form-urlencoded') =>
    app
      .as({ authorization })
      .send('POST', '/cal/events/v1/tags', `name=tag-${Math.random()}`, { 'content-type': type, ...headers })

  test.each<[Record<string, string>, number]>([
    [foreign, 403],
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'unheard-of' }, 403],
    [{ referer: 'https://evil.test/form' }, 403],
    [{ referer: 'http://calendar.test.evil.test/' }, 403],
    [{ referer: 'http://calendar.test@evil.test/' }, 403],
    [{ referer: 'https://calendar.test/' }, 403],
    [{ referer: '//calendar.test/' }, 403],
    [{ referer: 'about:blank' }, 403],
    [{ referer: 'nonsense' }, 403],
    [{ referer: 'http://calendar.test/', origin: 'https://evil.test' }, 403],
    [{ referer: 'http://calendar.test/', 'sec-fetch-site': 'cross-site' }, 403],
    [{}, 201],
    [{ referer: '' }, 201],
    [{ referer: 'http://calendar.test/en/' }, 201],
    [{ referer: 'https://evil.test/link', origin: 'http://calendar.test' }, 201],
    [{ referer: 'https://evil.test/link', 'sec-fetch-site': 'none' }, 201],
    [{ origin: 'http://calendar.test', 'sec-fetch-site': 'same-origin' }, 201],
    [{ 'sec-fetch-site': 'none' }, 201],
  ])('with %j is answered %i', async (headers, status) => {
    const reply = await form(headers)
    expect(reply.status).toBe(status)
    if (status === 403) expect(reply.body.code).toBe('rest_forbidden')
  })

  test('is rejected for every content type without preflight, on every REST route that writes', async () => {
    const types = [
      'application/x-www-form-urlencoded',
      'text/plain',
      'text/plain;charset=UTF-8, application/json',
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=application/json',
      undefined,
    ]
    const paths = ['events', 'venues', 'organizers', 'categories', 'tags'].flatMap((kind) => [
      ...[`/${kind}`, `/${kind}/1`, `/${kind}/1/`].map((path) => ({ method: 'POST' as const, path })),
      ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ method, path: `/${kind}/1` })),
    ])
    const posts = ['events', 'venues', 'organizers'].map((kind) => ({
      method: 'POST' as const,
      path: `/${kind}/by-slug/x`,
    }))
    for (const { method, path } of [...paths, ...posts]) {
      for (const type of types) {
        const headers = { authorization, referer: 'https://evil.test/', ...(type && { 'content-type': type }) }
        const payload = 'name=forged&title=forged&venue=forged&organizer=forged'
        const root = '/fr/cal/events/v1'
        const response = await app.app.inject({ method, url: root + path, headers, payload })
        const actual = [method, path, type, response.statusCode, response.json().message]
        expect(actual).toEqual([method, path, type, 403, 'Cross-site form submissions are not allowed.'])
      }
    }
  })

  test('is rejected by GraphQL for every content type without preflight', async () => {
    const query = 'mutation { createTag(input: { name: "forged by form" }) { tag { name } } }'
    const map = JSON.stringify({ query, variables: {} })
    const bodies: [type: string | undefined, payload: string][] = [
      ['application/x-www-form-urlencoded', new URLSearchParams({ query }).toString()],
      ['text/plain', JSON.stringify({ query })],
      [undefined, JSON.stringify({ query })],
      [
        'multipart/form-data; boundary=x',
        `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${map}\r\n--x--\r\n`,
      ],
    ]
    for (const [type, payload] of bodies) {
      const headers = { authorization, referer: 'https://evil.test/', ...(type && { 'content-type': type }) }
      const { statusCode } = await app.app.inject({ method: 'POST', url: '/graphql', headers, payload })
      expect([type, statusCode]).toEqual([type, 415])
    }
    const url = `/graphql?${new URLSearchParams({ query })}`
    const { statusCode } = await app.app.inject({ method: 'GET', url, headers: { authorization } })
    expect(statusCode).toBe(405)
    expect(await app.db.tagText.count({ where: { name: 'forged by form' } })).toBe(0)
  })

  test('is rejected with a disguised content type', async () => {
    expect((await form(foreign, 'text/plain; a=application/json')).status).toBe(403)
  })
})

test('multipart bodies have the same size limit as other bodies', async () => {
  const field = (name: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${'a'.repeat(90_000)}\r\n`
  const body = `${['title', 'a', 'b', 'c', 'd', 'e'].map(field).join('')}--x--\r\n`
  const reply = await app.send('POST', '/cal/events/v1/events', body, {
    'content-type': 'multipart/form-data; boundary=x',
  })
  expect([reply.status, reply.body.code]).toEqual([413, 'rest_body_too_large'])
})

test('plain text with markup stored by GraphQL is escaped by REST', async () => {
  const script = '<img src=x onerror=alert(1)>'
  const create = `mutation($input: CreateEventInput!) { createEvent(input: $input) {
    event { databaseId } userErrors { message } } }`
  const input = {
    title: 'Party',
    startsLocal: '2027-01-01T10:00:00',
    endsLocal: '2027-01-01T11:00:00',
    cost: [script],
    website: `https://x.test/"onmouseover="alert(1)`,
    venues: [{ create: { name: 'Hall', address: script, city: '<script', phone: `${script}5` } }],
    organizers: [{ create: { name: 'Club', phone: `${script}6` } }],
    customFields: [{ key: 'k', label: script, value: [script] }],
  }
  const { body } = await editor.graphql(create, { input })
  expect(body.data.createEvent.userErrors).toEqual([])
  const { body: event } = await app.get(`/cal/events/v1/events/${body.data.createEvent.event.databaseId}`)
  expect(JSON.stringify(event, (key, value) => (key === 'json_ld' ? undefined : value))).not.toMatch(
    /<img|<script|x\.test\/"/,
  )
  expect(event.website).toBe('https://x.test/%22onmouseover=%22alert(1)')
  expect(event.venue).toMatchObject({ city: '&lt;script', phone: '5' })
})

test('an expiring token cannot create tokens that outlive it', async () => {
  const make =
    'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret credential { expiresAt } userErrors { path } } }'
  const soon = '2026-11-21T12:05:00.000Z'
  const { body } = await editor.graphql(make, { input: { name: 'short', expiresAt: soon } })
  const token = app.as({ authorization: `Bearer ${body.data.createApiToken.secret}` })
  const heir = await token.graphql(make, { input: { name: 'heir' } })
  expect(heir.body.data.createApiToken.credential.expiresAt).toBe(soon)
  const longer = await token.graphql(make, { input: { name: 'longer', expiresAt: '2030-01-01T00:00:00Z' } })
  expect(longer.body.data.createApiToken.userErrors).toEqual([{ path: ['expiresAt'] }])
})

test('the description of a locked venue cannot be guessed by creating it again', async () => {
  const contributor = await app.signIn('contributor')
  const create =
    'mutation($input: CreateVenueInput!) { createVenue(input: $input) { venue { databaseId } userErrors { message } } }'
  const safe = { name: 'Safe', description: 'code 1234', password: 'sesame' }
  const { body } = await editor.graphql(create, { input: safe })
  const id = body.data.createVenue.venue.databaseId
  for (const description of ['code 1234', 'code 9999']) {
    const again = await contributor.send('POST', '/cal/events/v1/venues', { venue: 'Safe', description })
    expect(again.body.id).toBe(id)
  }
})

test('a trashed venue can be removed from an event permanently', async () => {
  const createdEvent = await editor.send('POST', '/cal/events/v1/events', {
    ...{ title: 'Party', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00', venue: { venue: 'Barn' } },
  })
  const venue = createdEvent.body.venue.id
  await editor.send('DELETE', `/cal/events/v1/venues/${venue}`)
  const changed = await editor.send('PATCH', `/cal/events/v1/events/${createdEvent.body.id}`, { venue: [] })
  expect(changed.status).toBe(200)
  await editor.graphql(`mutation { restoreVenue(input: { id: ${venue} }) { userErrors { message } } }`)
  expect((await app.get(`/cal/events/v1/events/${createdEvent.body.id}`)).body.venue).toEqual([])
})
