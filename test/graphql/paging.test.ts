import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ PER_PAGE_DEFAULT: '4' })
})
afterAll(() => app?.close())

const orders = ['START', 'START_LOCAL', 'PUBLICATION'] as const
const directions = ['ASC', 'DESC'] as const

interface Page {
  readonly ids: number[]
  readonly start: string | null
  readonly end: string | null
  readonly more: boolean
}

/** A page of the list; `range` as in `first: 2, after: "…"`. */
async function page(range: string, order: string): Promise<Page> {
  const { body } = await app.graphql(`{ events(${range}, orderBy: ${order}) {
    nodes { databaseId }
    edges { cursor node { databaseId } }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
  } }`)
  expect(body.errors).toBeUndefined()
  const { nodes, edges, pageInfo } = body.data.events
  const ids = nodes.map((node: { databaseId: number }) => node.databaseId)
  expect(edges.map((edge: { node: { databaseId: number } }) => edge.node.databaseId)).toEqual(ids)
  expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null])
  const more = range.startsWith('first') ? pageInfo.hasNextPage : pageInfo.hasPreviousPage
  return { ids, start: pageInfo.startCursor, end: pageInfo.endCursor, more }
}

async function byPage(order: string, perPage = 5): Promise<number[]> {
  const ids: number[] = []
  for (let number = 1, last = 1; number <= last; number++) {
    const { body } = await app.graphql(
      `{ eventsPage(page: ${number}, perPage: ${perPage}, orderBy: ${order}) { totalPages items { databaseId } } }`,
    )
    last = body.data.eventsPage.totalPages
    ids.push(...body.data.eventsPage.items.map((item: { databaseId: number }) => item.databaseId))
  }
  return ids
}

/** Pages until the end; `between` runs after each page. */
async function walk(size: number, forward: boolean, order: string, between = async (_page: Page) => {}) {
  const ids: number[] = []
  let cursor: string | null = null
  for (let more = true; more; ) {
    const [count, beyond] = forward ? ['first', 'after'] : ['last', 'before']
    const shown = await page(`${count}: ${size}${cursor ? `, ${beyond}: "${cursor}"` : ''}`, order)
    ids.splice(forward ? ids.length : 0, 0, ...shown.ids)
    more = shown.more
    cursor = forward ? shown.end : shown.start
    await between(shown)
  }
  return ids
}

// Few values, so that ties are common; different zones, so that wall clock and instant disagree.
const generatedEvent = fc.record({
  hour: fc.integer({ min: 10, max: 12 }),
  timeZone: fc.constantFrom('Europe/Paris', 'America/New_York'),
  published: fc.integer({ min: 1, max: 3 }),
  listed: fc.boolean().map((flag) => flag || undefined),
})
type Generated = typeof generatedEvent extends fc.Arbitrary<infer T> ? T : never

async function fill(events: readonly Generated[]): Promise<number[]> {
  await truncate(app.db)
  const listed: number[] = []
  for (const { hour, timeZone, published, listed: isListed } of events) {
    const publishedAt = new Date(Date.UTC(2026, 0, published))
    const hideFromListings = !isListed
    const id = await makeEvent(app.db, 'Event', {
      start: `2026-12-01T${hour}:00:00`,
      timeZone,
      publishedAt,
      hideFromListings,
    })
    if (isListed) listed.push(id)
  }
  return listed
}

const scenario = fc.record({
  events: fc.array(generatedEvent, { maxLength: 14 }),
  size: fc.integer({ min: 1, max: 7 }),
  field: fc.constantFrom(...orders),
  direction: fc.constantFrom(...directions),
})
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never
const few = { numRuns: runs(12) }
const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)
const orderOf = ({ field, direction }: Scenario) => `{ field: ${field}, direction: ${direction} }`

describe('walking by cursors', () => {
  test('visits each listed event once, both ways, in the order of the numbered pages', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (sample) => {
        const listed = await fill(sample.events)
        const order = orderOf(sample)
        const forward = await walk(sample.size, true, order)
        expect(ascending(forward)).toEqual(listed)
        expect(await walk(sample.size, false, order)).toEqual(forward)
        expect(await byPage(order)).toEqual(forward)
      }),
      few,
    )
  })

  test.each([
    ['forward', true],
    ['backward', false],
  ])('%s, goes on where it was though the row of the cursor is gone', async (_, forward) => {
    await fc.assert(
      fc.asyncProperty(scenario, async (sample) => {
        await fill(sample.events)
        const order = orderOf(sample)
        const all = await walk(7, true, order)
        const visited = await walk(sample.size, forward, order, async ({ ids }) => {
          const edge = forward ? ids.at(-1) : ids[0]
          if (edge !== undefined) await app.db.event.delete({ where: { id: edge } })
        })
        expect(visited).toEqual(all)
      }),
      few,
    )
  })

  test('returns descending order as the reverse of ascending order', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (sample) => {
        await fill(sample.events)
        const [up, down] = directions.map((direction) => walk(sample.size, true, orderOf({ ...sample, direction })))
        expect((await down)?.reverse()).toEqual(await up)
      }),
      few,
    )
  })
})

describe('the size of a page', () => {
  beforeEach(async () => {
    await truncate(app.db)
    for (let n = 0; n < 9; n++) await makeEvent(app.db, `Event ${n}`)
  })

  test.each([
    ['', 4],
    ['(first: 3)', 3],
    ['(last: 3)', 3],
    ['(first: 0)', 0],
    ['(first: 7)', 7],
    ['(first: 100)', 9],
    ['(last: 100)', 9],
  ])('of events%s is %i', async (range, size) => {
    const { body } = await app.graphql(`{ events${range} { nodes { databaseId } totalCount } }`)
    expect(body.data.events.nodes).toHaveLength(size)
    expect(body.data.events.totalCount).toBe(9)
  })

  test.each([
    ['', { page: 1, perPage: 4, total: 9, totalPages: 3, items: 4 }],
    ['(page: 3)', { page: 3, perPage: 4, total: 9, totalPages: 3, items: 1 }],
    ['(page: 4)', { page: 4, perPage: 4, total: 9, totalPages: 3, items: 0 }],
    ['(perPage: 100)', { page: 1, perPage: 100, total: 9, totalPages: 1, items: 9 }],
    ['(page: 2147483647, perPage: 7)', { page: 2147483647, perPage: 7, total: 9, totalPages: 2, items: 0 }],
  ])('of eventsPage%s', async (args, expected) => {
    // Records with texts are read by a statement of their own.
    for (const selection of ['databaseId', 'title']) {
      const { body } = await app.graphql(
        `{ eventsPage${args} { page perPage total totalPages items { ${selection} } } }`,
      )
      const { items, ...rest } = body.data.eventsPage
      expect({ ...rest, items: items.length }).toEqual(expected)
    }
  })
})

describe('a page size above the maximum', () => {
  const errorOf = async (site: Pick<TestApp, 'graphql'>, field: string) =>
    (await site.graphql(`{ ${field} }`)).body.errors?.[0].extensions

  test.each([
    ['first', 101, 'events(first: 101) { nodes { databaseId } }'],
    ['first', 2147483647, 'users(first: 2147483647) { nodes { databaseId } }'],
    ['last', 101, 'tags(last: 101) { nodes { databaseId } }'],
    ['perPage', 101, 'eventsPage(perPage: 101) { items { databaseId } }'],
  ])('%s: %i is an error that says the limit', async (argument, _, field) => {
    const administrator = await app.signIn('administrator')
    const min = argument === 'perPage' ? 1 : 0
    expect(await errorOf(administrator, field)).toMatchObject({
      code: 'BAD_INPUT',
      fields: { [argument]: `${argument} must be from ${min} to 100.` },
    })
  })

  test('is an error in relations, too', async () => {
    const id = await makeCategory(app.db, 'Music')
    expect(await errorOf(app, `category(id: ${id}) { events(first: 101) { nodes { title } } }`)).toMatchObject({
      fields: { first: 'first must be from 0 to 100.' },
    })
  })

  test('is allowed up to PER_PAGE_MAX on a site that allows REST more', async () => {
    const generous = await serve(app, { PER_PAGE_MAX: '200' })
    expect(await errorOf(generous, 'events(first: 200) { totalCount }')).toBeUndefined()
    expect(await errorOf(generous, 'events(first: 201) { totalCount }')).toMatchObject({
      fields: { first: 'first must be from 0 to 200.' },
    })
  })
})

test('the limit of REST does not apply to GraphQL', async () => {
  const strict = await serve(app, { PER_PAGE_DEFAULT: '1', PER_PAGE_MAX: '2' })
  for (let n = 0; n < 4; n++) await makeVenue(app.db, `Hall ${n}`)
  const { body } = await strict.graphql('{ venues(first: 4) { nodes { name } } }')
  expect(body.data.venues.nodes).toHaveLength(4)
  expect((await strict.get('/cal/events/v1/venues?per_page=4')).body.venues).toHaveLength(2)
})

describe.each([
  ['categories', makeCategory],
  ['tags', makeTag],
] as const)('%s, whose names tie', (kind, make) => {
  test('terms are paged by name without gaps', async () => {
    await truncate(app.db)
    const ids = []
    for (const name of ['b', 'a', 'a', 'C', 'á', 'A', 'a']) ids.push(await make(app.db, name))
    const names: string[] = []
    for (let after = ''; ; ) {
      const { body } = await app.graphql(
        `{ ${kind}(first: 2${after}) { nodes { databaseId name } pageInfo { endCursor hasNextPage } } }`,
      )
      const { nodes, pageInfo } = body.data[kind]
      names.push(...nodes.map((node: { databaseId: number; name: string }) => `${node.name}${node.databaseId}`))
      if (!pageInfo.hasNextPage) break
      after = `, after: "${pageInfo.endCursor}"`
    }
    expect(names).toEqual(['a2', 'a3', 'a7', 'A6', 'á5', 'b1', 'C4'])
  })
})
