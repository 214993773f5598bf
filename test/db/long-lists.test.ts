// Lists of the events of many tags, which the read engine reads together.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeTag } from '../helpers/make.ts'

let app: TestApp
/** The tags by number: 20 of few events, one of none, two of many. */
let tagIds: readonly number[]
const ids: Record<'early' | 'late' | 'last', number> = { early: 0, late: 0, last: 0 }

const columns = {
  ...{ publishedAt: true, modifiedAt: true, originalLanguage: true, timeZone: true },
  ...{ startsAt: true, endsAt: true, startsLocal: true, endsLocal: true },
} as const

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  const { db } = app
  const tags: number[] = []
  for (let n = 1; n <= 20; n++) tags.push(await makeTag(db, `Tag ${n}`))
  const [first = 0] = tags
  ids.early = await makeEvent(db, 'Early', { start: '2026-11-01T19:00:00', tagIds: [first] })
  const between = await makeEvent(db, 'Between', { start: '2026-12-01T19:00:00' })
  ids.last = await makeEvent(db, 'Last', { start: '2026-12-31T19:00:00', tagIds: tags })
  ids.late = await makeEvent(db, 'Late', { start: '2026-12-30T19:00:00', tagIds: tags })
  await makeEvent(db, 'Draft', { start: '2026-12-02T19:00:00', tagIds: tags, status: 'draft' })
  const event = await db.event.findFirstOrThrow({ select: columns, where: { id: between } })
  await db.event.createMany({ data: Array(900).fill({ ...event, status: 'publish' }) })
  const many = [await makeTag(db, 'Unused'), await makeTag(db, 'Often'), await makeTag(db, 'Often too')]
  tagIds = [...tags, ...many]
  const often = await db.event.findMany({ select: { id: true }, where: { startsAt: event.startsAt } })
  await db.contentTag.createMany({
    data: often.flatMap(({ id }) => many.slice(1).map((tagId) => ({ tagId, contentId: id }))),
  })
})
afterAll(() => app?.close())

const queryOf = (args: string, selection = 'nodes { databaseId }') =>
  `query ($first: Int) {
    tags(first: $first, orderBy: { field: NUMBER }) { nodes { databaseId events${args} { ${selection} } } }
  }`

interface TagNode {
  readonly databaseId: number
  readonly events: { readonly nodes: readonly { readonly databaseId: number }[]; readonly totalCount: number }
}

async function tagNodes(query: string, first = tagIds.length): Promise<readonly TagNode[]> {
  const { body } = await app.graphql(query, { first })
  expect(body.errors).toBeUndefined()
  expect(body.data.tags.nodes).toHaveLength(first)
  return body.data.tags.nodes
}

const eventsOf = ({ events }: TagNode) => events.nodes.map(({ databaseId }) => databaseId)

/** Tags that have few events altogether, which need not be read in order. */
const few = 21

test.each([few, undefined])('events after many others are found, for the first tags: %s', async (first) => {
  const { early, late, last } = ids
  const pages = async (args: string) => (await tagNodes(queryOf(args), first)).slice(0, few).map(eventsOf)
  expect(await pages('(first: 1)')).toEqual([[early], ...Array(19).fill([late]), []])
  expect(await pages('(first: 5)')).toEqual([[early, late, last], ...Array(19).fill([late, last]), []])
  const descending = '(first: 1, orderBy: { field: START, direction: DESC })'
  expect(await pages(descending)).toEqual([...Array(20).fill([last]), []])
})

test('tags of many events have full pages', async () => {
  const pages = (await tagNodes(queryOf('(first: 5)'))).slice(few).map(eventsOf)
  expect(pages.map(({ length }) => length)).toEqual([5, 5])
  expect(pages[0]).toEqual(pages[1])
})

test('few events take one statement less', async () => {
  const count = async (first: number) => {
    app.statements.length = 0
    await tagNodes(queryOf('(first: 1)'), first)
    return app.statements.length
  }
  expect((await count(tagIds.length)) - (await count(few))).toBe(1)
})

test('totals are counted together, with the events or without', async () => {
  const totals = [3, ...Array(19).fill(2), 0, 901, 901]
  for (const selection of ['totalCount', 'totalCount nodes { title }']) {
    const nodes = await tagNodes(queryOf('(first: 1)', selection))
    expect(nodes.map(({ events }) => events.totalCount)).toEqual(totals)
  }
})
