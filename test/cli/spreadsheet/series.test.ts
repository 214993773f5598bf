// Dates of series in spreadsheets: each is a row.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { truncate } from '../../helpers/db.ts'
import { makeSeries } from '../../helpers/make.ts'
import { openSheets, type Sheets } from './sheet.ts'

let app: TestApp
let sheets: Sheets
let series: { id: number; dates: number[] }
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris' })
})
beforeEach(async () => {
  await truncate(app.db)
  sheets = await openSheets(app)
  series = await makeSeries(app.db, 'Course', { days: ['2026-12-01', '2026-12-08', '2026-12-15'] })
})
afterAll(async () => {
  sheets.close()
  await app.close()
})

type Row = Record<string, unknown>

const exported = async (): Promise<Row[]> => JSON.parse(await sheets.exportJson('events', { languages: ['en'] }))

/** Imports the export after `change`, which gets each row with its number from 0. */
const importChanged = async (change: (row: Row, index: number) => Row, options = {}) =>
  sheets.importJson(
    JSON.stringify((await exported()).map((row, index) => ({ ...row, ...change(row, index) }))),
    options,
  )

const stored = async () =>
  (await exported()).map(({ id, title, start, series, venues, status }) => [id, title, start, series, venues, status])

test('each date has the ID of its series and its rule; an unchanged file writes nothing', async () => {
  const rows = await exported()
  expect(rows.map(({ id, series, rule }) => [id, series, rule])).toEqual(
    series.dates.map((id) => [id, series.id, 'FREQ=DAILY;COUNT=1']),
  )
  expect(await importChanged(() => ({}))).toMatchObject({ unchanged: 3, errors: [], notes: [] })
  expect(await exported()).toEqual(rows)
})

test('times and state change one date', async () => {
  const report = await importChanged((_, index) =>
    index === 1 ? { start: '2026-12-09T19:00', end: '2026-12-09T21:00', event_status: 'cancelled' } : {},
  )
  expect(report).toMatchObject({ updated: 1, unchanged: 2, errors: [] })
  const [first, second, third] = series.dates
  expect(await stored()).toEqual([
    [first, 'Course', '2026-12-01T19:00:00', series.id, '', 'publish'],
    [second, 'Course', '2026-12-09T19:00:00', series.id, '', 'publish'],
    [third, 'Course', '2026-12-15T19:00:00', series.id, '', 'publish'],
  ])
  const { body } = await app.graphql(`{ event(id: ${second}) { eventStatus } }`)
  expect(body.data.event).toEqual({ eventStatus: 'CANCELLED' })
})

test('a label and a note are of one date', async () => {
  const report = await importChanged((_, index) => (index === 2 ? { date_label: 'Finale', date_note: 'With tea' } : {}))
  expect(report).toMatchObject({ updated: 1, unchanged: 2, errors: [] })
  expect((await exported()).map(({ date_label, date_note }) => [date_label, date_note])).toEqual([
    ...[
      ['', ''],
      ['', ''],
      ['Finale', 'With tea'],
    ],
  ])
})

test('texts, links and other columns change the series, if all of its rows have the same value', async () => {
  const change = { title: 'Yoga', venues: 'Hall', cost: '5 €' }
  const differing = await importChanged((_, index) => (index === 1 ? change : {}), { createMissing: true })
  expect(differing.written).toBe(false)
  expect(differing.errors[0]).toMatchObject({ row: 2, column: 'title:en' })
  expect(differing.errors.map(({ column }) => column)).toEqual(expect.arrayContaining(['title:en', 'venues', 'cost']))
  expect(differing.errors[0]?.message).toMatch(/^Row 1 is a date of the same series, and has another value\./)
  const moved = (index: number) => (index === 2 ? { start: '2026-12-16T19:00', end: '2026-12-16T21:00' } : {})
  const report = await importChanged((_, index) => ({ ...change, ...moved(index) }), { createMissing: true })
  expect(report).toMatchObject({ updated: 2, unchanged: 1, errors: [] })
  const [first, second, third] = series.dates
  expect(await stored()).toEqual([
    [first, 'Yoga', '2026-12-01T19:00:00', series.id, 'Hall', 'publish'],
    [second, 'Yoga', '2026-12-08T19:00:00', series.id, 'Hall', 'publish'],
    [third, 'Yoga', '2026-12-16T19:00:00', series.id, 'Hall', 'publish'],
  ])
  expect(await importChanged(() => ({}))).toMatchObject({ unchanged: 3, errors: [] })
})

test('a date without the cell series becomes an event of its own, and one in the trash leaves the others', async () => {
  const report = await importChanged((_, index) =>
    index === 0 ? { series: '', title: 'First lesson' } : index === 1 ? { status: 'trash' } : {},
  )
  expect(report).toMatchObject({ updated: 2, unchanged: 1, errors: [] })
  const [first, second, third] = series.dates
  expect(await stored()).toEqual([
    [first, 'First lesson', '2026-12-01T19:00:00', null, '', 'publish'],
    [third, 'Course', '2026-12-15T19:00:00', series.id, '', 'publish'],
  ])
  expect(await app.db.event.findUnique({ where: { id: second ?? 0 } })).toMatchObject({
    status: 'trash',
    seriesId: null,
  })
})

test('an empty cell series is enough', async () => {
  expect(await importChanged(() => ({ series: '' }))).toMatchObject({ updated: 3, errors: [] })
  expect((await exported()).map((row) => row.series)).toEqual([null, null, null])
})

test('the time zone, another series and other words of the rule are refused', async () => {
  const report = await importChanged((_, index) =>
    index === 0 ? { time_zone: 'UTC', series: 12, rule: 'every day' } : { time_zone: 'UTC' },
  )
  expect(report.errors).toContainEqual(expect.objectContaining({ row: 1, column: 'series' }))
  expect(report.errors).toContainEqual(expect.objectContaining({ row: 1, column: 'time_zone' }))
  expect(report.notes).toContainEqual(expect.objectContaining({ row: 1, column: 'rule' }))
})

test('a change after the export is a conflict', async () => {
  const before = '2026-01-01T00:00:00Z'
  const report = await importChanged(() => ({ title: 'Yoga', modified: before }))
  expect(report.errors).toContainEqual(expect.objectContaining({ row: 1, column: 'modified' }))
  expect(report.written).toBe(false)
})
