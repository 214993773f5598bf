// Search in GraphQL: other forms of a word in the language of the operation, and similar words where nothing matches.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let german: TestApp

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  let day = 0
  const make = (texts: Parameters<typeof makeEvent>[1], columns: Parameters<typeof makeEvent>[2] = {}) => {
    day += 1
    return makeEvent(db, texts, { start: `2026-12-${String(day).padStart(2, '0')}T19:00:00`, ...columns })
  }
  await make({ en: { name: 'Organ recital', description: 'One of three concerts' } })
  await make({ en: 'Concerted effort' })
  await make({ fr: { name: 'Ateliers de poterie', description: 'Pour les petits chevaux' } })
  await make({ es: { name: 'Taller de cerámica', description: 'Canciones y bailes' } })
  await make({ en: 'Concert behind a password', fr: 'Atelier fermé' }, { passwordKey: 'x' })
  await make({ en: { name: 'Locked recital', description: 'concert' } }, { passwordKey: 'x' })
  await make({ en: `Wonder${'x'.repeat(300)}tail in Llanfairpwllgwyngyll` })
  await make({ en: { name: 'The C++ meeting', description: 'A first look' } })
  await make({ en: { name: 'Choir concert', description: 'Draft' } }, { status: 'draft' })
  await make({ en: { name: 'Pioneers', description: 'Pioneers of science with a mission, and of other sciences' } })
  for (const place of [makeVenue, makeOrganizer]) {
    await place(db, { en: { name: 'Concert hall', description: 'For all who dance' }, fr: 'Salle des concerts' })
    await place(db, { en: { name: 'Concerts locked', description: 'Dancing' } }, { passwordKey: 'x' })
  }
  for (const term of [makeCategory, makeTag]) await term(db, { en: 'Dancing lessons', fr: 'Cours de danse' })
})
afterAll(async () => {
  await german?.app.close()
  await app?.close()
})

interface Options {
  readonly root?: string
  readonly list?: string
  readonly filter?: object
}

async function search(text: string, { root = '', list = 'event', filter = {} }: Options = {}) {
  const [plural, type] = [list === 'category' ? 'categories' : `${list}s`, list.charAt(0).toUpperCase() + list.slice(1)]
  const { body } = await app.graphql(
    `query($filter: ${type}Filter) { list: ${plural}Page(filter: $filter, perPage: 50) { total items { databaseId ${list === 'event' ? 'startsLocal' : 'name'} } ${list === 'event' ? 'searchMatch' : ''} } }`,
    { filter: { search: text, ...filter } },
    root,
  )
  expect(body.errors).toBeUndefined()
  const { total, items, searchMatch } = body.data.list
  expect(total).toBe(items.length)
  return { searchMatch, items }
}

const days = async (text: string, options?: Options) =>
  (await search(text, options)).items
    .map(({ startsLocal }: { startsLocal: string }) => Number(startsLocal.slice(8, 10)))
    .join(' ')
const names = async (text: string, options?: Options) =>
  (await search(text, options)).items.map(({ name }: { name: string }) => name).sort()

describe('search by words', () => {
  it.each([
    ['', 'concert', '1 2 5'],
    ['', 'concerts', '1 2 5'],
    ['', 'concerting', '1 2 5'],
    ['', 'recitals', '1 6'],
    ['', 'concerts recitals', '1'],
    ['', 'oncert', '1 2 5'],
    ['/fr', 'atelier', '3 5'],
    ['/fr', 'ATELIERS', '3 5'],
    ['/fr', 'cheval', '3'],
    ['/fr', 'poteries', '3'],
    ['/es', 'talleres', '4'],
    ['/es', 'canción', '4'],
    ['/es', 'bailar', '4'],
    ['', 'concerts -recitals', '2 5'],
    ['', '"three concerts"', '1'],
    ['', '"three concert"', '1'],
    ['', '"three recitals"', ''],
    ['', '"pioneers of science with"', '10'],
    ['', '"oneers of science with a mis"', '10'],
    ['', '"of science with"', '10'],
    ['', '"pioneers science with"', ''],
    ['', '"pioneers of scien with"', ''],
    ['', '"of other science"', '10'],
    ['', `"with ${'x'.repeat(300)} mission"`, ''],
    ['', 'c++', '8'],
    ['', 'wonderxxx', '7'],
    ['', `${'x'.repeat(280)}tail`, '7'],
    ['', `${'x'.repeat(60)}y`, ''],
    ['', 'llanfair', '7'],
  ])('under %j %s', async (root, text, expected) => {
    expect(await days(text, { root })).toBe(expected)
  })

  it('finds words that are parts of hundreds of other words, and many single letters', async () => {
    const tokens = Array.from({ length: 400 }, (_, index) => `zq${index}kw`)
    const half = (name: string, part: string[]) => makeEvent(app.db, { en: { name, description: part.join(' ') } })
    const ids = [await half('Even', tokens.slice(0, 200)), await half('Odd', tokens.slice(200))]
    const other = await makeEvent(app.db, { en: { name: 'Vexed', description: 'Jock TV quiz PhD bags few lynx kw' } })
    const found = async (text: string, filter = {}) =>
      (await search(text, { filter })).items.map(({ databaseId }: { databaseId: number }) => databaseId).sort()
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !['m', 'o', 'r'].includes(letter))
    const parts = { searchMode: 'SUBSTRING' }
    for (const filter of [{}, parts]) {
      expect(await found('zq', filter)).toEqual(ids)
      expect(await found('zq0 -d', filter)).toEqual([ids[0]])
      expect(await found('zq -"zq3 kw" o', filter)).toEqual([ids[1]])
      expect(await found(`${letters.join(' ')} m`, filter)).toEqual([])
    }
    expect(await found('zq kw', parts)).toEqual(ids)
    expect(await found('zq e -d', parts)).toEqual([ids[0]])
    expect(await found(letters.join(' '), parts)).toEqual([other])
    await app.db.event.deleteMany({ where: { id: { in: [...ids, other] } } })
  })

  it.each([
    ['', 'c', '1 2 3 4 5 8'],
    ['', 'co', '1 2 5'],
    ['', 'on', '1'],
    ['', 'on', '1 2 4 5 7 10', { searchMode: 'SUBSTRING' }],
    ['', 'of c', '1'],
    ['', 'recital -lo', '1'],
    ['/fr', 'é', '2'],
    ['', '東', '11'],
    ['', '京', '11'],
    ['', 'ド', '11'],
  ] as [string, string, string, object?][])(
    'one or two letters under %j: %s',
    async (root, text, expected, filter = {}) => {
      const id = await makeEvent(app.db, { en: '東京ジャズ/シード' }, { start: '2026-12-11T19:00:00' })
      onTestFinished(async () => {
        await app.db.event.delete({ where: { id } })
      })
      expect(await days(text, { root, filter })).toBe(expected)
    },
  )

  it('searches parts of words only with SUBSTRING', async () => {
    expect(await days('concerts', { filter: { searchMode: 'SUBSTRING' } })).toBe('1')
    expect(await names('dancer', { list: 'category', filter: { searchMode: 'SUBSTRING' } })).toEqual([])
  })

  it('finds the new text of an event that changes, and no longer the old one', async () => {
    const editor = await app.signIn('editor')
    const mutate = async (operation: string, input: object) => {
      const { body } = await editor.graphql(
        `mutation($input: ${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input!) { done: ${operation}(input: $input) { event { databaseId } userErrors { message } } }`,
        { input },
      )
      expect([body.errors, body.data?.done.userErrors]).toEqual([undefined, []])
      return body.data.done.event.databaseId
    }
    const id = await mutate('createEvent', {
      ...{ title: 'Marionettes', startsLocal: '2026-12-30T10:00:00', endsLocal: '2026-12-30T11:00:00' },
    })
    expect(await days('marionette')).toBe('30')
    await mutate('updateEvent', { id, title: 'Puppets' })
    expect([await days('marionette'), await days('puppet')]).toEqual(['', '30'])
    await app.db.event.delete({ where: { id } })
    expect(await days('puppet')).toBe('')
  })

  it.each(['venue', 'organizer'])(
    'finds each %s with all words in any field, and locked ones by name',
    async (list) => {
      expect(await names('concerts', { list })).toEqual(['Concert hall', 'Concerts locked'])
      expect(await names('dance', { list })).toEqual(['Concert hall'])
      expect(await names('halls dancing', { list })).toEqual(['Concert hall'])
      expect(await names('halls dancing', { list, filter: { searchMode: 'SUBSTRING' } })).toEqual([])
      expect(await names('concert', { list, root: '/fr' })).toContain('Salle des concerts')
    },
  )

  it.each(['category', 'tag'])('finds each %s by other forms of the words of its name', async (list) => {
    expect(await names('lesson dances', { list })).toEqual(['Dancing lessons'])
    expect(await names('danses', { list, root: '/fr' })).toEqual(['Cours de danse'])
  })

  it('compares whole words of a language for which the database has no stems', async () => {
    german = await serve(app, { LANGUAGES: 'en,fr,es,xx' })
    const { body } = await german.graphql('{ eventsPage(filter: { search: "concert" }) { total } }', {}, '/xx')
    expect(body.data.eventsPage.total).toBeGreaterThan(0)
  })
})

describe('similar words', () => {
  it.each([
    ['cocnert', '1 2 5', 'SIMILAR'],
    ['recitle', '1 6', 'SIMILAR'],
    ['concert', '1 2 5', 'EXACT'],
    ['zzzzzzzz', '', 'EXACT'],
    ['zzz', '', 'EXACT'],
    ['-concert', '3 4 6 7 8 10', 'EXACT'],
    [' ', '1 2 3 4 5 6 7 8 10', null],
  ])('%j finds %j: %s', async (text, expected, match) => {
    expect([await days(text), (await search(text)).searchMatch]).toEqual([expected, match])
  })

  it('are not found by SUBSTRING, nor in a filter within a filter', async () => {
    expect(await days('cocnert', { filter: { searchMode: 'SUBSTRING' } })).toBe('')
    const { body } = await app.graphql('{ eventsPage(filter: { any: [{ search: "cocnert" }] }) { total searchMatch } }')
    expect(body.data.eventsPage).toEqual({ total: 0, searchMatch: null })
  })

  it('apply to one list as a whole, page by page', async () => {
    const query =
      'query($after: String) { events(first: 1, after: $after, filter: { search: "cocnert" }) { totalCount searchMatch nodes { startsLocal } pageInfo { endCursor hasNextPage } } }'
    const found: string[] = []
    for (let after: string | undefined, more = true; more; ) {
      const { events } = (await app.graphql(query, { after })).body.data
      expect([events.totalCount, events.searchMatch]).toEqual([3, 'SIMILAR'])
      found.push(events.nodes[0].startsLocal.slice(8, 10))
      more = events.pageInfo.hasNextPage
      after = events.pageInfo.endCursor
    }
    expect(found).toEqual(['01', '02', '05'])
  })

  it('combine with the other criteria of the filter', async () => {
    expect(await days('cocnert', { filter: { startsOn: '2026-12-02' } })).toBe('2')
    expect(await days('cocnert -recital')).toBe('2 5')
  })
})
