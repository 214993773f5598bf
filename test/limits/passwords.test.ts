// Brute-force attacks on passwords of protected records do not lock out other clients.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let data: TestApp
let app: TestApp
const ids = { choir: 0, band: 0, open: 0, hall: 0, safe: 0 }

beforeAll(async () => {
  data = await openTestApp()
  const { db, site } = data
  const [choir, band] = [
    await hashRecordPassword('choir secret', site.passwordSalt),
    await hashRecordPassword('band secret', site.passwordSalt),
  ]
  const [open, closed] = [await makeCategory(db, 'Open'), await makeCategory(db, 'Closed')]
  ids.hall = await makeVenue(db, 'Hall')
  await makeOrganizer(db, 'Club')
  ids.safe = await makeVenue(db, { en: { name: 'Safe', description: 'Withheld' } }, { passwordKey: choir })
  const text = (name: string) => ({ en: { name, description: `Withheld ${name}` } })
  ids.choir = await makeEvent(db, text('Choir'), {
    passwordKey: choir,
    categoryIds: [closed],
    venueIds: [ids.hall],
    featured: true,
  })
  ids.band = await makeEvent(db, text('Band'), { passwordKey: band, categoryIds: [closed] })
  ids.open = await makeEvent(db, text('Market'), { categoryIds: [open], venueIds: [ids.hall] })
})
// What was guessed before does not count for it; however slow the machine is, each guess has its turn.
beforeEach(async () => {
  app = await serve(data, { REQUEST_TIMEOUT: '600000' })
})
afterAll(() => data?.close())

const ask = (path: string, password: string, remoteAddress = '192.0.2.1') => {
  const joint = path.includes('?') ? '&' : '?'
  return app.get(`${ns}${path}${joint}password=${encodeURIComponent(password)}`, { remoteAddress })
}

async function statuses(count: number, send: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const results: number[] = []
  for (let n = 0; n < count; n += 1) results.push((await send(n)).status)
  return results
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status)

test('where nothing is protected, any number of passwords is taken', async () => {
  const paths = {
    'an event': `/events/${ids.open}`,
    'a list of events': `/events?include=${ids.open}`,
    'a venue': `/venues/${ids.hall}`,
    'a list of organizers': '/organizers',
  }
  const query = `query ($p: String) @inContext(password: $p) { event(id: ${ids.open}) { title description categories { count } } }`
  // More than ten for each, and more than fifty in all, from one address.
  for (const [what, path] of Object.entries(paths)) {
    expect(await statuses(12, (n) => ask(path, `guess ${what} ${n}`, '127.0.0.1')), what).toEqual(times(12, 200))
  }
  expect(await statuses(12, (n) => app.graphql(query, { p: `guess ${n}` }))).toEqual(times(12, 200))
})

describe('a protected record', () => {
  test('accepts ten wrong passwords a minute from one address, then responds 429', async () => {
    expect(await statuses(12, (n) => ask(`/events/${ids.choir}`, `guess ${n}`))).toEqual([
      ...times(10, 403),
      ...times(2, 429),
    ])
    const refused = await ask(`/events/${ids.choir}`, 'another guess')
    expect(refused.body).toMatchObject({ code: 'rest_too_many_requests', data: { status: 429 } })
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/)
    const query = `query @inContext(password: "one more") { event(id: ${ids.choir}) { description } }`
    const request = { method: 'POST', url: '/graphql', payload: { query }, remoteAddress: '192.0.2.1' } as const
    const graph = await app.app.inject(request)
    expect([graph.statusCode, graph.json().errors[0].extensions.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(graph.headers['retry-after']).toMatch(/^[1-9]\d?$/)
    const page = { method: 'POST', url: '/event/choir/', payload: 'password=last', remoteAddress: '192.0.2.1' } as const
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await app.app.inject({ ...page, headers })).statusCode).toBe(429)
    // It opens with the correct password from another address, and later from the same one.
    expect((await ask(`/events/${ids.choir}`, 'choir secret')).status).toBe(429)
    expect((await ask(`/events/${ids.band}`, 'wrong')).status).toBe(403)
    expect((await ask(`/events/${ids.choir}`, 'choir secret', '192.0.2.2')).body.description).toContain('Withheld')
    expect((await ask(`/events/${ids.choir}`, 'choir secret')).status).toBe(200)
  })

  test('counts simultaneous wrong passwords before checking them', async () => {
    const guesses = times(14, 0).map((_, n) => ask(`/events/${ids.choir}`, `guess ${n}`))
    const results = (await Promise.all(guesses)).map(({ status }) => status).sort()
    expect(results).toEqual([...times(10, 403), ...times(4, 429)])
  })

  test('counts a repeated wrong password as less than an attempt, because it may come from an old link', async () => {
    const results = await statuses(40, () => ask(`/events/${ids.choir}`, 'last year'))
    expect(results).toEqual([...times(28, 403), ...times(12, 429)])
  })

  test('counts wrong passwords in lists too, and rejects all attempts of an address after fifty', async () => {
    expect(await statuses(11, (n) => ask('/events', `guess ${n}`))).toEqual([...times(10, 200), 429])
    const query =
      'query ($p: String) @inContext(password: $p) { events(filter: { featured: true }) { nodes { description } } }'
    const search = await statuses(41, async (n) => {
      const payload = { query, variables: { p: `other guess ${n}` } }
      const request = { method: 'POST', url: '/graphql', payload, remoteAddress: '192.0.2.1' } as const
      return { status: (await app.app.inject(request)).statusCode }
    })
    expect(search).toEqual([...times(40, 200), 429])
    expect((await ask('/events?featured=1', 'guess', '192.0.2.2')).status).toBe(200)
  })

  test('in a list, the correct password of another record does not count as an attempt', async () => {
    const results = await statuses(30, () => ask('/events', 'choir secret'))
    expect(results).toEqual(times(30, 200))
    const { events } = (await ask('/events', 'choir secret')).body
    expect(events.map(({ description }: { description: string }) => description !== '').sort()).toEqual([
      false,
      true,
      true,
    ])
  })
})

test('with the password, filters, relations and counts include a record, even if the same request without it was cached', async () => {
  const fields = `venue(id: ${ids.hall}) { events { totalCount nodes { title } } } categories { nodes { name count } }
    eventsPage(filter: { featured: true }) { total items { title } }`
  const seen = async (head: string) => {
    const { data, errors } = (await app.graphql(`${head} { ${fields} }`)).body
    expect(errors).toBeUndefined()
    return [
      data.venue.events.nodes.map(({ title }: { title: string }) => title).sort(),
      data.categories.nodes.map(({ count }: { count: number }) => count),
      data.eventsPage.total,
      data.venue.events.totalCount,
    ]
  }
  const hidden = [['Market'], [0, 1], 0, 1]
  const shown = [['Choir', 'Market'], [1, 1], 1, 2]
  for (let n = 0; n < 2; n += 1) expect(await seen('query')).toEqual(hidden)
  for (let n = 0; n < 2; n += 1) expect(await seen('query @inContext(password: "wrong")')).toEqual(hidden)
  for (let n = 0; n < 2; n += 1) expect(await seen('query @inContext(password: "choir secret")')).toEqual(shown)
})

test('a new password works at once, and the old one no longer does', async () => {
  const editor = await app.signIn('editor')
  const change = async (password: string | null) => {
    const update = `mutation ($p: String) { updateEvent(input: { id: ${ids.band}, password: $p }) { userErrors { message } } }`
    expect((await editor.graphql(update, { p: password })).body.data.updateEvent.userErrors).toEqual([])
  }
  const opens = async (password: string) => (await ask(`/events/${ids.band}`, password)).status
  expect([await opens('band secret'), await opens('new secret')]).toEqual([200, 403])
  await change('new secret')
  expect([await opens('band secret'), await opens('new secret')]).toEqual([403, 200])
  await change('band secret')
})

test('a mutation with the password shows a linked protected record to users who may not edit it', async () => {
  const contributor = await app.signIn('contributor')
  const create = (password: string) => `mutation @inContext(password: "${password}") { createEvent(input: {
    title: "Night", startsLocal: "2027-01-01T10:00:00", endsLocal: "2027-01-01T11:00:00", venues: [{ id: ${ids.safe} }]
  }) { event { venues { name description } } userErrors { message } } }`
  for (const [password, description] of [
    ['wrong', null],
    ['choir secret', 'Withheld'],
  ] as const) {
    const { createEvent } = (await contributor.graphql(create(password))).body.data
    expect(createEvent).toEqual({ event: { venues: [{ name: 'Safe', description }] }, userErrors: [] })
  }
})
