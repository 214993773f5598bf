// The cost of operations: expensive ones are rejected before they query the database, and common ones are not.
import { getIntrospectionQuery, isObjectType, parse, print } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import examples from '../../src/apis/rest/examples.json' with { type: 'json' }
import { createSchema } from '../../src/schema.ts'
import { exampleTabs } from '../../src/service/graphql/graphiql/tabs.ts'
import { complexityOf } from '../../src/service/graphql/limits/complexity.ts'
import { computeOperationCost, type OperationCost } from '../../src/service/graphql/limits/cost.ts'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(() => app.statements.splice(0))
afterAll(() => app?.close())

const costHeaders = { 'graphql-cost': 'tell' }
const costIn = async (query: string, variables = {}) => {
  const { body } = await app.graphql(query, variables, '', costHeaders)
  return body.extensions?.cost.requested ?? body.errors[0].extensions.cost
}

test('the cost is returned only to clients that request it', async () => {
  const query = '{ events(first: 5) { nodes { title } } }'
  const { body } = await app.graphql(query, {}, '', costHeaders)
  expect(body.extensions).toEqual({ cost: { requested: 56, limit: 5000 } })
  expect((await app.graphql(query)).body.extensions).toBeUndefined()
})

const month = (from: string, to: string, size = '') =>
  `{ eventCalendar(from: "${from}", to: "${to}") { days { totalCount events${size} { title venues { name } } } } }`

test('the cost of a calendar is that of its days and events, and of invalid days that of the longest calendar', async () => {
  const [six, most] = [await costIn(month('2026-12-01', '2027-01-11')), await costIn(month('2026-12-01', '2027-03-10'))]
  expect(six).toBe(await costIn(month('2026-12-01', '2027-01-11', '(first: 3)')))
  expect(six).toBeLessThan(1000)
  expect(most).toBeGreaterThan(2 * six)
  expect(await costIn(month('2026-12-01', '2099-01-01'))).toBe(most)
  expect(await costIn(month('first day of this month', 'last day of next month'))).toBeGreaterThan(six)
})

test('the schedule of each series in a list counts, in words and as iCalendar', async () => {
  const costOf = (field: string) => costIn(`{ events(first: 20) { nodes { series { ${field} } } } }`)
  const [title, words, icalendar] = [await costOf('title'), await costOf('words'), await costOf('icalendar { rules }')]
  expect(words - title).toBeGreaterThanOrEqual(20 * 20 - 10)
  expect(icalendar - title).toBeGreaterThanOrEqual(20 * 300)
})

describe('the cost grows with', () => {
  test.each([
    ['first', (n: number) => `{ events(first: ${n}) { nodes { title venues { name } } } }`],
    ['last', (n: number) => `{ events(last: ${n}) { edges { node { title venues { name } } } } }`],
    ['perPage', (n: number) => `{ eventsPage(perPage: ${n}) { items { title venues { name } } } }`],
    [
      'first of a relation',
      (n: number) => `{ venue(id: 1) { events(first: ${n}) { nodes { title slug venues { name } } } } }`,
    ],
    ['children', (n: number) => `{ event(id: 1) { children(first: ${n}) { nodes { title slug venues { name } } } } }`],
    ['related events', (n: number) => `{ event(id: 1) { related(first: ${n}) { title slug venues { name } } } }`],
    [
      'filters in filters',
      (n: number) => `{ eventsPage(filter: { any: [${'{ when: PAST } '.repeat(n)}] }) { total } }`,
    ],
    ['IDs of nodes', (n: number) => `{ nodes(ids: [${'"a", '.repeat(n)}]) { id } }`],
    ['IDs to include', (n: number) => `{ eventsPage(filter: { include: [${'1 '.repeat(n)}] }) { total } }`],
    ['first of a day', (n: number) => month('2026-12-01', '2027-01-11', `(first: ${n})`)],
    ['days of a calendar', (n: number) => month('2026-12-01', `2026-12-${String(n).padStart(2, '0')}`)],
    ['relative days of a calendar', (n: number) => month('today', `+${n} days`)],
    ['aliases', (n: number) => `{ ${Array.from({ length: n }, (_, i) => `a${i}: events { totalCount }`).join(' ')} }`],
  ])('%s', async (_, query) => {
    const [few, many] = [await costIn(query(1)), await costIn(query(20))]
    expect(many).toBeGreaterThan(few + 10)
  })

  test('page sizes in variables and their defaults, up to the maximum page size', async () => {
    const query = (value: string) =>
      `query ($n: Int = ${value}) { events(first: $n) { nodes { title venues { name } } } }`
    const [one, most] = [await costIn(query('1')), await costIn(query('100'))]
    expect(await costIn(query('1'), { n: 100 })).toBe(most)
    expect(most).toBeGreaterThan(one + 50)
  })
})

test('orders that compare a value of every event cost more than those by an index', async () => {
  const query = 'query ($by: EventOrder) { events(first: 5, orderBy: $by) { nodes { title } } }'
  for (const field of ['PRICE', 'AUTHOR', 'PLACE_NAME', 'ALL_DAY']) {
    const cost = await costIn(query, { by: { field } })
    expect(cost).toBeGreaterThan((await costIn(query, { by: { field: 'START' } })) + 40)
    expect(await costIn(query.replace('$by)', `{ field: ${field} })`).replace('($by: EventOrder)', ''))).toBe(cost)
  }
})

test('jsonLd costs about as much as the fields that it contains', async () => {
  const place = 'name descriptionHtml image { url } address city stateProvince zip country phone website'
  const person = 'name descriptionHtml image { url } url phone email website'
  const own = 'title descriptionHtml image { url } url website startsAt endsAt timeZone publishedAt costEntries'
  const event = `${own} venues { ${place} } organizers { ${person} }`
  for (const list of ['events(first: 20) { nodes', 'venue(id: 1) { events(first: 20) { nodes']) {
    const costOfFields = (fields: string) =>
      costIn(`{ ${list} { ${fields} } }${list.startsWith('venue') ? ' }' : ''} }`)
    const ratio = (await costOfFields('jsonLd')) / (await costOfFields(event))
    expect(ratio, list).toBeGreaterThan(0.6)
    expect(ratio, list).toBeLessThan(1.2)
  }
})

test('every argument that limits the length of a list is declared as a slicing argument', () => {
  const sizes = new Set(['first', 'last', 'perPage', 'ids'])
  const types = Object.values(createSchema(['en']).getTypeMap()).filter((type) => isObjectType(type))
  const fields = types.flatMap((type) => Object.values(type.getFields()))
  const withSizes = fields.filter(({ args }) => args.some(({ name }) => sizes.has(name)))
  expect(withSizes.length).toBeGreaterThan(15)
  for (const field of withSizes) {
    const named = field.args.map(({ name }) => name).filter((name) => sizes.has(name))
    expect(complexityOf(field).slicingArguments?.toSorted(), field.name).toEqual(named.toSorted())
  }
})

test.each([
  ['search', 'search: "jazz"'],
  ['near', 'near: { center: { latitude: 48.9, longitude: 2.4 } }'],
])('the filter %s adds to the cost', async (_, filter) => {
  const plain = await costIn('{ events(filter: { when: UPCOMING }) { totalCount } }')
  expect(await costIn(`{ events(filter: { ${filter} }) { totalCount } }`)).toBeGreaterThanOrEqual(plain + 50)
})

test.each([
  ['events', '\\"a\\"\\"b\\"\\"c\\"', '\\"a\\" \\"b\\" \\"c\\"'],
  ['venues', 'a,b;c', 'a b c'],
])('the cost of a search for %s counts the words however they are separated', async (list, search, spaced) => {
  const cost = (text: string) => costIn(`{ ${list}(filter: { search: "${text}" }) { totalCount } }`)
  expect(await cost(search)).toBe(await cost(spaced))
  expect(await cost(search)).toBeGreaterThan(await cost('a'))
})

test('a search in the lists of records counts once, since it reads all texts, and a little for each record', async () => {
  const costsOf = async (around: (list: string) => string) => {
    const costs = ['"a b"', 'null'].map((search) =>
      costIn(around(`events(filter: { search: ${search} }) { totalCount }`)),
    )
    const [searched = 0, plain = 0] = await Promise.all(costs)
    return searched - plain
  }
  const root = await costsOf((list) => `{ ${list} }`)
  expect(await costsOf((list) => `{ venue(id: 1) { ${list} } }`)).toBe(root)
  expect(await costsOf((list) => `{ venues(first: 5) { nodes { ${list} } } }`)).toBe(root + 4 * 30)
})

test.each([
  ['200 aliases', 200, (n: number) => `{ ${Array.from({ length: n }, (_, i) => `a${i}: __typename`).join(' ')} }`],
  [
    '20 levels of nested fields',
    20,
    (n: number) => `{ event(id: 1) ${'{ parent '.repeat(n - 2)} { id } ${'}'.repeat(n - 2)} }`,
  ],
  ['20 repetitions of a field', 20, (n: number) => `{ ${'__typename '.repeat(n)} }`],
])('a document may have %s, but not more', async (_, most, query) => {
  const codeOf = async (n: number) => (await app.graphql(query(n))).body.errors?.[0].extensions?.code
  expect(await codeOf(most)).not.toBe('DOCUMENT_TOO_LARGE')
  expect(await codeOf(most + 1)).toBe('DOCUMENT_TOO_LARGE')
})

test('a filter accepts at most ten thousand records', async () => {
  const rich = await serve(app, { QUERY_COST_MAX: '1000000' })
  const resultOf = async (length: number) => {
    const ids = Array.from({ length }, (_, n) => n + 1)
    const query = 'query ($ids: [ID!]) { eventsPage(filter: { include: $ids }) { total } }'
    return (await rich.graphql(query, { ids })).body
  }
  expect((await resultOf(10_000)).errors).toBeUndefined()
  expect((await resultOf(10_001)).errors[0].extensions).toMatchObject({
    code: 'BAD_INPUT',
    fields: { include: 'At most 10000 items are allowed.' },
  })
})

test('a query that costs too much is refused before any statement, and the error says what to do', async () => {
  const query = '{ events(first: 50) { nodes { venues { events(first: 50) { nodes { title } } } } } }'
  const { status, body } = await app.graphql(query)
  expect([status, body.data]).toEqual([400, undefined])
  expect(body.errors[0].extensions).toEqual({ code: 'QUERY_TOO_COSTLY', cost: expect.any(Number), limit: 5000 })
  expect(body.errors[0].message).toMatch(/costs \d+; the limit is 5000\. Request smaller pages/)
  expect(app.statements).toEqual([])
})

test('nested lists that return to their parent cost as much as they can contain', async () => {
  const around = (levels: number) =>
    `{ category(id: 1) { ${'children { nodes { parent { '.repeat(levels)} databaseId ${'} } }'.repeat(levels)} } }`
  const links = (levels: number) =>
    `{ event(id: 1) { ${'venues { events(first: 1) { nodes { '.repeat(levels)} databaseId ${'} } }'.repeat(levels)} } }`
  for (const [query, levels] of [
    [around, 4],
    [links, 4],
  ] as const) {
    expect(await costIn(query(1))).toBeLessThan(500)
    expect((await app.graphql(query(levels))).body.errors[0].extensions.code).toBe('QUERY_TOO_COSTLY')
  }
  // A tree alone has no more leaves than there are categories.
  expect(
    await costIn('{ category(id: 1) { name children { nodes { name children { nodes { name } } } } } }'),
  ).toBeLessThan(2500)
})

test('a query that costs too much is also rejected for Accept: application/json and by GET', async () => {
  const query = '{ events(first: 50) { nodes { venues { events(first: 50) { nodes { title } } } } } }'
  const headers = { accept: 'application/json' }
  expect((await app.graphql(query, {}, '', headers)).status).toBe(400)
  expect((await app.get(`/graphql?query=${encodeURIComponent(query)}`, { headers })).status).toBe(400)
})

test('QUERY_COST_MAX sets the cost limit', async () => {
  const strict = await serve(app, { QUERY_COST_MAX: '20' })
  expect((await strict.graphql('{ events { totalCount } }')).body.errors[0].extensions.limit).toBe(20)
  expect((await strict.graphql('{ __typename }')).status).toBe(200)
})

test('the cost of a mutation depends on its input', async () => {
  const editor = await app.signIn('editor')
  const query = `mutation ($input: CreateTagInput!) { createTag(input: $input) { userErrors { code } } }`
  const translations = Array.from({ length: 600 }, () => ({ language: 'FR', name: 'x' }))
  const { status, body } = await editor.graphql(query, { input: { name: 'x', translations } })
  expect([status, body.errors[0].extensions.code]).toEqual([400, 'QUERY_TOO_COSTLY'])
})

test('the events of fifty venues with their totals are below the limit', async () => {
  const query = `{ venues(first: 50) { nodes { id name events(first: 5, filter: { when: UPCOMING }) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id databaseId title url startsAt endsAt startsLocal timeZone } } } } }`
  expect(await costIn(query)).toBeLessThan(5000)
})

test('a list of a hundred events with their links is below the limit', async () => {
  const query = `{ events(first: 100, filter: { when: UPCOMING, search: "jazz" }) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes {
      id databaseId title excerptHtml descriptionHtml url status startsAt endsAt startsLocal timeZone allDay featured
      cost { text } image { url sizes { name url width height } } venues { name city url } organizers { name url }
      categories { name slug url } tags { name slug url } } } }`
  expect(await costIn(query)).toBeLessThan(5000)
})

describe('the cost is far below the limit for', () => {
  const schema = createSchema(['en', 'fr', 'es'])
  const cost = (text: string, variableValues: object = {}) =>
    computeOperationCost(schema, { document: parse(text), variableValues: { ...variableValues } }, app.settings) as
      | OperationCost
      | undefined

  // GraphiQL's own kind of JSON, with comments.
  const read = (variables = '{}') => Function(`return ${variables}`)() as object
  test('the examples of GraphiQL', () => {
    for (const { query, variables } of exampleTabs('en', ['en', 'fr', 'es'], now)) {
      expect(cost(query, read(variables))?.total, query).toBeLessThan(2500)
    }
  })
  test('the examples of the documentation', () => {
    for (const [name, text] of Object.entries(examples.operations)) {
      const variables = { perPage: 50 }
      const total = cost(text, variables)?.total ?? 0
      expect(total, name).toBeLessThan(5000)
    }
  })
  test('introspection queries of tools', () => {
    for (const text of [getIntrospectionQuery(), getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true })]) {
      expect(print(parse(text)).length).toBeGreaterThan(0)
      expect(cost(text)?.total).toBeLessThan(2500)
      expect(cost(text)?.total).toBeGreaterThan(100)
    }
  })
})
