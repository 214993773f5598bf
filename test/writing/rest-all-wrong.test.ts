// Everything that is wrong with a write is named at once, unknown records too (contract b.2, b.12, h.6).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { encodings, invalid, type Kind, kinds, nameField, newRecord, ns, posts, refusal } from '../helpers/rest.ts'
import { everything } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const ids = {} as Record<Kind, number>
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
  ids.events = await makeEvent(app.db, 'Choir', { start: '2026-12-01T19:00:00', end: '2026-12-01T21:00:00' })
  ids.venues = await makeVenue(app.db, 'Hall')
  ids.organizers = await makeOrganizer(app.db, 'Club')
  ids.categories = await makeCategory(app.db, 'Music')
  ids.tags = await makeTag(app.db, 'free')
})
afterAll(() => app.close())

const none = 999_999
const long = 'x'.repeat(801)

/** What is wrong with fields that every post has: two that any reader of them sees, two that name no record. */
const wrongPost = { website: 'foo', status: 'x', author: none, image: none }
const wrongEvent = {
  ...wrongPost,
  ...{ all_day: 'maybe', venue: [none], organizer: { id: none } },
  ...{ tags: [long], categories: ['fine', long] },
}

/** The answer to a request that must write nothing. */
async function refused(method: 'POST' | 'PUT', path: string, fields: object | string, user = admin) {
  const before = await everything(app)
  const answer = await user.send(method, `${ns}${path}`, fields)
  expect(await everything(app)).toEqual(before)
  return { named: refusal(answer), texts: answer.body.data?.params ?? {} }
}

describe.each(encodings)('by %s', (_, encode) => {
  it('a new event, and a changed one', async () => {
    const all = invalid(...Object.keys(wrongEvent).sort())
    const created = encode({ ...newRecord('events', 'New'), ...wrongEvent })
    expect((await refused('POST', '/events', created)).named).toEqual(all)
    for (const path of [`/events/${ids.events}`, '/events/by-slug/choir'])
      expect((await refused('PUT', path, encode(wrongEvent))).named).toEqual(all)
  })

  it.each([2_147_483_648, 1e20])('numbers beyond those of all records: %d', async (number) => {
    const unknown = { author: number, image: number, venue: number, organizer: [number] }
    const { named } = await refused('POST', '/events', encode({ ...newRecord('events', 'New'), ...unknown }))
    expect(named).toEqual(invalid('author', 'image', 'organizer', 'venue'))
  })

  it('unknown records alone', async () => {
    const unknown = { author: none, image: none, venue: none, organizer: `${ids.organizers},${none}` }
    const all = invalid('author', 'image', 'organizer', 'venue')
    const { named, texts } = await refused('POST', '/events', encode({ ...newRecord('events', 'New'), ...unknown }))
    expect(named).toEqual(all)
    expect(texts).toEqual({
      author: 'There is no such user.',
      image: 'There is no such image, or you may not use it.',
      venue: `Unknown: ${none}.`,
      organizer: `Unknown: ${none}.`,
    })
    expect((await refused('PUT', `/events/${ids.events}`, encode(unknown))).named).toEqual(all)
  })

  it.each(posts.slice(1))('new and changed %s', async (kind) => {
    const all = invalid('author', 'image', 'status', 'website')
    const created = encode({ ...newRecord(kind, 'New'), ...wrongPost })
    expect((await refused('POST', `/${kind}`, created)).named).toEqual(all)
    expect((await refused('PUT', `/${kind}/${ids[kind]}`, encode(wrongPost))).named).toEqual(all)
    const unknown = { author: none, image: none, [nameField[kind]]: long }
    const others = invalid(...Object.keys(unknown).sort())
    expect((await refused('POST', `/${kind}`, encode(unknown))).named).toEqual(others)
    expect((await refused('PUT', `/${kind}/${ids[kind]}`, encode(unknown))).named).toEqual(others)
    // Before permission, too, a number in the path is one of the parameters.
    expect((await refused('PUT', `/${kind}/${none}`, encode({ website: 'foo' }))).named).toEqual(
      invalid('id', 'website'),
    )
  })

  it('new and changed categories', async () => {
    const fields = { name: long, parent: none }
    for (const [method, path] of [
      ['POST', '/categories'] as const,
      ['PUT', `/categories/${ids.categories}`] as const,
    ]) {
      expect((await refused(method, path, encode(fields))).named).toEqual(invalid('name', 'parent'))
      const blank = await refused(method, path, encode({ ...fields, description: '0' }))
      expect(blank.named).toEqual(invalid('description', 'name', 'parent'))
    }
    await makeCategory(app.db, 'Taken')
    const taken = await refused('PUT', `/categories/${ids.categories}`, encode({ slug: 'taken', parent: none }))
    expect(taken.named).toEqual(invalid('parent', 'slug'))
  })
})

describe.each(['venue', 'organizer'] as const)('inside a new %s', (field) => {
  it('the text of its parameter names each part', async () => {
    const value = [{ [field]: 'One' }, { [field]: 'Two', author: none, image: none }]
    const { named, texts } = await refused('POST', '/events', { ...newRecord('events', 'New'), [field]: value })
    expect(named).toEqual(invalid(field))
    expect(texts[field]).toBe(
      `author of ${field} 2: There is no such user. image of ${field} 2: There is no such image, or you may not use it.`,
    )
  })

  it('what is wrong by itself is named likewise', async () => {
    const value = [{ [field]: 'One' }, { [field]: 'Two', website: 'foo', date: 'nope' }]
    const fields = { ...newRecord('events', 'New'), [field]: value, author: none }
    const { named, texts } = await refused('POST', '/events', fields)
    expect(named).toEqual(invalid(...['author', field].sort()))
    expect(texts[field]).toContain(`as website of ${field} 2.`)
    expect(texts[field]).toContain(`as date of ${field} 2.`)
  })

  it('a name that is there already does not hide what is wrong with the rest', async () => {
    const kind = `${field}s` as const
    const name = field === 'venue' ? 'Hall' : 'Club'
    const unknown = { author: none, image: none }
    const direct = await refused('POST', `/${kind}`, { ...newRecord(kind, name), ...unknown })
    expect(direct.named).toEqual(invalid('author', 'image'))
    const inline = { ...newRecord('events', 'New'), [field]: { [field]: name, ...unknown } }
    expect((await refused('POST', '/events', inline)).named).toEqual(invalid(field))
    const right = await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, name), author: admin.id })
    expect([right.status, right.body.id]).toEqual([201, ids[kind]])
  })
})

it('who may not write learns of no record, and of wrong parameters all the same', async () => {
  const fields = { ...newRecord('events', 'New'), ...wrongEvent }
  const plain = invalid('all_day', 'status', 'website')
  for (const user of [app, await app.signIn('subscriber')] as (typeof admin)[]) {
    expect((await refused('POST', '/events', fields, user)).named).toEqual(plain)
    expect((await refused('PUT', `/events/${ids.events}`, wrongEvent, user)).named).toEqual(plain)
    const unknown = { ...newRecord('events', 'New'), author: none, venue: none }
    expect((await refused('POST', '/events', unknown, user)).named[1]).toBe('rest_forbidden')
  }
})

it('what is missing goes before all of it', async () => {
  const { named } = await refused('POST', '/events', { ...wrongEvent, title: 'New' })
  expect(named).toEqual([400, 'rest_missing_callback_param', ['start_date', 'end_date']])
})

it('a date that cannot be read says nothing of the other', async () => {
  const fields = { start_date: 'foo', end_date: '2020-01-01', venue: none }
  expect((await refused('PUT', `/events/${ids.events}`, fields)).named).toEqual(invalid('start_date', 'venue'))
  const zone = { timezone: 'Mars/Base', end_date: '2020-01-01' }
  expect((await refused('PUT', `/events/${ids.events}`, zone)).named).toEqual(invalid('timezone'))
})

it.each(kinds)('a parameter of the request itself that is wrong writes nothing to %s', async (kind) => {
  const wrong = '?translation_language=xx'
  const named = invalid('translation_language')
  const right = newRecord(kind, 'Right')
  expect((await refused('POST', `/${kind}${wrong}`, right)).named).toEqual(named)
  expect((await refused('PUT', `/${kind}/${ids[kind]}${wrong}`, right)).named).toEqual(named)
  const before = await everything(app)
  const slug = { events: 'choir', venues: 'hall', organizers: 'club', categories: '', tags: '' }[kind]
  for (const path of [`${ids[kind]}`, ...(slug ? [`by-slug/${slug}`] : [])])
    expect(refusal(await admin.send('DELETE', `${ns}/${kind}/${path}${wrong}`))).toEqual(named)
  expect(await everything(app)).toEqual(before)
})

it.each<[string, object]>([
  ['a deep list', { venue: [[[[none]]]] }],
  ['a name of the prototype', { venue: { __proto__: 1, constructor: none, venue: 'x', author: 'toString' } }],
  ['an endless number', { author: '9'.repeat(1000), venue: none }],
  ['many records', { venue: Array.from({ length: 500 }, () => none), organizer: Array(500).fill({ organizer: '' }) }],
  ['text of another kind', { image: { id: none }, venue: { venue: ['x'] }, categories: { a: [] } }],
])('is a refusal for %s', async (_name, fields) => {
  const { named } = await refused('POST', '/events', { ...newRecord('events', 'New'), ...fields, website: 'foo' })
  expect(named.slice(0, 2)).toEqual([400, 'rest_invalid_param'])
  expect(named[2]).toContain('website')
})
