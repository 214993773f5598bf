// Structure and pagination of the five lists (contract c.13, c.14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type Reply, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
const rest = `http://calendar.test${ns}`
const count = 7
let app: TestApp
let empty: TestApp

beforeAll(async () => {
  app = await openTestApp()
  empty = await openTestApp()
  const { db } = app
  const categoryIds: number[] = []
  const tagIds: number[] = []
  for (let i = 0; i < count; i++) {
    await makeVenue(db, `Venue ${i}`)
    await makeOrganizer(db, `Organizer ${i}`)
    categoryIds.push(await makeCategory(db, `Category ${i}`))
    tagIds.push(await makeTag(db, `Tag ${i}`))
  }
  for (let i = 0; i < count; i++) {
    await makeEvent(db, `Event ${i}`, { start: `2026-12-0${i + 1}T19:00:00`, categoryIds, tagIds })
  }
})
afterAll(async () => {
  await app.close()
  await empty.close()
})

const get = (path: string) => app.get(`${ns}${path}`)
const window = 'start_date=2026-11-20%2000%3A00%3A00&end_date=2028-11-21%2023%3A59%3A59'

interface Kind {
  readonly plural: string
  /** Whether it is a list of posts, whose links have every effective parameter. */
  readonly posts: boolean
  /** Query string of links, without page and size. */
  readonly carried: string
}

const kinds: Kind[] = [
  { plural: 'events', posts: true, carried: `&${window}` },
  { plural: 'venues', posts: true, carried: '' },
  { plural: 'organizers', posts: true, carried: '' },
  { plural: 'categories', posts: false, carried: '' },
  { plural: 'tags', posts: false, carried: '' },
]

describe.each(kinds)('$plural', ({ plural, posts, carried }) => {
  const address = `${rest}/${plural}/`

  it('a single page has no links to other pages', async () => {
    const { body } = await get(`/${plural}`)
    expect(body).toStrictEqual({
      [plural]: expect.any(Array),
      rest_url: posts ? `${address}?page=1&per_page=10${carried}` : address,
      total: count,
      total_pages: 1,
    })
    expect(body[plural]).toHaveLength(count)
  })

  it('a page in the middle links to the previous and the next page', async () => {
    const { body, headers } = await get(`/${plural}?per_page=2&page=3`)
    const { [plural]: items, ...rest } = body
    expect(items).toHaveLength(2)
    expect(rest).toStrictEqual({
      rest_url: `${address}?page=3&per_page=2${carried}`,
      next_rest_url: `${address}?page=4&per_page=2${carried}`,
      previous_rest_url: `${address}?page=2&per_page=2${carried}`,
      total: count,
      total_pages: 4,
    })
    expect([headers['x-cal-total'], headers['x-cal-totalpages']]).toEqual(['7', '4'])
  })

  it('the second page links to the first without a page number', async () => {
    const { body } = await get(`/${plural}?per_page=3&page=2`)
    expect(body.previous_rest_url).toBe(`${address}?per_page=3${carried}`)
  })

  it('the last page has no next page, even if it is full', async () => {
    for (const [perPage, page] of [
      [3, 3],
      [7, 1],
      [1, 7],
    ]) {
      const { body } = await get(`/${plural}?per_page=${perPage}&page=${page}`)
      expect(body).not.toHaveProperty('next_rest_url')
      expect(body.total_pages).toBe(page)
    }
  })

  it.each([3, 5, 20])('following the links visits each item once, %i at a time', async (perPage) => {
    const seen: number[] = []
    let url: string | undefined = `${rest}/${plural}?per_page=${perPage}`
    while (url) {
      const { body }: Reply = await app.get(url.slice('http://calendar.test'.length))
      seen.push(...body[plural].map((item: { id: number }) => item.id))
      url = body.next_rest_url
    }
    expect(seen).toEqual((await get(`/${plural}`)).body[plural].map((item: { id: number }) => item.id))
    expect(new Set(seen).size).toBe(count)
  })

  it('following the previous links ends at the first page', async () => {
    const { body } = await get(`/${plural}?per_page=3&page=2`)
    const first = await app.get(body.previous_rest_url.slice('http://calendar.test'.length))
    expect(first.body[plural]).toEqual((await get(`/${plural}?per_page=3`)).body[plural])
    expect(first.body).not.toHaveProperty('previous_rest_url')
  })

  it.each([2, 4, 99_999_999_999])('page %i after the last one', async (page) => {
    const { status, body } = await get(`/${plural}?page=${page}`)
    if (posts) {
      const code = `${plural.slice(0, -1)}-archive-page-not-found`
      expect([status, body.code, body.data]).toEqual([404, code, { status: 404 }])
    } else {
      expect([status, body[plural], body.total, body.total_pages]).toEqual([200, [], count, 1])
      expect(body).toHaveProperty('previous_rest_url')
      expect(body).not.toHaveProperty('next_rest_url')
    }
  })

  it('an empty list is valid', async () => {
    const { status, body, headers } = await empty.get(`${ns}/${plural}`)
    expect(status).toBe(200)
    expect(body).toStrictEqual({ [plural]: [], rest_url: expect.any(String), total: 0, total_pages: 0 })
    expect([headers['x-cal-total'], headers['x-cal-totalpages']]).toEqual(['0', '0'])
  })

  it.each(['50', '51', '1e9', '99999999999999999999'])('per_page=%s returns at most 50 items', async (perPage) => {
    const { body } = await get(`/${plural}?per_page=${perPage}`)
    expect(body.rest_url).toContain('per_page=50')
    expect(body[plural]).toHaveLength(count)
  })

  it.each(['page', 'per_page'])('%s must be a positive integer', async (name) => {
    for (const value of ['0', '-1', 'x', '', '1.5']) {
      const { status, body } = await get(`/${plural}?${name}=${value}`)
      expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]])
    }
  })

  it('unknown parameters are ignored', async () => {
    const query = 'unknown=1&url=x&utc_start_date=x&cost_details[a]=b&__proto__[page]=9'
    expect((await get(`/${plural}?${query}`)).body).toEqual((await get(`/${plural}`)).body)
  })

  it('the last value of a repeated parameter counts', async () => {
    expect((await get(`/${plural}?per_page=x&per_page=3`)).body.rest_url).toContain('per_page=3')
  })
})

describe('status', () => {
  it.each(['events', 'venues', 'organizers'])('anonymous users may filter %s only by publish', async (plural) => {
    const { body } = await get(`/${plural}?status=publish&per_page=3`)
    expect(body.total).toBe(count)
    for (const link of [body.rest_url, body.next_rest_url]) expect(link).toContain('status=publish')
    for (const invalid of ['draft', 'publish,%20draft', 'any', '', 'trash', 'invented']) {
      const { status, body } = await get(`/${plural}?status=${invalid}`)
      expect([invalid, status, body.code]).toEqual([invalid, 400, 'rest_invalid_param'])
    }
  })
})
