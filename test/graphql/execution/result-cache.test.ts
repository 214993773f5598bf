// Cached results are used only for the same record and viewer, and until they expire.
import fc from 'fast-check'
import { parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { passwordKey } from '../../../src/calendar/rules/record-password.ts'
import { compileOperation } from '../../../src/engine/execution/compile-operation.ts'
import { ReaderCache, ResultCache } from '../../../src/engine/execution/result-cache.ts'
import { serialize } from '../../../src/engine/execution/serialize.ts'
import { layoutKey, PreloadedRecord, rawJsonKey } from '../../../src/engine/postgres/preloaded-record.ts'
import { TextBudget } from '../../../src/engine/postgres/text-budget.ts'
import { createSchema } from '../../../src/schema.ts'
import type { Context } from '../../../src/service/context.ts'
import { analyzeOperation, coerceVariables } from '../../../src/service/graphql/analyze-operation.ts'
import { serializationsOf } from '../../../src/service/graphql/serializations.ts'
import { now, openTestApp, type TestApp } from '../../helpers/app.ts'
import { truncate } from '../../helpers/db.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
})
afterAll(() => app?.close())
beforeEach(() => truncate(app.db))

const schema = createSchema(['en', 'fr', 'es'])
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
  await app.db.eventText.updateMany({ where: { eventId: id }, data: { name: 'Ball' } })
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
  const key = await passwordKey('secret', app.site.passwordSalt)
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

test.each([
  ['{ eventsPage { items { title descriptionHtml venues { name } } } }', false],
  ['{ a: event(id: 1) { title } b: event(id: 2) { title } }', false],
  ['{ eventsPage { items { a: descriptionHtml b: descriptionHtml } } }', true],
  ['{ eventsPage { items { venues { a: descriptionHtml ...F } } } } fragment F on Venue { descriptionHtml }', true],
])('whether an operation has repeated fields, which are not cached: %s', (query, repeats) => {
  const operation = analyzeOperation(schema, { document: parse(query) })
  const variableValues = operation && coerceVariables(operation, {}).variableValues
  expect(variableValues && compileOperation(operation, variableValues)?.hasRepeatedFields).toBe(repeats)
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
  const set = vi.spyOn(ResultCache.prototype, 'set')
  // Other tests may have filled the cache of the process.
  const enters = vi.spyOn(ResultCache.prototype, 'enters').mockReturnValue(true)
  try {
    const first = await graph(app, `{ venues(first: 9) { nodes { ...Fields } } } ${venueFields}`)
    expect(first.venues.nodes).toEqual([{ databaseId: id, name, address: '', city: '' }])
    const cached = set.mock.calls.length
    const data = await graph(app, query)
    const [venue] = data.venuesPage?.items ?? data.venues.nodes
    expect(Object.entries(venue)).toEqual(keys.split(' ').map((key) => [key, values.get(key)]))
    const usesCache = process.env.EXECUTION !== 'graphql-js' && process.env.READ_ENGINE !== 'prisma'
    expect([cached > 0, set.mock.calls.length > cached]).toEqual([usesCache, usesCache && !isShared])
  } finally {
    set.mockRestore()
    enters.mockRestore()
  }
})

/** A record of layout 0 that is its own ID. */
const recordOf = (json: string, id: unknown = json) =>
  Object.assign(new PreloadedRecord(), { id, [rawJsonKey]: json, [layoutKey]: 0 })

const context = {
  settings: {},
  site: { uidHost: 'calendar.test' },
  language: 'en',
  viewer: undefined,
  forEditing: false,
  passwordKey: undefined,
  now,
  texts: new TextBudget(0),
} as unknown as Context

interface Resolving {
  readonly number: number
  readonly json: string
  /** Whether the record has one ID whatever its JSON is. */
  readonly id?: string
  readonly resolved?: Record<string, unknown>
}

/** Empty before each test, as other tests fill the cache of the process. */
let results: ResultCache
beforeEach(() => {
  results = new ResultCache()
})

/** Gets the result of a record in a new operation. Returns how often all fields, and each field, were resolved. */
function resultOf({ number, json, id, resolved = {} }: Resolving) {
  const calls = { all: 0, fields: [] as string[] }
  const readerCache = new ReaderCache(context, results)
  const result = readerCache.getOrResolve({
    selection: {
      number,
      byKey: new Map(Object.keys(resolved).map((key) => [key, true])),
      newResult: () => Object.fromEntries(Object.keys(resolved).map((key) => [key, null])),
    },
    record: recordOf(json, id),
    resolveAll() {
      calls.all += 1
      return { data: { ...resolved }, isComplete: true }
    },
    resolveField(key) {
      calls.fields.push(key)
      return resolved[key]
    },
  })
  return { result, readerCache, calls }
}

let selectionNumber = 0
/** A number that no other selection of these tests has. */
const newSelection = () => selectionNumber++

test('serialized results equal JSON.stringify, before and after the bytes of records are cached', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom(undefined, new Date(0), () => 0),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  })).value
  const fields = fc.dictionary(fc.stringMatching(/^[a-zA-Z]\w*$/), value)
  fc.assert(
    fc.property(value, fields, (input, resolved) => {
      const number = newSelection()
      const expected = JSON.stringify({ data: { input, list: [resolved, input, resolved] } })
      for (let n = 0; n < 3; n += 1) {
        const { result, readerCache } = resultOf({ number, json: '{}', resolved })
        const output = { data: { input, list: [result, input, result] } }
        expect(serialize(output, readerCache).toString()).toBe(expected)
      }
    }),
  )
})

describe('a cached result', () => {
  const resolved = { title: 'Party', venue: { name: 'Hall' }, toJSON: 'a field' }

  /** The second result, after the first was serialized or not. */
  const cachedResult = (isSerialized: boolean) => {
    const number = newSelection()
    const first = resultOf({ number, json: '{}', resolved })
    if (isSerialized) serialize(first.result, first.readerCache)
    return resultOf({ number, json: '{}', resolved })
  }

  test.each([false, true])('has the same fields, in the same order; serialized before: %s', (isSerialized) => {
    const { result } = cachedResult(isSerialized)
    expect(result).toEqual(resolved)
    expect({ ...result }).toEqual(resolved)
    expect(Object.entries(result)).toEqual(Object.entries(resolved))
    expect(Object.keys(result)).toEqual(Object.keys(resolved))
    expect(['title' in result, 'venues' in result]).toEqual([true, false])
    expect(JSON.stringify({ result: [result] })).toBe(JSON.stringify({ result: [{ ...resolved }] }))
  })

  test('cannot be changed', () => {
    const { result } = cachedResult(true)
    expect(() => Object.assign(result, { title: 'Ball' })).toThrow(TypeError)
    expect(() => Object.assign(result, { other: 'Ball' })).toThrow(TypeError)
    expect(() => Object.defineProperty(result, 'title', { value: 'Ball' })).toThrow(TypeError)
    expect(() => Object.setPrototypeOf(result, null)).toThrow(TypeError)
    expect(() => Object.freeze(result)).toThrow(TypeError)
    expect(Reflect.deleteProperty(result, 'title')).toBe(false)
    expect(result).toEqual(resolved)
  })

  test('resolves only the fields that are read, and each once, after it was serialized', () => {
    const { result, calls } = cachedResult(true)
    const { title, venue } = result as typeof resolved
    expect([title, venue, (result as typeof resolved).title]).toEqual(['Party', { name: 'Hall' }, 'Party'])
    expect(calls).toEqual({ all: 0, fields: ['title', 'venue'] })
  })

  test('resolves nothing before it was serialized, and nothing to be serialized again', () => {
    for (const isSerialized of [false, true]) {
      const { result, readerCache, calls } = cachedResult(isSerialized)
      expect(serialize(result, readerCache).toString()).toBe(JSON.stringify({ ...resolved }))
      expect(calls).toEqual({ all: 0, fields: [] })
    }
  })

  test('has at most eight serializations, those that were stored last', () => {
    const { result } = cachedResult(false)
    const serializations = serializationsOf(result)
    for (let n = 0; n < 50; n += 1) {
      const bytes = Buffer.from(`"${n}"`)
      serializations?.set(`${n}`, bytes)
      expect(serializations?.get(`${n}`)).toEqual(bytes)
    }
    const numbers = Array.from({ length: 50 }, (_, n) => n)
    expect(numbers.filter((n) => serializations?.get(`${n}`))).toEqual(numbers.slice(-8))
  })

  test('has its bytes wherever it occurs in the response that adds them', () => {
    const number = newSelection()
    const occurrences = Array.from({ length: 3 }, () =>
      serializationsOf(resultOf({ number, json: '{}', resolved }).result),
    )
    occurrences[1]?.set('format', Buffer.from('bytes'))
    expect(occurrences.map((each) => each?.get('format')?.toString())).toEqual(['bytes', 'bytes', 'bytes'])
  })

  test('is resolved again when the JSON of its record differs', () => {
    const number = newSelection()
    const resolve = (json: string, title: string) => {
      const { result, readerCache } = resultOf({ number, json, id: 'same', resolved: { title } })
      return serialize(result, readerCache).toString()
    }
    for (const title of ['Party', 'Party', 'Ball', 'Ball', 'Party']) {
      expect(resolve(`["${title}"]`, title)).toBe(`{"title":"${title}"}`)
    }
  })

  test('does not replace one that another operation has cached in between', () => {
    const number = newSelection()
    const before = resultOf({ number, json: '["old"]', id: 'same', resolved: { title: 'old' } })
    const after = resultOf({ number, json: '["new"]', id: 'same', resolved: { title: 'new' } })
    expect(serialize(before.result, before.readerCache).toString()).toBe('{"title":"old"}')
    expect(serialize(after.result, after.readerCache).toString()).toBe('{"title":"new"}')
    const again = resultOf({ number, json: '["new"]', id: 'same', resolved: { title: 'new' } })
    expect(serialize(again.result, again.readerCache).toString()).toBe('{"title":"new"}')
    expect(again.calls.all).toBe(0)
  })
})

describe('many results', () => {
  const isCached = (json: string, number: number) => resultOf({ number, json }).calls.all === 0

  test('each counts for 1,000 bytes at least', () => {
    const number = newSelection()
    const texts = Array.from({ length: 30_000 }, (_, index) => `[${index}]`)
    for (const json of texts) isCached(json, number)
    const cached = texts.toReversed().filter((json) => isCached(json, number))
    expect(cached.length).toBeGreaterThan(1000)
    expect(cached.length).toBeLessThanOrEqual(12_000)
  })

  test('of more than fit, those that return often are cached, and the others do not replace each other', () => {
    const number = newSelection()
    const long = 'x'.repeat(3800)
    const rare = Array.from({ length: 4000 }, (_, index) => `["rare ${index}", "${long}"]`)
    const popular = Array.from({ length: 50 }, (_, index) => `["popular ${index}", "${long}"]`)
    const count = (texts: readonly string[]) => texts.filter((json) => isCached(json, number)).length
    for (let round = 0; round < 4; round += 1) {
      count(rare)
      for (let visit = 0; visit < 10; visit += 1) count(popular)
    }
    expect(count(popular)).toBe(50)
    const found = count(rare)
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(2000)
  })
})
