import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
let singles: [path: string, slugPath: string | undefined][]

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  const [categoryIds, tagIds] = [[await makeCategory(db, 'Music')], [await makeTag(db, 'free')]]
  const event = await makeEvent(db, 'Choir', { categoryIds, tagIds })
  singles = [
    [`/events/${event}`, '/events/by-slug/choir'],
    [`/venues/${await makeVenue(db, 'Hall')}`, '/venues/by-slug/hall'],
    [`/organizers/${await makeOrganizer(db, 'Club')}`, '/organizers/by-slug/club'],
    [`/categories/${categoryIds[0]}`, undefined],
    [`/tags/${tagIds[0]}`, undefined],
  ]
})
afterAll(() => app.close())

const lists = ['/events', '/venues', '/organizers', '/categories', '/tags']
const paths = () => [...lists, ...singles.flat().filter((path) => path !== undefined)]

const get = (path: string, options?: Parameters<TestApp['get']>[1]) => app.get(`${ns}${path}`, options)

it('every response has content type, language and cache control', async () => {
  for (const path of paths()) {
    const { status, headers } = await get(path)
    expect([path, status]).toEqual([path, 200])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'content-language': 'en',
      vary: 'Authorization',
      'cache-control': 'no-cache',
    })
  }
})

it('only lists have total headers', async () => {
  for (const path of paths()) {
    const { headers } = await get(path)
    const expected = lists.includes(path) ? ['1', '1'] : [undefined, undefined]
    expect([path, headers['x-cal-total'], headers['x-cal-totalpages']]).toEqual([path, ...expected])
  }
})

it('a trailing slash makes no difference', async () => {
  for (const path of paths()) expect((await get(`${path}/`)).body).toEqual((await get(path)).body)
})

it('HEAD returns the headers of GET', async () => {
  for (const path of paths()) {
    const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)]
    const { date: _, 'x-request-id': __, 'cache-status': ___, ...headers } = head.headers
    expect(head.body).toBe('')
    expect(head.status).toBe(200)
    expect(full.headers).toMatchObject(headers)
  }
  expect((await get('/events/999', { method: 'HEAD' })).status).toBe(404)
})

describe('responses to a password are not cacheable', () => {
  it('on lists and single records', async () => {
    for (const path of ['/events', '/venues', ...singles.slice(0, 3).map(([path]) => path)]) {
      const { headers } = await get(`${path}?password=secret`)
      expect([path, headers['cache-control']]).toEqual([path, 'private, no-store'])
    }
  })
})

const posted = ['GET', 'POST']
const changed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

describe('OPTIONS', () => {
  it.each([
    [
      '/events',
      posted,
      ['page', 'per_page', 'start_date', 'end_date', 'strict_dates', 'include', 'featured', 'ticketed'],
    ],
    ['/events/5', changed, ['id', 'password']],
    ['/events/by-slug/any', changed, ['slug', 'password']],
    ['/venues', posted, ['page', 'per_page', 'status']],
    ['/organizers/5', changed, ['id']],
    ['/categories', posted, ['page', 'per_page', 'hide_empty']],
    ['/tags/5', changed, ['id']],
  ])('describes %s and lists its methods', async (path, methods, names) => {
    const { status, headers, body } = await get(path, { method: 'OPTIONS' })
    expect([status, headers.allow]).toEqual([200, [...methods, 'HEAD', 'OPTIONS'].join(', ')])
    expect(body).toMatchObject({ namespace: 'cal/events/v1', methods })
    expect(body.endpoints[0].methods).toEqual(['GET'])
    const { args } = body.endpoints[0]
    expect(Object.keys(args)).toEqual(expect.arrayContaining([...names, 'translation_language']))
    expect(args.translation_language).toMatchObject({ required: false, enum: ['en', 'fr', 'es'] })
  })

  it('shows required parameters and defaults', async () => {
    const list = (await get('/categories', { method: 'OPTIONS' })).body.endpoints[0].args
    expect(list.page).toMatchObject({ required: false, default: 1, type: 'integer' })
    expect(list.hide_empty).toMatchObject({ required: false, default: true })
    const one = (await get('/categories/5', { method: 'OPTIONS' })).body.endpoints[0].args
    expect(one.id).toMatchObject({ required: true })
  })
})
