// Cached results are used only for the same record and viewer, and until they expire.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashRecordPassword } from '../../../src/calendar/rules/record-password.ts'
import { RecordCache, ResponseSize } from '../../../src/engine/execution/result-cache.ts'
import { layoutKey, PreloadedRecord, rawJsonKey } from '../../../src/engine/postgres/preloaded-record.ts'
import { now, openTestApp, type TestApp } from '../../helpers/app.ts'
import { truncate } from '../../helpers/db.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
})
afterAll(() => app?.close())
beforeEach(() => truncate(app.db))

const legacy = '/cal/events/v1/events'
const hour = 3_600_000
const later = new Date(now.getTime() + hour)

const graph = async (client: Pick<TestApp, 'graphql'>, query: string, root?: string) => {
  const { body } = await client.graphql(query, {}, root)
  expect(body.errors).toBeUndefined()
  return body.data
}

test('writes by SQL outside of the service are visible at once in both APIs, in lists and single records', async () => {
  const venue = await makeVenue(app.db, 'Hall')
  const category = await makeCategory(app.db, 'Music')
  const id = await makeEvent(app.db, 'Party', { venueIds: [venue], categoryIds: [category] })
  const query = `{ event(id: ${id}) { title venues { name } categories { count } } eventsPage { items { title } } }`
  const seen = async () => {
    const [{ body: list }, { body: one }, data] = await Promise.all([
      app.get(legacy),
      app.get(`${legacy}/${id}`),
      graph(app, query),
    ])
    const [event] = list.events
    return [
      [event, one, data.event, ...data.eventsPage.items].map(({ title }) => title),
      [event.venue.venue, one.venue.venue, data.event.venues[0].name],
      [event.categories[0].count, one.categories[0].count, data.event.categories[0].count],
    ]
  }
  const all = (title: string, name: string, count: number) => [
    Array(4).fill(title),
    Array(3).fill(name),
    Array(3).fill(count),
  ]
  for (let n = 0; n < 2; n += 1) expect(await seen()).toEqual(all('Party', 'Hall', 1))
  await app.db.contentText.updateMany({ where: { contentId: id }, data: { name: 'Ball' } })
  expect(await seen()).toEqual(all('Ball', 'Hall', 1))
  await app.db.venueText.updateMany({ where: { venueId: venue }, data: { name: 'Barn' } })
  expect(await seen()).toEqual(all('Ball', 'Barn', 1))
  await makeEvent(app.db, 'Later', { start: '2027-01-01T10:00:00', categoryIds: [category] })
  expect((await seen())[2]).toEqual([2, 2, 2])
})

test('a scheduled event is published at its time and not before, whether the clock is set forward or back', async () => {
  const id = await makeEvent(app.db, 'Party', { status: 'future', publishedAt: later })
  const editor = await app.signIn('editor')
  const statusAt = async (time: Date) => {
    app.clock.now = time
    const { body } = await editor.get(`${legacy}/${id}`)
    const { event } = await graph(editor, `{ event(id: ${id}) { status } }`)
    return [body.status, event.status]
  }
  try {
    for (let n = 0; n < 2; n += 1) {
      expect(await statusAt(now)).toEqual(['future', 'SCHEDULED'])
      expect(await statusAt(new Date(later.getTime() - 1))).toEqual(['future', 'SCHEDULED'])
      expect(await statusAt(later)).toEqual(['publish', 'PUBLISHED'])
      expect(await statusAt(new Date(later.getTime() + hour))).toEqual(['publish', 'PUBLISHED'])
    }
  } finally {
    app.clock.now = now
  }
})

test('viewers with other permissions or languages get other results', async () => {
  const author = await app.signIn('author')
  const texts = { en: { name: 'Party', description: 'Secret' }, fr: { name: 'Fête', description: 'Secrète' } }
  const id = await makeEvent(app.db, texts, { passwordKey: 'k', authorId: author.id })
  const query = `{ event(id: ${id}) { title description locked } }`
  const editing = `query @inContext(forEditing: true) ${query}`
  const open = { title: 'Party', description: 'Secret', locked: false }
  const withheld = { title: 'Party', description: null, locked: true }
  for (let n = 0; n < 2; n += 1) {
    expect(await graph(author, editing)).toEqual({ event: open })
    expect(await graph(app, query)).toEqual({ event: withheld })
    expect(await graph(author, query)).toEqual({ event: withheld })
    expect(await graph(app, query, '/fr')).toEqual({ event: { ...withheld, title: 'Fête' } })
  }
})

test('records unlocked by a password stay withheld from viewers without it', async () => {
  const key = await hashRecordPassword('secret', app.site.passwordSalt)
  const id = await makeEvent(app.db, { en: { name: 'Party', description: 'Secret' } }, { passwordKey: key })
  const query = `query ($password: String) @inContext(password: $password) { event(id: ${id}) { description locked } }`
  for (const password of [null, 'secret', null, 'wrong', 'secret']) {
    const { body } = await app.graphql(query, { password })
    const isOpen = password === 'secret'
    expect(body.data).toEqual({ event: { description: isOpen ? 'Secret' : null, locked: !isOpen } })
  }
})

test('a viewer who loses permissions no longer sees what required them', async () => {
  const editor = await app.signIn('editor')
  const texts = { en: { name: 'Party', description: 'Secret' } }
  const locked = await makeEvent(app.db, texts, { passwordKey: 'k' })
  const draft = await makeVenue(app.db, 'Barn', { status: 'draft' })
  const open = await makeEvent(app.db, 'Ball', { venueIds: [draft] })
  const query = `query @inContext(forEditing: true) {
    locked: event(id: ${locked}) { description }
    open: event(id: ${open}) { venues { name } }
  }`
  const shown = { locked: { description: 'Secret' }, open: { venues: [{ name: 'Barn' }] } }
  const withheld = { locked: { description: null }, open: { venues: [] } }
  expect(await graph(editor, query)).toEqual(shown)
  await app.db.user.update({ where: { id: editor.id }, data: { role: 'subscriber' } })
  expect(await graph(editor, query)).toEqual(withheld)
})

test('the same record is returned with other URLs and in other formats', async () => {
  const id = await makeEvent(app.db, { en: 'Party', fr: 'Fête' })
  for (let n = 0; n < 2; n += 1) {
    for (const root of ['', '/fr']) {
      const { body: list } = await app.get(root + legacy)
      const { body: one } = await app.get(`${root}${legacy}/${id}`)
      const address = `http://calendar.test${root}${legacy}/${id}`
      expect([list.events[0].rest_url, one.rest_url]).toEqual([address, address])
      expect([list.events[0].json_ld, one.json_ld?.['@type']]).toEqual([undefined, 'Event'])
    }
    const { body } = await app.get(`${legacy}/${id}?translation_language=fr`)
    expect([body.title, body.rest_url]).toEqual(['Fête', `http://calendar.test${legacy}/${id}?translation_language=fr`])
  }
})

const venueFields = 'fragment Fields on Venue { databaseId name address city }'

test.each([
  [true, `query Other { venues(first: 5) { nodes { ...Fields } } } ${venueFields}`, 'databaseId name address city'],
  [true, '{ venuesPage { items { databaseId name address city } } }', 'databaseId name address city'],
  [false, '{ venuesPage { items { name databaseId address city } } }', 'name databaseId address city'],
  [false, '{ venuesPage { items { databaseId title: name address city } } }', 'databaseId title address city'],
  [false, '{ venuesPage { items { databaseId name address } } }', 'databaseId name address'],
])('lists share results if they select the same fields in the same order: %s for %s', async (isShared, query, keys) => {
  const name = `Hall ${query}`
  const id = await makeVenue(app.db, name)
  const values = new Map<string, unknown>(Object.entries({ databaseId: id, name, title: name, address: '', city: '' }))
  const { getOrResolve } = RecordCache.prototype
  let resolved = 0
  const spy = vi.spyOn(RecordCache.prototype, 'getOrResolve').mockImplementation(function (
    this: RecordCache,
    selection,
    record,
    resolve,
  ) {
    return getOrResolve.call(this, selection, record, (context) => {
      resolved += 1
      return resolve(context)
    })
  })
  try {
    const first = await graph(app, `{ venues(first: 9) { nodes { ...Fields } } } ${venueFields}`)
    expect(first.venues.nodes).toEqual([{ databaseId: id, name, address: '', city: '' }])
    const before = resolved
    const data = await graph(app, query)
    const [venue] = data.venuesPage?.items ?? data.venues.nodes
    expect(Object.entries(venue)).toEqual(keys.split(' ').map((key) => [key, values.get(key)]))
    const usesCache = process.env.EXECUTION !== 'graphql-js' && process.env.READ_ENGINE !== 'prisma'
    expect([before > 0, resolved > before]).toEqual([usesCache, usesCache && !isShared])
  } finally {
    spy.mockRestore()
  }
})

/** A record of layout 0. */
const recordOf = (id: unknown, json: string) =>
  Object.assign(new PreloadedRecord(), { id, [rawJsonKey]: json, [layoutKey]: 0 })

type Resolve = Parameters<RecordCache['getOrResolve']>[2]

/** The result for the reader `key` in an operation at `time`. */
function resultOf(
  { id, json, key, time = now }: { id: unknown; json: string; key: string; time?: Date },
  resolve: Resolve,
) {
  const reader = { key, now: time, contextWith: (hasCome: unknown) => ({ hasCome }) }
  return new RecordCache(reader, new ResponseSize()).getOrResolve(0, recordOf(id, json), resolve)
}

describe('a cached result', () => {
  test('is the same object, which cannot be changed', () => {
    const data = { title: 'Party' }
    const record = { id: 1, json: '{}', key: 'shared' }
    const resolve = () => ({ data, isComplete: true })
    expect([resultOf(record, resolve), resultOf(record, () => expect.fail())]).toEqual([data, data])
    expect(() => Object.assign(data, { title: 'Ball' })).toThrow(TypeError)
  })

  test('is resolved again when the JSON of its record differs, and when it was incomplete', () => {
    const titles = [1, 1, 2, 2, 1].map((version) => {
      const json = `[${version}]`
      return resultOf({ id: 2, json, key: 'versions' }, () => ({ data: { json }, isComplete: true }))
    })
    expect(titles).toEqual(['[1]', '[1]', '[2]', '[2]', '[1]'].map((json) => ({ json })))
    const incomplete = [1, 2].map((n) =>
      resultOf({ id: 3, json: '[]', key: 'incomplete' }, () => ({ data: { n }, isComplete: false })),
    )
    expect(incomplete).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('is valid until a time that its resolvers compared has come, or is still to come', () => {
    const resolve = (context: object) => {
      const { hasCome } = context as { hasCome: (time: Date) => boolean }
      return { data: { isLate: hasCome(later) }, isComplete: true }
    }
    const at = (time: number, resolver: Resolve) =>
      resultOf({ id: 4, json: '[]', key: 'clock', time: new Date(time) }, resolver)
    const due = later.getTime()
    expect(at(due - hour, resolve)).toEqual({ isLate: false })
    expect(at(due - 1, () => expect.fail())).toEqual({ isLate: false })
    expect(at(due, resolve)).toEqual({ isLate: true })
    expect(at(due + hour, () => expect.fail())).toEqual({ isLate: true })
    expect(at(due - 1, resolve)).toEqual({ isLate: false })
  })

  test('leaves the cache when others need its space', () => {
    const json = 'x'.repeat(100_000)
    const isResolved = (id: number) => {
      let isNew = false
      resultOf({ id, json, key: 'large' }, () => {
        isNew = true
        return { data: {}, isComplete: true }
      })
      return isNew
    }
    const ids = Array.from({ length: 1000 }, (_, id) => id)
    for (const id of ids) isResolved(id)
    const kept = ids.toReversed().filter((id) => !isResolved(id))
    expect(kept.length).toBeGreaterThan(10)
    expect(kept.length).toBeLessThan(500)
  })
})
