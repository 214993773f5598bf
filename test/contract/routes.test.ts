// Paths of records, and errors for unknown paths (contract a.1, d.2 to d.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  ids.events = await makeEvent(db, 'Choir')
  ids.venues = await makeVenue(db, 'Hall')
  ids.organizers = await makeOrganizer(db, 'Club')
  ids.image = await makeImage(db)
  ids.categories = await makeCategory(db, 'Music')
  ids.tags = await makeTag(db, 'free')
  await makeEvent(db, '音楽')
  await makeVenue(db, 'Мир')
  await makeOrganizer(db, 'Fête')
})
afterAll(() => app.close())

const statusAndCode = async (path: string, options?: Parameters<TestApp['get']>[1]) => {
  const { status, body, headers } = await app.get(path, options)
  if (status !== 200) {
    expect(headers['content-type']).toBe('application/json; charset=UTF-8')
    expect(body).toStrictEqual({ code: body.code, message: expect.stringMatching(/./), data: body.data })
    expect(body.data.status).toBe(status)
  }
  return [status, body.code]
}

const noRoute = [404, 'rest_no_route']
const invalid = [400, 'rest_invalid_param']

describe('unknown routes', () => {
  it.each([
    '/nothing',
    '/events/foo',
    '/events/1x',
    '/events/-1',
    '/events/1.0',
    '/events/%31x',
    '/events/by-slug',
    '/events/by-slug/',
    '/events/by-slug/choir/more',
    '/events/1/more',
    '/events//1',
    '/categories/by-slug/music',
    '/tags/by-slug/free',
    '/venues/hall',
    '/Events',
  ])('%s', async (path) => {
    expect(await statusAndCode(`${ns}${path}`)).toEqual(noRoute)
    expect(await statusAndCode(`/fr${ns}${path}`)).toEqual(noRoute)
  })

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('%s of a list is an unknown route', async (method) => {
    for (const plural of ['events', 'venues', 'organizers', 'categories', 'tags']) {
      expect(await statusAndCode(`${ns}/${plural}`, { method })).toEqual(noRoute)
    }
  })

  it('an error has only code, message and status', async () => {
    const { body } = await app.get(`${ns}/nothing`)
    expect(body).toStrictEqual({ code: 'rest_no_route', message: expect.any(String), data: { status: 404 } })
  })
})

it.each([
  ['broken encoding', '%E0%A4%A'],
  ['a bare percent sign', '%'],
  ['more than any slug has', 'x'.repeat(3000)],
])('a path with %s gets the same error format', async (_name, slug) => {
  const { status, body } = await app.get(`${ns}/events/by-slug/${slug}`)
  expect(status).toBe(400)
  expect(body).toStrictEqual({
    code: expect.stringMatching(/./),
    message: expect.stringMatching(/./),
    data: { status },
  })
})

describe('unknown IDs', () => {
  it.each(['0', '999999', '2147483647', '2147483648', '9007199254740993', '9'.repeat(400), '00000'])(
    '%s',
    async (id) => {
      expect(await statusAndCode(`${ns}/events/${id}`)).toEqual([404, 'rest-event-not-found'])
      for (const plural of ['venues', 'organizers', 'categories', 'tags']) {
        expect(await statusAndCode(`${ns}/${plural}/${id}`)).toEqual(invalid)
      }
    },
  )

  it.each([
    ['events', 'venues', [400, 'rest-invalid-event-id']],
    ['events', 'organizers', [400, 'rest-invalid-event-id']],
    ['events', 'image', [400, 'rest-invalid-event-id']],
    ['venues', 'events', invalid],
    ['venues', 'image', invalid],
    ['organizers', 'venues', invalid],
    ['categories', 'tags', invalid],
    ['tags', 'categories', invalid],
  ])('%s reject the ID of a record of %s', async (plural, other, expected) => {
    expect(await statusAndCode(`${ns}/${plural}/${ids[other]}`)).toEqual(expected)
  })

  it('the error names the parameter id', async () => {
    expect((await app.get(`${ns}/venues/999`)).body.data).toStrictEqual({
      status: 400,
      params: { id: expect.any(String) },
      details: {},
    })
  })

  it('leading zeros and an ID in the query are ignored', async () => {
    for (const path of [`00${ids.events}`, `${ids.events}?id=999`, `${ids.events}?id[]=x`]) {
      expect((await app.get(`${ns}/events/${path}`)).body.id).toBe(ids.events)
    }
  })
})

describe('slugs', () => {
  it.each([
    'unknown',
    '%20',
    '%00',
    '%25',
    '%2F',
    'a%2Fb',
    '-',
    '%3Cb%3E',
    "'%20OR%201=1",
    '%F0%9F%8E%89',
    'x'.repeat(600),
  ])('unknown slugs: %s', async (slug) => {
    for (const plural of ['events', 'venues', 'organizers']) {
      expect(await statusAndCode(`${ns}/${plural}/by-slug/${slug}`)).toEqual(invalid)
    }
  })

  it('the error names the parameter slug', async () => {
    expect((await app.get(`${ns}/events/by-slug/unknown`)).body.data.params).toEqual({ slug: expect.any(String) })
  })

  it.each([
    ['events', encodeURIComponent('音楽'), '音楽'],
    ['events', encodeURIComponent('音楽').toLowerCase(), '音楽'],
    ['events', encodeURIComponent(encodeURIComponent('音楽')), '音楽'],
    ['events', 'CHOIR', 'Choir'],
    ['events', '%63hoir', 'Choir'],
    ['events', 'choir?slug=other', 'Choir'],
    ['venues', encodeURIComponent('Мир'), 'Мир'],
    ['organizers', 'fete', 'Fête'],
    ['organizers', encodeURIComponent('fête'), 'Fête'],
  ])('%s are found by slug: %s', async (plural, slug, name) => {
    const { status, body } = await app.get(`${ns}/${plural}/by-slug/${slug}`)
    expect([status, body.title ?? body.venue ?? body.organizer]).toEqual([200, name])
  })

  it('are separate for each kind', async () => {
    expect(await statusAndCode(`${ns}/venues/by-slug/choir`)).toEqual(invalid)
  })
})

describe('an invalid credential', () => {
  it.each([
    ['/events', 'Basic YWRhOnNlY3JldA=='],
    ['/events/1', 'Bearer token'],
    ['/tags', 'nonsense'],
    ['/venues?page=0', 'Bearer token'],
  ])('is 401 on %s: %s', async (path, authorization) => {
    const { status, headers, body } = await app.get(`${ns}${path}`, { headers: { authorization } })
    expect([status, body.code, body.data]).toEqual([401, 'rest_forbidden', { status: 401 }])
    expect(headers['www-authenticate']).toMatch(/Basic realm="[^"]+".*Bearer/)
  })
})
