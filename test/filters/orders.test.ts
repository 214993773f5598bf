// Every order that has cursors: what comes after what, both directions, while rows come and go.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp(compared)
})
afterAll(() => app.close())

/** The sort values of a row; `n` is unique, the others often tie. */
interface Row {
  readonly n: number
  readonly word: string
  readonly day: number
}

const words = ['bird', 'Ant', 'cow', 'ant', 'Éland', 'emu', 'ZEBRA', 'cow', 'bird']
const row = (n: number): Row => ({ n, word: words[n % words.length] as string, day: (n * 7) % 5 })
const two = (number: number) => String(number).padStart(2, '0')
const published = ({ day }: Row) => ({ publishedAt: new Date(`2026-01-0${day + 1}T00:00:00Z`) })
const slug = ({ n }: Row) => `s${(n * 37) % 101}`
const texts = (each: Row) => ({ en: { name: each.word, slug: slug(each) } })

const makers: Record<string, (each: Row) => Promise<number>> = {
  // Local times are in the opposite order of instants: the later the local time, the further east.
  events: (each) =>
    makeEvent(app.db, texts(each), {
      ...{ start: `2026-12-01T${two(each.day * 4)}:00:00`, end: `2026-12-02T${two(23 - ((each.n * 5) % 20))}:00:00` },
      ...{ timeZone: `Etc/GMT-${(each.day * 13) % 14}`, ...published(each) },
    }),
  venues: (each) => makeVenue(app.db, texts(each), published(each)),
  organizers: (each) => makeOrganizer(app.db, texts(each), published(each)),
  categories: (each) => makeCategory(app.db, texts(each)),
  tags: (each) => makeTag(app.db, texts(each)),
}

const orders: [list: string, fields: string[]][] = [
  ['events', ['START', 'START_LOCAL', 'END', 'PUBLICATION', 'MODIFIED', 'TITLE']],
  ['venues', ['NAME', 'PUBLICATION']],
  ['organizers', ['NAME', 'PUBLICATION']],
  ['categories', ['NAME', 'NUMBER', 'SLUG']],
  ['tags', ['NAME', 'NUMBER', 'SLUG']],
]

/** Half of them for each order, the other half for the next. */
const walks: [direction: string, forward: boolean][] = [
  ['ASC', true],
  ['DESC', false],
]

const sortedBy: Record<string, string> = {
  ...{
    START: 'startsAt',
    START_LOCAL: 'startsLocal',
    END: 'endsAt',
    PUBLICATION: 'publishedAt',
    MODIFIED: 'modifiedAt',
  },
  ...{ TITLE: 'title', NAME: 'name', SLUG: 'slug', NUMBER: 'databaseId' },
}

interface Node {
  readonly databaseId: number
  readonly key: string | number
}
interface Connection {
  readonly nodes: Node[]
  readonly pageInfo: Record<'startCursor' | 'endCursor', string> & Record<'hasNextPage' | 'hasPreviousPage', boolean>
}

interface Range {
  readonly first?: number
  readonly last?: number
  readonly after?: string
  readonly before?: string
}

const orderType: Record<string, string> = {
  ...{ events: 'EventOrder', venues: 'VenueOrder', organizers: 'OrganizerOrder' },
  ...{ categories: 'CategoryOrder', tags: 'TagOrder' },
}

async function page(list: string, range: Range, field: string, direction?: string): Promise<Connection> {
  const { body } = await app.graphql(
    `query($first: Int, $last: Int, $after: String, $before: String, $orderBy: ${orderType[list]}) {
      list: ${list}(first: $first, last: $last, after: $after, before: $before, orderBy: $orderBy) {
        nodes { databaseId key: ${sortedBy[field]} }
        pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
    { ...range, orderBy: { field, direction } },
  )
  expect(body.errors).toBeUndefined()
  return body.data.list
}

/** Reads all pages from one end to the other, and calls `between` after each page. */
async function walk(
  list: string,
  order: string,
  direction: string,
  forward: boolean,
  between?: (nodes: Node[]) => Promise<void>,
) {
  const seen: Node[][] = []
  let range: Range = forward ? { first: 3 } : { last: 3 }
  for (let more = true; more; ) {
    const { nodes, pageInfo } = await page(list, range, order, direction)
    seen.push(nodes)
    more = forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage
    range = forward ? { first: 3, after: pageInfo.endCursor } : { last: 3, before: pageInfo.startCursor }
    expect(seen.length).toBeLessThan(20)
    if (more) await between?.(nodes)
  }
  return forward ? seen.flat() : seen.toReversed().flat()
}

const collator = new Intl.Collator('und')
const compare = (order: string) => (a: Node, b: Node) => {
  if (order === 'NAME' || order === 'TITLE') return collator.compare(String(a.key), String(b.key))
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

function expectSorted(nodes: readonly Node[], order: string, direction: string): void {
  const sign = direction === 'ASC' ? 1 : -1
  for (const [index, node] of nodes.slice(1).entries()) {
    expect(sign * compare(order)(nodes[index] as Node, node)).toBeLessThanOrEqual(0)
  }
}

describe.each(orders)('%s', (list, fields) => {
  const make = makers[list] as (each: Row) => Promise<number>
  let added = 0
  const fill = async (count: number) => {
    await truncate(app.db)
    for (added = 0; added < count; ) await make(row(added++))
  }

  it('are sorted by each order in both directions, the same with cursors and page numbers', async () => {
    await fill(8)
    for (const order of fields) await expectSameEverywhere(order)
  })

  async function expectSameEverywhere(order: string): Promise<void> {
    const { nodes: ascending } = await page(list, { first: 50 }, order, 'ASC')
    expect(ascending).toHaveLength(8)
    expectSorted(ascending, order, 'ASC')
    for (const [direction, whole] of [
      ['ASC', ascending],
      ['DESC', ascending.toReversed()],
    ] as const) {
      expect((await page(list, { first: 50 }, order, direction)).nodes).toEqual(whole)
      expect(await walk(list, order, direction, true)).toEqual(whole)
      expect(await walk(list, order, direction, false)).toEqual(whole)
      const numbered: Node[] = []
      for (const number of [1, 2, 3]) {
        const { body } = await app.graphql(
          `query($page: Int, $orderBy: ${orderType[list]}) { list: ${list}Page(page: $page, perPage: 3, orderBy: $orderBy) {
            total totalPages items { databaseId key: ${sortedBy[order]} } } }`,
          { page: number, orderBy: { field: order, direction } },
        )
        expect([body.data.list.total, body.data.list.totalPages]).toEqual([8, 3])
        numbered.push(...body.data.list.items)
      }
      expect(numbered).toEqual(whole)
    }
    // Ascending by default.
    expect((await page(list, { first: 50 }, order)).nodes).toEqual(ascending)
  }

  it.each(fields.flatMap((order, index) => partOf(walks, 2, index).map((walk) => [order, ...walk] as const)))(
    'by %s %s, forwards %s: visits each remaining row once while others are inserted and deleted',
    async (order, direction, forward) => {
      await fill(11)
      const before = (await page(list, { first: 50 }, order, direction)).nodes.map(({ databaseId }) => databaseId)
      const deleted = new Set<number>()
      const seen = await walk(list, order, direction, forward, async (nodes) => {
        // Deletes the row of the cursor and an unvisited one, and inserts rows anywhere.
        const edge = (forward ? nodes.at(-1) : nodes[0]) as Node
        const ahead = forward ? before.at(-1 - deleted.size) : before[deleted.size]
        for (const id of [edge.databaseId, ahead as number]) {
          deleted.add(id)
          await remove(list, id)
        }
        for (let n = 0; n < 3; n++) await make(row(added++))
      })
      const visited = seen.map(({ databaseId }) => databaseId)
      expect(new Set(visited).size).toBe(visited.length)
      expect(visited.filter((id) => before.includes(id) && !deleted.has(id))).toEqual(
        before.filter((id) => !deleted.has(id)),
      )
      expectSorted(seen, order, direction)
    },
  )
})

async function remove(list: string, id: number): Promise<void> {
  const where = { where: { id } }
  if (list === 'events') await app.db.event.deleteMany(where)
  else if (list === 'venues') await app.db.venue.deleteMany(where)
  else if (list === 'organizers') await app.db.organizer.deleteMany(where)
  else if (list === 'categories') await app.db.category.deleteMany(where)
  else await app.db.tag.deleteMany(where)
}
