// Cursors of orders by a computed value, such as relevance, distance and counts, and by description.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'

let app: TestApp
let hall: number
const termIds: Record<'categories' | 'tags', number[]> = { categories: [], tags: [] }

const texts = ['jazz', 'jazz jazz', 'jazz and more', 'a long text about jazz, and about wine and cheese', 'jazz']

beforeAll(async () => {
  app = await openTestApp(compared)
  const { db } = app
  const venues: number[] = []
  for (let n = 0; n < 13; n++) {
    const name = `Jazz ${n % 4}`
    const description = texts[n % texts.length] as string
    const at = { latitude: 48.85 + (n % 5) / 1000, longitude: 2.35 + (n % 3) / 700 }
    const publishedAt = new Date(Date.UTC(2026, 0, 1 + (n % 3)))
    venues.push(await makeVenue(db, { en: { name, description } }, { ...at, publishedAt }))
    await makeOrganizer(db, { en: { name, description } }, { publishedAt })
    const parent = termIds.categories[n % 4 === 0 ? -1 : n % 3]
    termIds.categories.push(await makeCategory(db, { en: { name, description } }, parent))
    termIds.tags.push(await makeTag(db, { en: { name, description } }))
  }
  hall = venues[0] as number
  for (let n = 0; n < 17; n++) {
    await makeEvent(
      db,
      { en: { name: `Jazz ${n % 2}`, description: texts[n % texts.length] as string } },
      {
        ...{ start: `2026-12-0${1 + (n % 3)}T10:00:00`, publishedAt: new Date(Date.UTC(2026, 0, 1 + (n % 2))) },
        venueIds: n % 3 ? [hall, venues[n % 7] as number].slice(0, n % 7 === 0 ? 1 : 2) : [venues[n % 5] as number],
        categoryIds: termIds.categories.filter((_, index) => index % 4 === n % 4),
        tagIds: termIds.tags.filter((_, index) => index % 5 <= n % 3),
      },
    )
  }
})
afterAll(() => app?.close())

interface Node {
  readonly databaseId: number
}

interface List {
  readonly name: string
  /** Arguments of the list, without those of the page. */
  readonly args: string
  /** Wraps the field, if it is not one of Query. */
  readonly within?: () => string
}

type Range = Readonly<Partial<Record<'first' | 'last' | 'perPage', number> & Record<'after' | 'before', string>>>

const read = async (list: List, range: Range, selection: string, field = list.name) => {
  const names = Object.keys(range)
  const declared = names.map((name) => `$${name}: ${name === 'after' || name === 'before' ? 'String' : 'Int'}`).join()
  const inner = `list: ${field}(${names.map((name) => `${name}: $${name}`).join()}, ${list.args}) { ${selection} }`
  const outer = list.within?.()
  const { body } = await app.graphql(`query(${declared}) { ${outer ? `outer: ${outer} { ${inner} }` : inner} }`, range)
  expect(body.errors).toBeUndefined()
  return outer ? body.data.outer.list : body.data.list
}

const idsOf = (nodes: readonly Node[]) => nodes.map(({ databaseId }) => databaseId)

/** The IDs of all pages, in the order of the list. */
async function walk(list: List, sizes: readonly number[], isForward: boolean): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | undefined, page = 0; ; page++) {
    const size = sizes[page % sizes.length] as number
    const range: Range = isForward
      ? { first: size, ...(cursor !== undefined && { after: cursor }) }
      : { last: size, ...(cursor !== undefined && { before: cursor }) }
    const { nodes, pageInfo, totalCount } = await read(
      list,
      range,
      'totalCount nodes { databaseId } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }',
    )
    ids.splice(isForward ? ids.length : 0, 0, ...idsOf(nodes))
    if (!(isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) {
      expect(totalCount).toBe(ids.length)
      return ids
    }
    cursor = isForward ? pageInfo.endCursor : pageInfo.startCursor
  }
}

const jazz = 'filter: { search: "jazz" }'
const near = 'near: { center: { latitude: 48.8512, longitude: 2.3507 }, radius: 100 }'
const include = (kind: 'categories' | 'tags') => () => [...termIds[kind]].reverse()

const orders: [name: string, field: string, filter: string | (() => number[])][] = [
  ['events', 'RELEVANCE', jazz],
  ['events', 'DISTANCE', `filter: { ${near} }`],
  ['venues', 'RELEVANCE', jazz],
  ['venues', 'DISTANCE', `filter: { ${near} }`],
  ['organizers', 'RELEVANCE', jazz],
  ['categories', 'RELEVANCE', jazz],
  ['categories', 'COUNT', 'filter: {}'],
  ['categories', 'DESCRIPTION', 'filter: {}'],
  ['categories', 'PARENT', 'filter: {}'],
  ['categories', 'INCLUDE', include('categories')],
  ['tags', 'RELEVANCE', jazz],
  ['tags', 'COUNT', 'filter: {}'],
  ['tags', 'DESCRIPTION', 'filter: {}'],
  ['tags', 'INCLUDE', include('tags')],
]

describe.each(orders)('%s by %s', (name, field, filter) => {
  const listIn = (direction: string): List => {
    const selected = typeof filter === 'string' ? filter : `filter: { include: [${filter().join(' ')}] }`
    return { name, args: `${selected}, orderBy: { field: ${field}, direction: ${direction} }` }
  }

  test.each(['ASC', 'DESC'])(
    '%s: pages of any sizes visit each record once, in the order of the numbered page',
    async (direction) => {
      const list = listIn(direction)
      const { items } = await read(list, { perPage: 100 }, 'items { databaseId }', `${name}Page`)
      expect(items.length).toBeGreaterThan(9)
      const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(sizes, fc.boolean(), async (each, isForward) => {
          expect(await walk(list, each, isForward)).toEqual(idsOf(items))
        }),
        { numRuns: runs(6) },
      )
    },
  )

  test('a page between two cursors', async () => {
    const list = listIn('ASC')
    const { edges } = await read(list, { first: 8 }, 'edges { cursor node { databaseId } }')
    const range = { first: 9, after: edges[1].cursor, before: edges[6].cursor }
    const between = await read(list, range, 'nodes { databaseId } pageInfo { hasPreviousPage }')
    expect(idsOf(between.nodes)).toEqual(idsOf(edges.slice(2, 6).map(({ node }: { node: Node }) => node)))
  })

  test('a cursor of the other direction is refused', async () => {
    const { pageInfo } = await read(listIn('ASC'), { first: 1 }, 'pageInfo { endCursor }')
    const { args } = listIn('DESC')
    const { body } = await app.graphql(`{ ${name}(after: "${pageInfo.endCursor}", ${args}) { nodes { databaseId } } }`)
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', fields: { after: expect.any(String) } })
  })
})

test.each([
  ['another search text', 'filter: { search: "jazz wine" }, orderBy: { field: RELEVANCE }'],
  ['the order by start', 'filter: { search: "jazz" }, orderBy: { field: START }'],
  ['the distance', `filter: { search: "jazz", ${near} }, orderBy: { field: DISTANCE }`],
])('a cursor of one search is refused for %s', async (_, args) => {
  const own = `${jazz}, orderBy: { field: RELEVANCE }`
  const cursor = (await read({ name: 'events', args: own }, { first: 2 }, 'pageInfo { endCursor }')).pageInfo.endCursor
  const { body } = await app.graphql(`{ events(first: 2, after: "${cursor}", ${args}) { nodes { databaseId } } }`)
  expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', fields: { after: expect.any(String) } })
})

test.each(['categories', 'tags'] as const)('a cursor in the order of some %s is refused for others', async (name) => {
  const listOf = (ids: readonly number[]): List => ({
    name,
    args: `filter: { include: [${ids.join(' ')}] }, orderBy: { field: INCLUDE }`,
  })
  const [own, other] = [termIds[name], [...termIds[name]].reverse()]
  const { endCursor } = (await read(listOf(own), { first: 2 }, 'pageInfo { endCursor }')).pageInfo
  const { body } = await app.graphql(
    `{ ${name}(after: "${endCursor}", ${listOf(other).args}) { nodes { databaseId } } }`,
  )
  expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', fields: { after: expect.any(String) } })
})

test('a page goes on after an event that was deleted', async () => {
  const list: List = { name: 'events', args: `${jazz}, orderBy: { field: RELEVANCE }` }
  const id = await makeEvent(app.db, { en: { name: 'Jazz 0', description: 'jazz' } }, { start: '2026-12-02T10:00:00' })
  const all = await walk(list, [100], true)
  const before = all.indexOf(id)
  const { pageInfo } = await read(list, { first: before + 1 }, 'pageInfo { endCursor }')
  await app.db.event.delete({ where: { id } })
  const { nodes } = await read(list, { first: 100, after: pageInfo.endCursor }, 'nodes { databaseId }')
  expect(idsOf(nodes)).toEqual(all.slice(before + 1))
})

test('a cursor by description is an error after its tag is deleted', async () => {
  const list: List = { name: 'tags', args: 'orderBy: { field: DESCRIPTION }' }
  const id = await makeTag(app.db, { en: { name: 'Last', description: 'zzz' } })
  const { nodes, pageInfo } = await read(list, { last: 1 }, 'nodes { databaseId } pageInfo { startCursor }')
  expect(idsOf(nodes)).toEqual([id])
  await app.db.tag.delete({ where: { id } })
  const { body } = await app.graphql(
    `{ tags(last: 2, before: "${pageInfo.startCursor}", ${list.args}) { nodes { id } } }`,
  )
  expect(body.errors[0].extensions).toMatchObject({
    code: 'BAD_INPUT',
    fields: { before: 'The tag of this cursor no longer exists.' },
  })
})

describe('the events of one venue and of several', () => {
  const orderBy = [
    ...['START', 'START_LOCAL', 'END', 'PUBLICATION', 'TITLE'].map((field) => [field, '{}'] as const),
    ['RELEVANCE', '{ search: "jazz" }'] as const,
    ['DISTANCE', `{ ${near} }`] as const,
  ]

  test.each(orderBy)('by %s are those of the filter by venue, in pages of any sizes', async (field, filter) => {
    const order = `orderBy: { field: ${field}, direction: DESC }`
    const ofFilter = `filter: ${filter.replace('{', `{ venues: [${hall}], `)}, ${order}`
    const { items } = await read({ name: 'eventsPage', args: ofFilter }, { perPage: 100 }, 'items { databaseId }')
    const list = { name: 'events', args: `filter: ${filter}, ${order}`, within: () => `venue(id: ${hall})` }
    expect(items.length).toBeGreaterThan(5)
    expect(await walk(list, [2, 3], true)).toEqual(idsOf(items))
    expect(await walk(list, [4, 1], false)).toEqual(idsOf(items))
    // The same page in a list of venues.
    const { edges } = await read(list, { first: 3 }, 'edges { cursor }')
    const range = `first: 2, after: "${edges[2].cursor}"`
    const { body } = await app.graphql(
      `{ venues(first: 20) { nodes { databaseId events(${range}, ${list.args}) { totalCount nodes { databaseId } } } } }`,
    )
    const venue = body.data.venues.nodes.find((each: Node) => each.databaseId === hall)
    expect(venue.events).toEqual({ totalCount: items.length, nodes: items.slice(3, 5) })
  })
})
