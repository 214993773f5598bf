// The number of SQL statements for a list does not depend on its length, in both APIs.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  const music = await makeCategory(app.db, { en: 'Music', fr: 'Musique' })
  await makeCategory(app.db, 'Blues', await makeCategory(app.db, 'Black music', music))
  for (let n = 0; n < 20; n++) {
    const suffix = String(n)
    const imageId = await makeImage(app.db)
    await makeEvent(
      app.db,
      { en: { name: `Concert ${suffix}`, description: 'Loud' }, fr: `Concert fr ${suffix}` },
      {
        venueIds: [await makeVenue(app.db, { en: `Hall ${suffix}`, es: `Sala ${suffix}` }, { imageId })],
        organizerIds: [await makeOrganizer(app.db, `Club ${suffix}`, { imageId })],
        categoryIds: [music, await makeCategory(app.db, `Genre ${suffix}`, music)],
        tagIds: [await makeTag(app.db, { en: `tag ${suffix}`, fr: `mot ${suffix}` })],
        imageId,
        tickets: { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] },
      },
    )
  }
})
afterAll(() => app?.close())

const words = 'translations { language name description slug }'
const fields = `
  title description url ${words} image { url sizes { url } } author { name } tickets { name }
  venues { name city url image { url } ${words} }
  organizers { name email url ${words} }
  categories { name url count ${words} parent { name } }
  tags { name url count ${words} }`

const pageQuery = `query ($size: Int!) { list: eventsPage(perPage: $size) { total items { ${fields} } } }`
const connectionQuery = `query ($size: Int!) { list: events(first: $size) { totalCount nodes { ${fields} } } }`
const plainQuery =
  'query ($size: Int!) { list: events(first: $size) { nodes { title venues { name } tags { name } } } }'

/** Statements of one request, and how many items it returned. */
async function count(ask: () => Promise<number>): Promise<{ statements: number; items: number }> {
  app.statements.length = 0
  const items = await ask()
  return { statements: app.statements.length, items }
}

const graph = (query: string) => async (size: number) => {
  const { body } = await app.graphql(query, { size })
  expect(body.errors).toBeUndefined()
  return (body.data.list.items ?? body.data.list.nodes).length
}

const rest = (path: string, key: string) => async (size: number) => {
  const { body } = await app.get(`/cal/events/v1${path}?per_page=${size}`)
  return body[key].length
}

const list = (kind: string, selection: string) =>
  graph(`query ($size: Int!) { list: ${kind}(first: $size) { nodes { ${selection} ${words} } } }`)

describe.each<[string, number, (size: number) => Promise<number>]>([
  // The IDs, and the records.
  ['events with a few links', 2, graph(plainQuery)],
  // The IDs with the total, the records, and the translations of five kinds.
  ['a page of events with everything', 7, graph(pageQuery)],
  ['a connection of events with everything', 7, graph(connectionQuery)],
  // The IDs, the records, their translations, and two for each connection: again the IDs, and the records.
  ['venues with their events', 5, list('venues', 'name events { nodes { title } }')],
  ['organizers with their events', 5, list('organizers', 'name events { nodes { title } }')],
  [
    'categories with children and events',
    7,
    list('categories', 'name children { nodes { name } } events { nodes { title } }'),
  ],
  ['tags with counts and events', 5, list('tags', 'name count events { nodes { title } }')],
  // The venues, their translations, two for a connection with a total, and one for a total alone.
  ['events with totals', 4, list('venues', 'events(first: 5) { totalCount nodes { title tags { name } } }')],
  ['totals of events', 3, list('venues', 'events { totalCount }')],
  ['cursors of events', 4, list('venues', 'events(last: 2) { pageInfo { startCursor } edges { cursor } }')],
  [
    'events of events',
    5,
    list('venues', 'events(first: 2) { nodes { title children(first: 1) { nodes { title } } } }'),
  ],
  [
    'events with directives',
    4,
    list('venues', 'events(first: 2) { nodes { title slug @include(if: true) tags @skip(if: false) { name } } }'),
  ],
  ['events with their JSON-LD', 4, list('venues', 'events(first: 1) { nodes { jsonLd } }')],
  [
    'events with the distance of their venues',
    4,
    list('venues', 'events(first: 2) { nodes { distance(from: { latitude: 1, longitude: 2 }) venues { name city } } }'),
  ],
  // The images, three connections of two statements each with a total, and whether there are series.
  [
    'images with their uses',
    8,
    graph(`query ($size: Int!) { list: images(first: $size) { nodes {
      events(first: 3, filter: { occurrences: NEXT }) { totalCount nodes { title } }
      venues(first: 3) { totalCount nodes { name } } organizers(first: 3) { totalCount nodes { name } } } } }`),
  ],
  // The filter is resolved once: one statement looks up the category.
  ['filtered events', 5, list('venues', 'events(filter: { categories: ["music"] }) { nodes { title } }')],
  // The names of the page, the records, and the total.
  ['events by title', 5, list('venues', 'events(orderBy: { field: TITLE }) { totalCount nodes { slug } }')],
  // The forms of the word, the events with it in text and title, the locked ones, whether any matches, the IDs by relevance,
  // the records, and the total.
  [
    'events by relevance',
    9,
    list(
      'venues',
      'events(first: 1, filter: { search: "loud" }, orderBy: { field: RELEVANCE }) { totalCount nodes { slug } }',
    ),
  ],
  ['the legacy list of events', 2, rest('/events', 'events')],
  ['the legacy list of venues', 2, rest('/venues', 'venues')],
  ['the legacy list of organizers', 2, rest('/organizers', 'organizers')],
  // The keys by name, the records, and the total.
  ['the legacy list of categories', 3, rest('/categories', 'categories')],
  ['the legacy list of tags', 3, rest('/tags', 'tags')],
])('%s', (_, statements, ask) => {
  test.each([5, 20])('of %i', async (size) => {
    expect(await count(() => ask(size))).toEqual({ statements, items: size })
  })
})

test.each([2, 60])('a calendar of %i days takes one statement for its counts, and one for its events', async (days) => {
  const to = new Date(Date.UTC(2026, 10, 30 + days)).toISOString().slice(0, 10)
  const calendar = async (selection: string) => {
    const { body } = await app.graphql(`{ eventCalendar(from: "2026-12-01", to: "${to}") { days { ${selection} } } }`)
    expect(body.errors).toBeUndefined()
    return body.data.eventCalendar.days.length
  }
  expect(await count(() => calendar('totalCount'))).toEqual({ statements: 1, items: days })
  const events = 'totalCount events(first: 7) { title venues { name } }'
  expect(await count(() => calendar(events))).toEqual({ statements: 2, items: days })
  // Each list of events with its own selection takes a statement.
  expect(await count(() => calendar(`${events} one: events(first: 1) { title }`))).toEqual({
    statements: 3,
    items: days,
  })
})

test('authentication takes one more statement, without Prisma’s engine', async () => {
  const { get } = await app.signIn('editor')
  await get('/cal/events/v1/events')
  // The time of use is written after the response, once a minute.
  await expect.poll(() => app.db.credential.count({ where: { lastUsedAt: null } })).toBe(0)
  app.statements.length = 0
  await get('/cal/events/v1/events')
  expect(app.statements).toHaveLength(3)
  expect(app.statements.filter((sql) => sql.includes('"public".'))).toEqual([])
})

test('a node is read with its selection in one statement', async () => {
  const { body } = await app.graphql('{ events(first: 1) { nodes { id } } }')
  const [{ id }] = body.data.events.nodes
  const query = 'query ($id: ID!) { node(id: $id) { ... on Event { title venues { name } tags { name } } } }'
  app.statements.length = 0
  expect((await app.graphql(query, { id })).body.data.node.venues).toHaveLength(1)
  expect(app.statements).toHaveLength(1)
})

test('the number of statements of nodes depends on the kinds, not on the number of IDs', async () => {
  const { body } = await app.graphql('{ events(first: 20) { nodes { id image { id } } } }')
  const found: { id: string; image: { id: string } }[] = body.data.events.nodes
  const missing = found.map((_, index) => btoa(`${index % 2 ? 'Event' : 'Tag'}:${900_000 + index}`))
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    ... on Event { title venues { name } tags { name } } ... on Image { url }
  } }`
  const read = async (ids: readonly string[]) => {
    app.statements.length = 0
    const { data, errors = [] } = (await app.graphql(query, { ids })).body
    const isNull = data.nodes.map((node: unknown) => node === null)
    expect(isNull).toEqual(ids.map((id) => missing.includes(id)))
    expect(errors.map(({ path }: { path: unknown }) => path)).toEqual(
      ids.flatMap((id, index) => (missing.includes(id) ? [['nodes', index]] : [])),
    )
    return app.statements.length
  }
  const idsOf = (size: number) => found.slice(0, size).flatMap(({ id, image }) => [id, image.id])
  // Events take a statement that finds them and one that reads them; images have no relations and take one.
  expect([await read(idsOf(2)), await read([...idsOf(20), ...idsOf(20)])]).toEqual([3, 3])
  // Whether tags were merged takes one statement, why events are missing one, and so does why tags are.
  expect(await read([...idsOf(20), ...missing])).toBe(7)
})

test('lists with long texts need no more statements for the lists of their records', async () => {
  const description = 'long text '.repeat(2000)
  const venueIds: number[] = []
  for (let n = 0; n < 12; n++) venueIds.push(await makeVenue(app.db, { en: { name: `Long ${n}`, description } }))
  const id = await makeEvent(app.db, 'Everywhere', { venueIds })
  onTestFinished(async () => {
    await app.db.event.delete({ where: { id } })
    await app.db.venue.deleteMany({ where: { id: { in: venueIds } } })
  })
  app.statements.length = 0
  const { body } = await app.graphql(
    `{ venues(filter: { include: [${venueIds}] }, first: 12) { nodes { description events { totalCount nodes { title } } } } }`,
  )
  expect(body.data.venues.nodes).toHaveLength(12)
  for (const { events } of body.data.venues.nodes) {
    expect(events).toEqual({ totalCount: 1, nodes: [{ title: 'Everywhere' }] })
  }
  // Whether a venue of the filter was merged, the IDs, the records, the IDs of events with totals, and the events.
  expect(app.statements).toHaveLength(5)
})

test('a total is counted only when it is selected', async () => {
  const counting = () => app.statements.filter((sql) => sql.includes('count(*)')).length
  for (const [query, counts] of [
    ['{ events { nodes { title } } }', 0],
    ['{ events { totalCount nodes { title } } }', 1],
    ['{ eventsPage { page perPage items { title } } }', 0],
    ['{ eventsPage { total totalPages items { title } } }', 1],
  ] as const) {
    app.statements.length = 0
    await app.graphql(query)
    expect(counting(), query).toBe(counts)
  }
})

test('items are read only when they are selected', async () => {
  app.statements.length = 0
  await app.graphql('{ eventsPage { total totalPages } }')
  expect(app.statements).toHaveLength(1)
})

const statementsOf = async (query: string) => {
  app.statements.length = 0
  const { body } = await app.graphql(query)
  expect(body.errors).toBeUndefined()
  return [...app.statements]
}

test('the languages of texts take no statement of their own', async () => {
  const list = (fields: string) => `{ events(first: 3) { nodes { title ${fields} venues { name ${fields} } } } }`
  const languages = await statementsOf(list('contentLanguage languages { description excerpt }'))
  expect(languages).toHaveLength((await statementsOf(list('url'))).length)
})

test('translations with different fields of the records of a kind are read by one statement', async () => {
  const list = (fields: string) => `{ events(first: 5) { nodes { title ${fields} } } }`
  const { length } = await statementsOf(list(''))
  const one = 'fr: translation(language: FR) { description } es: translation(language: ES) { url }'
  const all = `translations { name } ${one}`
  expect(await statementsOf(list(all))).toHaveLength(length + 1)
  expect(await statementsOf(list(`... on Translatable { ${all} }`))).toHaveLength(length + 1)
  expect(await statementsOf(list(`${all} categories { name ${all} }`))).toHaveLength(length + 2)
})

test('long texts of translations are read only of the kinds that select them', async () => {
  const query = '{ events(first: 1) { nodes { translations { name } venues { name translations { description } } } } }'
  const statements = await statementsOf(query)
  const reads = (table: string) => statements.filter((sql) => sql.includes(`FROM "${table}"`)).join()
  expect(reads('venue_text')).toContain('description')
  expect(reads('event_text')).not.toMatch(/description|excerpt/)
})

test.each(['START', 'TITLE'])(
  'the record after the page of a connection by %s is counted, but not read',
  async (order) => {
    const ids = [
      await makeEvent(app.db, 'First', { start: '2028-01-01T10:00:00' }),
      await makeEvent(
        app.db,
        { en: { name: 'Second', description: 'x'.repeat(10_000) } },
        { start: '2028-01-02T10:00:00' },
      ),
    ]
    onTestFinished(async () => {
      await app.db.event.deleteMany({ where: { id: { in: ids } } })
    })
    const query = `query ($first: Int!) {
    events(first: $first, filter: { startsAt: { gte: "2028-01-01T00:00:00Z" } }, orderBy: { field: ${order} }) {
      nodes { databaseId description }
      pageInfo { hasNextPage }
    }
  }`
    const read = async (first: number) => {
      app.statements.length = 0
      const { body } = await app.graphql(query, { first })
      const { nodes, pageInfo } = body.data.events
      const found = nodes.map((node: { databaseId: number }) => node.databaseId)
      return { found, hasNextPage: pageInfo.hasNextPage, statements: app.statements.length }
    }
    expect(await read(1)).toEqual({ found: ids.slice(0, 1), hasNextPage: true, statements: 2 })
    expect(await read(2)).toEqual({ found: ids, hasNextPage: false, statements: 2 })
  },
)
