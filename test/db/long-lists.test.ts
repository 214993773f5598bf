// Lists of the events of many tags, which the read engine reads together.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeTag } from '../helpers/make.ts'

let app: TestApp
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
  tagIds = [...tags, await makeTag(db, 'Unused')]
}, 120_000)
afterAll(() => app?.close())

const queryOf = (args: string, selection = 'nodes { databaseId }') =>
  `{ tags(first: 50, orderBy: { field: NUMBER }) { nodes { databaseId events${args} { ${selection} } } } }`

interface TagNode {
  readonly databaseId: number
  readonly events: { readonly nodes: readonly { readonly databaseId: number }[]; readonly totalCount: number }
}

async function tagNodes(query: string): Promise<readonly TagNode[]> {
  const { body } = await app.graphql(query)
  expect(body.errors).toBeUndefined()
  expect(body.data.tags.nodes).toHaveLength(tagIds.length)
  return body.data.tags.nodes
}

const eventsOf = ({ events }: TagNode) => events.nodes.map(({ databaseId }) => databaseId)

test('events after many others are found', async () => {
  const { early, late, last } = ids
  expect((await tagNodes(queryOf('(first: 1)'))).map(eventsOf)).toEqual([[early], ...Array(19).fill([late]), []])
  expect((await tagNodes(queryOf('(first: 5)'))).map(eventsOf)).toEqual([
    [early, late, last],
    ...Array(19).fill([late, last]),
    [],
  ])
  const descending = '(first: 1, orderBy: { field: START, direction: DESC })'
  expect((await tagNodes(queryOf(descending))).map(eventsOf)).toEqual([...Array(20).fill([last]), []])
})

test('totals are counted together, with the events or without', async () => {
  const totals = [3, ...Array(19).fill(2), 0]
  for (const selection of ['totalCount', 'totalCount nodes { title }']) {
    const nodes = await tagNodes(queryOf('(first: 1)', selection))
    expect(nodes.map(({ events }) => events.totalCount)).toEqual(totals)
  }
})
