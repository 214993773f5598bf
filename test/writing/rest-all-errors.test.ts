// One response reports all errors of a write, including unknown records (contract b.2, b.12, h.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { encodings, errorOf, invalid, type Kind, kinds, nameField, newRecord, ns, posts } from '../helpers/rest.ts'
import { allRows } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const ids = {} as Record<Kind, number>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  ids.events = await makeEvent(app.db, 'Choir', { start: '2026-12-01T19:00:00', end: '2026-12-01T21:00:00' })
  ids.venues = await makeVenue(app.db, 'Hall')
  ids.organizers = await makeOrganizer(app.db, 'Club')
  ids.categories = await makeCategory(app.db, 'Music')
  await makeCategory(app.db, 'Taken')
  ids.tags = await makeTag(app.db, 'free')
})
afterAll(() => app.close())

const none = 999_999
const long = 'x'.repeat(801)

/** Invalid values of fields of all posts: two with invalid syntax, two with unknown records. */
const invalidPost = { website: 'foo', status: 'x', author: none, image: none }
const invalidEvent = {
  ...invalidPost,
  ...{ all_day: 'maybe', venue: [none], organizer: { id: none } },
  ...{ tags: [long], categories: ['fine', long] },
}

/** The response to a request that must write nothing. */
async function errorResponse(method: 'POST' | 'PUT', path: string, fields: object | string, user = admin) {
  const before = await allRows(app)
  const response = await user.send(method, `${ns}${path}`, fields)
  expect(await allRows(app)).toEqual(before)
  return { named: errorOf(response), texts: response.body.data?.params ?? {} }
}

describe.each(encodings)('by %s', (_, encode) => {
  it('all invalid parameters of new and updated events are reported', async () => {
    const all = invalid(...Object.keys(invalidEvent).sort())
    const created = encode({ ...newRecord('events', 'New'), ...invalidEvent })
    expect((await errorResponse('POST', '/events', created)).named).toEqual(all)
    for (const path of [`/events/${ids.events}`, '/events/by-slug/choir'])
      expect((await errorResponse('PUT', path, encode(invalidEvent))).named).toEqual(all)
  })

  it.each([2_147_483_648, 1e20])('numbers beyond those of all records: %d', async (number) => {
    const unknown = { author: number, image: number, venue: number, organizer: [number] }
    const { named } = await errorResponse('POST', '/events', encode({ ...newRecord('events', 'New'), ...unknown }))
    expect(named).toEqual(invalid('author', 'image', 'organizer', 'venue'))
  })

  it('unknown records are reported', async () => {
    const unknown = { author: none, image: none, venue: none, organizer: `${ids.organizers},${none}` }
    const all = invalid('author', 'image', 'organizer', 'venue')
    const { named, texts } = await errorResponse(
      'POST',
      '/events',
      encode({ ...newRecord('events', 'New'), ...unknown }),
    )
    expect(named).toEqual(all)
    expect(texts).toEqual({
      author: 'There is no user with this ID.',
      image: 'There is no image with this ID, or you may not use it.',
      venue: `Unknown: ${none}.`,
      organizer: `Unknown: ${none}.`,
    })
    expect((await errorResponse('PUT', `/events/${ids.events}`, encode(unknown))).named).toEqual(all)
  })

  it.each(posts.slice(1))('new and changed %s', async (kind) => {
    const all = invalid('author', 'image', 'status', 'website')
    const created = encode({ ...newRecord(kind, 'New'), ...invalidPost })
    expect((await errorResponse('POST', `/${kind}`, created)).named).toEqual(all)
    expect((await errorResponse('PUT', `/${kind}/${ids[kind]}`, encode(invalidPost))).named).toEqual(all)
    const unknown = { author: none, image: none, [nameField[kind]]: long }
    const others = invalid(...Object.keys(unknown).sort())
    expect((await errorResponse('POST', `/${kind}`, encode(unknown))).named).toEqual(others)
    expect((await errorResponse('PUT', `/${kind}/${ids[kind]}`, encode(unknown))).named).toEqual(others)
    // The ID in the path is checked like a parameter, before permissions.
    expect((await errorResponse('PUT', `/${kind}/${none}`, encode({ website: 'foo' }))).named).toEqual(
      invalid('id', 'website'),
    )
  })

  it('all invalid parameters of new and updated categories are reported', async () => {
    const fields = { name: long, parent: none }
    for (const [method, path] of [
      ['POST', '/categories'] as const,
      ['PUT', `/categories/${ids.categories}`] as const,
    ]) {
      expect((await errorResponse(method, path, encode(fields))).named).toEqual(invalid('name', 'parent'))
      const blank = await errorResponse(method, path, encode({ ...fields, description: '0' }))
      expect(blank.named).toEqual(invalid('description', 'name', 'parent'))
    }
    const taken = await errorResponse('PUT', `/categories/${ids.categories}`, encode({ slug: 'taken', parent: none }))
    expect(taken.named).toEqual(invalid('parent', 'slug'))
  })
})

describe.each(['venue', 'organizer'] as const)('inside a new %s', (field) => {
  it('the message names each invalid part', async () => {
    const value = [{ [field]: 'One' }, { [field]: 'Two', author: none, image: none }]
    const { named, texts } = await errorResponse('POST', '/events', { ...newRecord('events', 'New'), [field]: value })
    expect(named).toEqual(invalid(field))
    expect(texts[field]).toBe(
      `author of ${field} 2: There is no user with this ID. image of ${field} 2: There is no image with this ID, or you may not use it.`,
    )
  })

  it('invalid values of nested records are reported with their part', async () => {
    const value = [{ [field]: 'One' }, { [field]: 'Two', website: 'foo', date: 'nope' }]
    const fields = { ...newRecord('events', 'New'), [field]: value, author: none }
    const { named, texts } = await errorResponse('POST', '/events', fields)
    expect(named).toEqual(invalid(...['author', field].sort()))
    expect(texts[field]).toContain(`as website of ${field} 2.`)
    expect(texts[field]).toContain(`as date of ${field} 2.`)
  })

  it('an existing name does not hide other invalid parameters', async () => {
    const kind = `${field}s` as const
    const name = field === 'venue' ? 'Hall' : 'Club'
    const unknown = { author: none, image: none }
    const direct = await errorResponse('POST', `/${kind}`, { ...newRecord(kind, name), ...unknown })
    expect(direct.named).toEqual(invalid('author', 'image'))
    const inline = { ...newRecord('events', 'New'), [field]: { [field]: name, ...unknown } }
    expect((await errorResponse('POST', '/events', inline)).named).toEqual(invalid(field))
    const right = await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, name), author: admin.id })
    expect([right.status, right.body.id]).toEqual([201, ids[kind]])
  })
})

it('users who may not write get errors of parameters but none about records', async () => {
  const fields = { ...newRecord('events', 'New'), ...invalidEvent }
  const plain = invalid('all_day', 'status', 'website')
  for (const user of [app, await app.signIn('subscriber')] as (typeof admin)[]) {
    expect((await errorResponse('POST', '/events', fields, user)).named).toEqual(plain)
    expect((await errorResponse('PUT', `/events/${ids.events}`, invalidEvent, user)).named).toEqual(plain)
    const unknown = { ...newRecord('events', 'New'), author: none, venue: none }
    expect((await errorResponse('POST', '/events', unknown, user)).named[1]).toBe('rest_forbidden')
  }
})

it('missing parameters are reported first', async () => {
  const { named } = await errorResponse('POST', '/events', { ...invalidEvent, title: 'New' })
  expect(named).toEqual([400, 'rest_missing_callback_param', ['start_date', 'end_date']])
})

it('an unreadable date does not cause an error about the other date', async () => {
  const fields = { start_date: 'foo', end_date: '2020-01-01', venue: none }
  expect((await errorResponse('PUT', `/events/${ids.events}`, fields)).named).toEqual(invalid('start_date', 'venue'))
  const zone = { timezone: 'Mars/Base', end_date: '2020-01-01' }
  expect((await errorResponse('PUT', `/events/${ids.events}`, zone)).named).toEqual(invalid('timezone'))
})

it.each(kinds)('a parameter of the request itself that is wrong writes nothing to %s', async (kind) => {
  const invalidInput = '?translation_language=xx'
  const named = invalid('translation_language')
  const right = newRecord(kind, 'Right')
  expect((await errorResponse('POST', `/${kind}${invalidInput}`, right)).named).toEqual(named)
  expect((await errorResponse('PUT', `/${kind}/${ids[kind]}${invalidInput}`, right)).named).toEqual(named)
  const before = await allRows(app)
  const slug = { events: 'choir', venues: 'hall', organizers: 'club', categories: '', tags: '' }[kind]
  for (const path of [`${ids[kind]}`, ...(slug ? [`by-slug/${slug}`] : [])])
    expect(errorOf(await admin.send('DELETE', `${ns}/${kind}/${path}${invalidInput}`))).toEqual(named)
  expect(await allRows(app)).toEqual(before)
})

it.each<[string, object]>([
  ['a deep list', { venue: [[[[none]]]] }],
  ['a name of the prototype', { venue: { __proto__: 1, constructor: none, venue: 'x', author: 'toString' } }],
  ['an endless number', { author: '9'.repeat(1000), venue: none }],
  ['many records', { venue: Array.from({ length: 500 }, () => none), organizer: Array(500).fill({ organizer: '' }) }],
  ['text of another kind', { image: { id: none }, venue: { venue: ['x'] }, categories: { a: [] } }],
])('is rejected for %s', async (_name, fields) => {
  const { named } = await errorResponse('POST', '/events', { ...newRecord('events', 'New'), ...fields, website: 'foo' })
  expect(named.slice(0, 2)).toEqual([400, 'rest_invalid_param'])
  expect(named[2]).toContain('website')
})
