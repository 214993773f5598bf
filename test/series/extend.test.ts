// Series that get further dates in the background.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extendSeries } from '../../src/calendar/series/extend.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { changeDate, createSeries, ids, readFields, ruled, updateDate, updateSeries } from '../helpers/series.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp({ SERIES_HORIZON_MONTHS: '3' })
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const extend = async (at: string) => {
  app.clock.now = new Date(at)
  await extendSeries(app.db, app.settings, app.clock.now)
}

const allDates = (seriesId: number) =>
  app.db.event.findMany({
    where: { seriesId },
    orderBy: { startsAt: 'asc' },
    select: { id: true, startsLocal: true, isExtra: true },
  })
const daysOf = async (id: number) =>
  (await allDates(id)).map(({ startsLocal }) => startsLocal.toISOString().slice(0, 10))

test('an endless series gets dates as time goes on, and none that was deleted', async () => {
  app.clock.now = new Date('2026-11-21T12:00:00Z')
  const extraDates = [{ startsLocal: '2027-03-09T19:00:00' }, { startsLocal: '2027-03-11T19:00:00' }]
  const schedule = { ...ruled('2026-12-01T19:00', 'FREQ=WEEKLY'), extraDates, excludedDates: ['2027-03-16'] }
  const categories = [{ nameOrSlug: 'Weekly' }]
  const series = await createSeries(editor, { title: 'Choir', schedule, status: 'PUBLISHED', categories })
  const before = await allDates(series)
  expect(await daysOf(series)).toEqual([
    ...['2026-12-01', '2026-12-08', '2026-12-15', '2026-12-22', '2026-12-29', '2027-01-05', '2027-01-12'],
    ...['2027-01-19', '2027-01-26', '2027-02-02', '2027-02-09', '2027-02-16', '2027-02-23', '2027-03-09', '2027-03-11'],
  ])
  await changeDate(editor, 'delete', 'THIS', { id: before[12]?.id })
  await updateDate(editor, 'THIS', { id: before[11]?.id, title: 'Of its own' })
  await extend('2026-11-21T13:00:00Z')
  expect(await allDates(series)).toHaveLength(13)
  await extend('2027-01-05T12:00:00Z')
  const after = await allDates(series)
  expect((await daysOf(series)).slice(11)).toEqual([
    '2027-03-02',
    '2027-03-09',
    '2027-03-11',
    '2027-03-23',
    '2027-03-30',
  ])
  expect(ids(after as never).slice(0, 11)).toEqual(ids(before as never).slice(0, 11))
  const { horizon } = await readFields(app, 'eventSeries', series, 'horizon')
  expect(horizon).toBe('2027-04-05T13:00:00')
  const last = after.at(-1)?.id ?? 0
  expect(await readFields(app, 'event', last, 'title url occurrence categories { name count }')).toEqual({
    ...{ title: 'Choir', url: 'http://calendar.test/event/choir/2027-03-30/', occurrence: 'REGULAR' },
    categories: [{ name: 'Weekly', count: 17 }],
  })
  const log = await app.db.$queryRaw`SELECT kind, action::text, source FROM change WHERE record_id = ${last}`
  expect(log).toEqual([{ kind: 'event', action: 'created', source: 'job' }])
})

test('a series with an end is stored whole, in several writes', async () => {
  app.clock.now = new Date('2026-11-21T12:00:00Z')
  const series = await createSeries(editor, { schedule: ruled('2027-01-01T19:00', 'FREQ=DAILY;COUNT=2100') })
  const first = await allDates(series)
  expect(first).toHaveLength(1000)
  const { horizon } = await readFields(editor, 'eventSeries', series, 'horizon')
  expect(horizon).toBe('2029-09-26T19:00:00')
  await Promise.all([extend('2026-11-21T12:01:00Z'), extend('2026-11-21T12:01:00Z')])
  const whole = await allDates(series)
  expect(whole).toHaveLength(2100)
  expect(whole.slice(0, 1000)).toEqual(first)
  expect(await readFields(editor, 'eventSeries', series, 'horizon')).toEqual({ horizon: null })
  await updateSeries(editor, { id: series, schedule: ruled('2027-01-01T20:00', 'FREQ=DAILY;UNTIL=20330101') })
  await extend('2026-11-21T12:02:00Z')
  const longer = await allDates(series)
  expect(longer).toHaveLength(2193)
  expect(ids(longer as never).slice(0, 2100)).toEqual(ids(whole as never))
})

test('a series in the trash, and a rule without a further date', async () => {
  app.clock.now = new Date('2026-11-21T12:00:00Z')
  const trashed = await createSeries(editor, { schedule: ruled('2026-12-01T19:00', 'FREQ=DAILY') })
  const [date] = await allDates(trashed)
  await changeDate(editor, 'trash', 'ALL', { id: date?.id })
  const never = ruled('2026-12-01T19:00', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')
  const series = await createSeries(editor, { schedule: never })
  const count = (await allDates(trashed)).length
  await extend('2027-02-21T12:00:00Z')
  expect(await allDates(trashed)).toHaveLength(count)
  expect(await daysOf(series)).toEqual(['2026-12-01'])
  const { horizon } = await readFields(editor, 'eventSeries', series, 'horizon')
  expect(horizon).toBe('2027-05-21T13:00:00')
})

test('a series that fails leaves the others their dates, and its error is reported', async () => {
  app.clock.now = new Date('2026-11-21T12:00:00Z')
  const schedule = ruled('2026-12-01T19:00', 'FREQ=WEEKLY')
  const [broken, other] = [await createSeries(editor, { schedule }), await createSeries(editor, { schedule })]
  const before = await allDates(other)
  const { schedule: stored } = await app.db.series.findUniqueOrThrow({ where: { id: broken } })
  const invalid = JSON.parse(JSON.stringify(stored).replace('WEEKLY', 'SOMETIMES'))
  await app.db.series.update({ where: { id: broken }, data: { schedule: invalid } })
  await expect(extend('2027-02-21T12:00:00Z')).rejects.toThrow(
    expect.objectContaining({
      errors: [expect.objectContaining({ message: `could not add dates to series ${broken}` })],
    }),
  )
  expect((await allDates(other)).length).toBeGreaterThan(before.length)
  await app.db.series.update({ where: { id: broken }, data: { schedule: stored as object } })
})
