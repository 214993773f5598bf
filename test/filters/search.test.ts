// Search in the text that is served, by both APIs and in three languages (contract c.14; docs/search-and-filters.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeTag } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
let strict: TestApp

beforeAll(async () => {
  app = await openTestApp()
  strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
  const { db } = app
  let day = 0
  const make = (texts: Parameters<typeof makeEvent>[1]) => {
    day += 1
    return makeEvent(db, texts, { start: `2026-12-${String(day).padStart(2, '0')}T19:00:00` })
  }
  await make({ en: 'Summer party', fr: 'Fête de l’été', es: 'Fiesta de España' })
  await make({ en: { name: 'Evening recital', description: 'Two pianos', excerpt: 'Free' }, fr: { name: 'Récital' } })
  await make({ fr: { name: 'Marché de Noël', description: 'Vin chaud' } })
  await make({ es: { name: 'Corrida', excerpt: 'En la plaza' }, fr: { name: 'Course' } })
  await make({ en: '100% jazz night' })
  await make({ en: 'snake_case night of jazz' })
  await make({ en: 'back\\slash 100 jazz' })
  await make({ en: 'The "quoted" & <odd> l’heure d\'or' })
  await make({ fr: '東京ジャズ祭り' })
  await make({ es: 'مهرجان الموسيقى' })
  await make({ en: 'Ｗｉｄｅ ﬁne letters' })
  await make({ en: 'Café en décomposé'.normalize('NFD') })
})
afterAll(async () => {
  await strict.app.close()
  await app.close()
})

async function byRest(client: TestApp, root: string, text: string): Promise<string[]> {
  const { status, body } = await client.get(`${root}${ns}/events?per_page=50&search=${encodeURIComponent(text)}`)
  expect([text, status]).toEqual([text, 200])
  expect(body.total).toBe(body.events.length)
  return body.events.map((event: { start_date: string }) => event.start_date.slice(8, 10))
}

async function byGraphql(client: TestApp, root: string, text: string): Promise<string[]> {
  const query =
    'query($text: String) { events(filter: { search: $text, searchMode: SUBSTRING }, first: 50) { totalCount nodes { startsLocal } } }'
  const { body } = await client.graphql(query, { text }, root)
  expect(body.errors).toBeUndefined()
  expect(body.data.events.totalCount).toBe(body.data.events.nodes.length)
  return body.data.events.nodes.map((event: { startsLocal: string }) => event.startsLocal.slice(8, 10))
}

const results = async (client: TestApp, root: string, text: string): Promise<string> =>
  (await byGraphql(client, root, text)).map(Number).join(' ')

// REST has no search of its own: it passes the text on.
it.each([
  ['', '100%'],
  ['', 'k\\s'],
  ['', '"jazz night"'],
  ['', 'jazz -“jazz night”'],
  ['', '& <odd>'],
  ['', "'; DROP TABLE event; --"],
  ['', 'jazz & night | !of'],
  ['', '"jazz'],
  ['', '""'],
  ['', '😀'],
  ['', 'ｼﾞｬｽﾞ'],
  ['', '  jazz\t\n night  '],
  ['/fr', 'recital pianos'],
  ['/es', 'الموسيقى'],
])('REST finds the same under %j with %j', async (root, text) => {
  for (const client of [app, strict])
    expect(await byRest(client, root, text)).toEqual(await byGraphql(client, root, text))
})

describe('search in the language of the operation', () => {
  it.each([
    ['', 'summer', '1'],
    ['', 'fete', ''],
    ['/fr', 'fete', '1'],
    ['/fr', 'FÊTE ÉTÉ', '1'],
    ['/fr', 'Fete', '1'],
    ['/fr', "l'ete", '1'],
    ['/fr', 'l’été', '1'],
    ['/fr', 'summer', ''],
    ['/es', 'espana', '1'],
    ['/es', 'ESPAÑA', '1'],
    ['', 'pianos', '2'],
    // Fallback per field: a French title with an English description.
    ['/fr', 'recital pianos', '2'],
    ['/fr', 'recital pianos free', '2'],
    ['/fr', 'evening', ''],
    ['/es', 'evening pianos', '2'],
    ['', 'noel chaud', '3'],
    ['/es', 'marché', '3'],
    ['', 'corrida plaza', '4'],
    ['/fr', 'corrida', ''],
    ['/fr', 'course plaza', '4'],
  ])('under %j %s', async (root, text, expected) => {
    expect(await results(app, root, text)).toBe(expected)
  })

  it.each([
    ['', 'summer', '1'],
    ['', 'noel', ''],
    ['', 'corrida', ''],
    ['/fr', 'noel', '3'],
    ['/fr', 'recital pianos', '2'],
    ['/fr', 'jazz', ''],
    ['/fr', 'ジャズ', '9'],
    ['/es', 'pianos', ''],
    ['/es', 'plaza', '4'],
    ['/es', 'الموسيقى', '10'],
  ])('without language fallback under %j %s', async (root, text, expected) => {
    expect(await results(strict, root, text)).toBe(expected)
  })
})

describe('search texts', () => {
  it.each([
    ['100%', '5'],
    ['%', '5'],
    ['_', '6'],
    ['e_c', '6'],
    ['snake%case', ''],
    ['\\', '7'],
    ['k\\s', '7'],
    ['back\\slash', '7'],
    ['100 jazz', '5 7'],
    ['jazz night', '5 6'],
    ['night jazz', '5 6'],
    ['JaZz NiGhT', '5 6'],
    ['"jazz night"', '5'],
    ['"night of"', '6'],
    ['“jazz night”', '5'],
    ['„jazz night“', '5'],
    ['"jazz" "night"', '5 6'],
    ['jazz -night', '7'],
    ['night -100%', '6'],
    ['jazz -"jazz night"', '6 7'],
    ['jazz -“jazz night”', '6 7'],
    ['jazz - night', '5 6'],
    ['quoted', '8'],
    ['& <odd>', '8'],
    ["d'or", '8'],
    ['amp;', ''],
    ['l’heure', '8'],
    ['東京', '9'],
    ['ジャズ', '9'],
    // Full-width and half-width letters are folded.
    ['ｼﾞｬｽﾞ', '9'],
    ['祭り　東京', '9'],
    ['الموسيقى', '10'],
    ['مهرجان الموسيقى', '10'],
    ['wide', '11'],
    ['ＷＩＤＥ fine', '11'],
    ['cafe', '12'],
    ['café', '12'],
    ['décomposé'.normalize('NFC'), '12'],
    ['decompose\u0301', '12'],
    ['  jazz\t\n night  ', '5 6'],
    ["'; DROP TABLE event; --", ''],
    ['jazz & night | !of', null],
    ['"jazz', null],
    ['-', ''],
    ['""', null],
    ['😀', ''],
  ])('%j', async (text, expected) => {
    const days = await results(app, '', text)
    // Special characters must not cause an error.
    if (expected !== null) expect(days).toBe(expected)
  })
})

describe('search for terms', () => {
  beforeAll(async () => {
    for (const make of [makeCategory, makeTag]) {
      await make(app.db, { en: '50% off_peak', fr: 'Été à demi-prix' })
      await make(app.db, { fr: '東京 祭り' })
      await make(app.db, 'Back\\stage')
    }
  })

  it.each([
    ['', '0%', '50% off_peak'],
    ['', 'F_P', '50% off_peak'],
    ['', '\\', 'Back\\stage'],
    ['', '祭り', '東京 祭り'],
    ['', 'off peak', ''],
    ['/fr', 'ete a DEMI', 'Été à demi-prix'],
    ['/fr', 'off', ''],
    ['/es', 'off_', '50% off_peak'],
    ['', '"50%"', '50% off_peak'],
    ['', '-back', ''],
  ])('under %j %s finds %j', async (root, text, expected) => {
    const list = '(filter: { search: $text, searchMode: SUBSTRING }, first: 9) { nodes { name } }'
    const query = `query($text: String) { categories${list} tags${list} }`
    const { data } = (await app.graphql(query, { text }, root)).body
    const found = { nodes: expected ? [{ name: expected }] : [] }
    expect(data).toEqual({ categories: found, tags: found })
  })

  it.each([
    ['categories', '', '0%', '50% off_peak'],
    ['tags', '', '祭り', '東京 祭り'],
    ['categories', '/fr', 'ete a DEMI', 'Été à demi-prix'],
    ['tags', '/fr', 'off', ''],
  ])('%s in REST under %j %s finds %j', async (plural, root, text, expected) => {
    const { body } = await app.get(`${root}${ns}/${plural}?hide_empty=0&search=${encodeURIComponent(text)}`)
    expect(body[plural].map((term: { name: string }) => term.name).join('|')).toBe(expected)
  })
})
