// Random writes of a series, beside a model of its dates.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { runs } from '../helpers/runs.ts'
import {
  changeDate,
  createSeries,
  datesOf,
  readFields,
  ruled,
  type Schedule,
  updateDate,
  updateSeries,
} from '../helpers/series.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

interface Expected {
  readonly series: number | undefined
  readonly startsLocal: string
  readonly title: string
  readonly isCancelled: boolean
}
/** The events that there should be, by ID. */
type Model = Map<number, Expected>

const writes = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'schedule',
      'schedule',
      'title',
      'move',
      'cancel',
      'own',
      'delete',
      'trash',
      'split',
      'times',
      'rename',
    ),
    date: fc.nat(20),
    rule: fc.constantFrom(
      'FREQ=WEEKLY;COUNT=5',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=3',
      'FREQ=DAILY;COUNT=7',
      'FREQ=WEEKLY;UNTIL=20270215',
    ),
    start: fc.constantFrom('2027-01-05T19:00', '2027-01-06T18:30', '2027-01-07T19:00'),
    title: fc.constantFrom('Chess', 'Go', 'Bridge'),
  }),
  { minLength: 2, maxLength: 8 },
)
type Write = typeof writes extends fc.Arbitrary<(infer Element)[]> ? Element : never

const countOf = async (seriesIds: readonly number[]) => {
  const all = await Promise.all(seriesIds.map((id) => datesOf(editor, id)))
  return new Map(
    all.flatMap((dates, index) => dates.map((date) => [date.id, { ...date, series: seriesIds[index] }] as const)),
  )
}

/** Writes, and returns the model afterwards. What a schedule leaves is compared by `expectKept` instead. */
async function apply(write: Write, model: Model, seriesIds: number[]): Promise<void> {
  const dates = [...model].filter(([, date]) => date.series !== undefined).sort((a, b) => a[0] - b[0])
  const [id, date] = dates[write.date % Math.max(1, dates.length)] ?? []
  if (id === undefined || date?.series === undefined) return
  const { series } = date
  const others = [...model].filter(([, other]) => other.series === series)
  const day = `2027-03-${String((write.date % 20) + 1).padStart(2, '0')}`
  const moved = { startsLocal: `${day}T08:00:00`, endsLocal: `${day}T09:00:00` }
  const schedule: Schedule = ruled(write.start, write.rule)
  switch (write.kind) {
    case 'title':
    case 'rename': {
      const { title } = write
      const errors =
        write.kind === 'title'
          ? await updateSeries(editor, { id: series, title })
          : await updateDate(editor, 'ALL', { id, title })
      expect(errors).toEqual([])
      for (const [other, value] of others) model.set(other, { ...value, title })
      return
    }
    case 'move':
      if ((await updateDate(editor, 'THIS', { id, ...moved })).length === 0)
        model.set(id, { ...date, startsLocal: moved.startsLocal })
      return
    case 'cancel':
      expect(await updateDate(editor, 'THIS', { id, eventStatus: 'CANCELLED' })).toEqual([])
      model.set(id, { ...date, isCancelled: true })
      return
    case 'own':
      expect(await updateDate(editor, 'THIS', { id, title: write.title, excerpt: 'Of its own' })).toEqual([])
      model.set(id, { ...date, title: write.title, series: undefined })
      return
    case 'delete':
    case 'trash':
      expect(await changeDate(editor, write.kind, 'THIS', { id })).toEqual([])
      model.delete(id)
      return
    case 'split': {
      expect(await updateDate(editor, 'FOLLOWING', { id, website: 'https://rest.test/' })).toEqual([])
      const { series: rest } = await readFields(editor, 'event', id, 'series { databaseId }')
      if (!seriesIds.includes(rest.databaseId)) seriesIds.push(rest.databaseId)
      const found = await countOf([rest.databaseId])
      for (const other of found.keys()) {
        const value = model.get(other)
        expect(value?.series).toBe(series)
        if (value) model.set(other, { ...value, series: rest.databaseId })
      }
      expect(found.has(id)).toBe(true)
      return
    }
    default: {
      const errors =
        write.kind === 'schedule'
          ? await updateSeries(editor, { id: series, schedule })
          : await updateDate(editor, 'ALL', { id, ...timesOf(date.startsLocal) })
      if (errors.length === 0) await expectKept(model, series)
    }
  }
}

const timesOf = (startsLocal: string) => ({
  startsLocal: `${startsLocal.slice(0, 11)}17:00:00`,
  endsLocal: `${startsLocal.slice(0, 11)}17:30:00`,
})

/** After another schedule: dates that were changed are still there, and others are those of the schedule. */
async function expectKept(model: Model, series: number): Promise<void> {
  const found = await countOf([series])
  for (const [id, date] of [...model].filter(([, each]) => each.series === series)) {
    const now = found.get(id)
    const event = await readFields(editor, 'event', id, 'startsLocal title eventStatus')
    if (date.isCancelled) expect(event?.eventStatus).toBe('CANCELLED')
    if (now) model.set(id, { ...date, startsLocal: now.startsLocal })
    else if (event) model.set(id, { ...date, series: undefined, startsLocal: event.startsLocal })
    else model.delete(id)
  }
  const title = (await readFields(editor, 'eventSeries', series, 'title')).title
  for (const [id, { startsLocal }] of found)
    if (!model.has(id)) model.set(id, { series, startsLocal, title, isCancelled: false })
}

async function expectModel(model: Model, seriesIds: readonly number[], category: string): Promise<void> {
  const { body } = await app.graphql(
    `query ($category: [ID!]) {
      events(first: 100, filter: { categories: $category }) { totalCount nodes { databaseId startsLocal title eventStatus series { databaseId } } }
      eventFacets(filter: { categories: $category }) { categories { category { name } count } }
      category(slug: "${category}") { count } }`,
    { category: [category] },
  )
  expect(body.errors).toBeUndefined()
  const { events, eventFacets } = body.data
  const listed = events.nodes.map(
    (event: {
      databaseId: number
      startsLocal: string
      title: string
      eventStatus: string
      series: { databaseId: number } | null
    }) => [
      event.databaseId,
      {
        startsLocal: event.startsLocal,
        title: event.title,
        isCancelled: event.eventStatus === 'CANCELLED',
        series: event.series?.databaseId,
      },
    ],
  )
  expect(new Map(listed)).toEqual(model)
  expect(events.totalCount).toBe(model.size)
  expect(body.data.category.count).toBe(model.size)
  const facet = eventFacets.categories.find((each: { category: { name: string } }) => each.category.name === category)
  expect(facet?.count ?? 0).toBe(model.size)
  const live = seriesIds.filter((id) => [...model.values()].some(({ series }) => series === id))
  const ofSeries = [...model].filter(([, { series }]) => series !== undefined)
  expect(new Set((await countOf(live)).keys())).toEqual(new Set(ofSeries.map(([id]) => id)))
}

let run = 0

test('IDs, changes, lists and counts after random writes', async () => {
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      run += 1
      const category = `run-${run}`
      const schedule = ruled('2027-01-05T19:00', 'FREQ=WEEKLY;COUNT=6')
      const input = { status: 'PUBLISHED', title: 'Course', categories: [{ nameOrSlug: category }], schedule }
      const series = await createSeries(editor, input)
      const model: Model = new Map(
        (await datesOf(editor, series)).map(({ id, startsLocal }) => [
          id,
          { series, startsLocal, title: 'Course', isCancelled: false },
        ]),
      )
      const seriesIds = [series]
      for (const write of all) {
        await apply(write, model, seriesIds)
        await expectModel(model, seriesIds, category)
      }
    }),
    { numRuns: runs(12, 2) },
  )
  const [wrong] = await app.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT category_id, count(*) FROM event_category JOIN event ON event.id = event_id WHERE live GROUP BY 1
      EXCEPT SELECT category_id, sum(events) FROM category_count GROUP BY 1) AS differences`
  expect(wrong?.count).toBe(0)
})
