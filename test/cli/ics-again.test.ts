// Calendar files that are imported again: after an import that was stopped, or with other excluded dates.
import { readFileSync } from 'node:fs'
import { getOperationAST } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operations } from '../../src/tools/operations.ts'
import { type ApiClient, compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { calendarOf, eventOf, type ImportCalendar, importerOf } from '../helpers/ics.ts'

let app: TestApp
let editor: ApiClient
let importCalendar: ImportCalendar

beforeAll(async () => {
  app = await openTestApp({ ...compared, SITE_TIMEZONE: 'Europe/Paris' })
  editor = await app.signIn('editor')
  importCalendar = await importerOf(app)
  importUntilKilled = await importerOf(app, killable)
})
afterAll(() => app?.close())

let count = 0
const nextUid = () => `again-${++count}@google.com`

const weekly = (uid: string, ...more: string[]) =>
  eventOf(
    uid,
    ...['SUMMARY:Yoga', 'LOCATION:Dojo', 'SEQUENCE:2', 'DTSTART;TZID=Europe/Paris:20261201T180000'],
    ...['DTEND;TZID=Europe/Paris:20261201T193000', 'RRULE:FREQ=WEEKLY;COUNT=4', ...more],
  )
const on = (day: string, ...more: string[]) => [`RECURRENCE-ID;TZID=Europe/Paris:202612${day}T180000`, ...more]
const at = (local: string) => `DTSTART;TZID=Europe/Paris:${local}`

/** All events of a UID as the import wrote them, by start. */
async function eventsOf(uid: string) {
  const rows = await app.db.event.findMany({
    where: { OR: [{ uid }, { uid: { startsWith: `${uid}/` } }, { series: { uid } }] },
    orderBy: { startsAt: 'asc' },
    include: { series: true },
  })
  return rows.map((row) => ({
    start: row.startsLocal.toISOString().slice(5, 16),
    ...{ status: row.status, eventStatus: row.eventStatus, sequence: row.sequence },
    series: row.series?.schedule,
  }))
}
const startsOf = async (uid: string) => (await eventsOf(uid)).map(({ start }) => start)
const idsOf = async (uid: string) =>
  (await app.db.event.findMany({ where: { series: { uid } }, orderBy: { startsAt: 'asc' } })).map(({ id }) => id)

test('a date that the file no longer excludes takes place again, but not one that was deleted here', async () => {
  const uid = nextUid()
  const exclude = (day: string) => `EXDATE;TZID=Europe/Paris:202612${day}T180000`
  await importCalendar(calendarOf(weekly(uid, exclude('08'), exclude('22'))))
  expect(await startsOf(uid)).toEqual(['12-01T18:00', '12-15T18:00'])
  const [, id] = await idsOf(uid)
  await editor.graphql('mutation ($id: ID!) { deleteEvent(input: { id: $id }) { userErrors { message } } }', { id })
  const later = (...lines: string[]) => calendarOf(weekly(uid, ...lines).replace('SEQUENCE:2', 'SEQUENCE:9'))
  expect(await importCalendar(later(exclude('22')))).toMatchObject({ updated: 1, skipped: [] })
  expect(await startsOf(uid)).toEqual(['12-01T18:00', '12-08T18:00'])
  expect(await importCalendar(later(exclude('22')))).toMatchObject({ unchanged: 1, skipped: [] })
  // At another time, too.
  expect(await importCalendar(later().replaceAll('T18', 'T17'))).toMatchObject({ updated: 1, skipped: [] })
  expect(await startsOf(uid)).toEqual(['12-01T17:00', '12-08T17:00', '12-22T17:00'])
})

test('a series that was excluded as a whole day takes place again', async () => {
  const uid = nextUid()
  await importCalendar(calendarOf(weekly(uid, 'EXDATE;VALUE=DATE:20261208')))
  await importCalendar(calendarOf(weekly(uid)))
  expect(await startsOf(uid)).toHaveLength(4)
})

test('dates that move onto the places of others, which move too, and back', async () => {
  const uid = nextUid()
  const move = (from: string, to: string) => eventOf(uid, ...on(from, at(`${to}T180000`), 'SEQUENCE:2'))
  const later = calendarOf(weekly(uid), move('08', '20261215'), move('15', '20261222'), move('22', '20261229'))
  expect(await importCalendar(later)).toMatchObject({ created: 1, notes: [], skipped: [] })
  expect(await startsOf(uid)).toEqual(['12-01T18:00', '12-15T18:00', '12-22T18:00', '12-29T18:00'])
  const earlier = calendarOf(weekly(uid), move('08', '20261203'), move('15', '20261208'), move('22', '20261215'))
  expect(await importCalendar(earlier)).toMatchObject({ updated: 1, notes: [], skipped: [] })
  expect(await startsOf(uid)).toEqual(['12-01T18:00', '12-03T18:00', '12-08T18:00', '12-15T18:00'])
})

test.each([
  [
    'exchange their times',
    [
      ['08', '1215T18'],
      ['15', '1208T18'],
    ],
    ['01', '15', '08', '22'],
  ],
  [
    'exchange their times in a circle',
    [
      ['08', '1215T18'],
      ['15', '1222T18'],
      ['22', '1208T18'],
    ],
    ['01', '15', '22', '08'],
  ],
  [
    'exchange days and time of day',
    [
      ['08', '1215T18'],
      ['15', '1208T20'],
    ],
    ['01', '15', '08', '22'],
  ],
  [
    'all move to earlier days',
    [
      ['08', '1203T18'],
      ['15', '1208T18'],
      ['22', '1215T18'],
    ],
    ['01', '03', '08', '15'],
  ],
  ['come together', [['08', '1215T18']], ['01', '15', '15', '22']],
] as const)('dates that %s, and go back', async (_name, moves, days) => {
  const uid = nextUid()
  const moved = moves.map(([from, to]) => eventOf(uid, ...on(from, at(`2026${to}0000`), 'SEQUENCE:2')))
  const daysOfDates = async () =>
    (await app.db.event.findMany({ where: { series: { uid } }, orderBy: { originalStartsLocal: 'asc' } })).map(
      ({ startsLocal }) => startsLocal.toISOString().slice(8, 10),
    )
  await importCalendar(calendarOf(weekly(uid)))
  const ids = await idsOf(uid)
  const file = calendarOf(weekly(uid), ...moved)
  expect(await importCalendar(file)).toMatchObject({ updated: 1, notes: [], skipped: [] })
  expect(await daysOfDates()).toEqual(days)
  expect(await importCalendar(file)).toMatchObject({ unchanged: 1, notes: [], skipped: [] })
  expect(await importCalendar(calendarOf(weekly(uid)))).toMatchObject({ updated: 1, notes: [], skipped: [] })
  expect(await daysOfDates()).toEqual(['01', '08', '15', '22'])
  expect(await idsOf(uid)).toEqual(ids)
})

test('a change of a date that is undone is reported', async () => {
  const uid = nextUid()
  await importCalendar(calendarOf(weekly(uid), eventOf(uid, ...on('08', at('20261203T180000'), 'SEQUENCE:2'))))
  const file = calendarOf(weekly(uid))
  expect(await importCalendar(file)).toMatchObject({ updated: 1, unchanged: 0, skipped: [] })
  expect(await startsOf(uid)).toEqual(['12-01T18:00', '12-08T18:00', '12-15T18:00', '12-22T18:00'])
  expect(await importCalendar(file)).toMatchObject({ updated: 0, unchanged: 1, skipped: [] })
})

class Killed extends Error {}

/** How many mutations the process of `importUntilKilled` does before it ends. */
let left = 0
let importUntilKilled: ImportCalendar

/** Ends the process after a mutation was committed. */
const killable = (operations: Operations): Operations => {
  const executeOn: Operations['executeOn'] = (session) => async (document, variables, options) => {
    const result = await operations.executeOn(session)(document, variables, options)
    if (getOperationAST(document)?.operation === 'mutation' && --left < 0) throw new Killed()
    return result
  }
  return { ...operations, executeOn, execute: executeOn(operations.session) }
}

test('an import that was stopped is completed by the next one, and creates nothing twice', async () => {
  const fileOf = (uid: string) =>
    calendarOf(
      weekly(uid),
      eventOf(uid, ...on('08', at('20261208T200000'), 'SEQUENCE:2')),
      eventOf(uid, ...on('15', 'SUMMARY:Guest lesson', at('20261215T180000'), 'SEQUENCE:2')),
      eventOf(uid, ...on('17', 'SUMMARY:One more', at('20261217T180000'), 'SEQUENCE:2')),
      eventOf(uid, ...on('22', 'STATUS:CANCELLED', at('20261222T180000'), 'SEQUENCE:2')),
    )
  const whole = nextUid()
  await importCalendar(fileOf(whole))
  const expected = await eventsOf(whole)
  expect(expected).toHaveLength(5)
  const recordsOf = async (uid: string) => {
    const rows = await app.db.event.findMany({
      where: { OR: [{ uid: { startsWith: `${uid}/` } }, { series: { uid } }] },
      orderBy: { startsAt: 'asc' },
    })
    const imports = await app.db.importedRecord.findMany({ where: { recordId: { in: rows.map(({ id }) => id) } } })
    return rows.map(({ id }) => imports.some(({ recordId }) => recordId === id))
  }
  for (let mutations = 0; mutations < 5; mutations += 1) {
    const uid = nextUid()
    left = mutations
    await expect(importUntilKilled(fileOf(uid))).rejects.toThrow(Killed)
    expect(await importCalendar(fileOf(uid))).toMatchObject({ skipped: [] })
    expect(await eventsOf(uid)).toEqual(expected)
    expect(await recordsOf(uid)).toEqual(await recordsOf(whole))
    // What a later file no longer changes is undone.
    await importCalendar(calendarOf(weekly(uid).replace('SEQUENCE:2', 'SEQUENCE:3')))
    expect((await eventsOf(uid)).filter(({ status }) => status !== 'trash').map(({ start }) => start)).toEqual([
      ...['12-01T18:00', '12-08T18:00', '12-15T18:00', '12-22T18:00'],
    ])
  }
})

/** Creates the events that an import before version 0.2 made of the dates of a recurring event. */
async function createEarlier(uid: string, title: string, days: readonly string[], time: string, end: string) {
  const ids: number[] = []
  for (const day of days) {
    const query = `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { databaseId } userErrors { message } } }`
    const times = { startsLocal: `${day}T${time}`, endsLocal: `${day}T${end}`, timeZone: 'Europe/Paris' }
    const input = { ...times, title, uid: `${uid}/occurrence/${day.replaceAll('-', '')}`, status: 'PUBLISHED' }
    ids.push((await editor.graphql(query, { input })).body.data.createEvent.event.databaseId)
  }
  return ids
}

test('a calendar of Google, whose dates an earlier import made single events, and the dry run of it', async () => {
  const file = readFileSync(new URL('ics/google.ics', import.meta.url), 'utf8')
  const ids = await createEarlier(
    'choir@google.com',
    'Choir rehearsal',
    ['2026-10-05', '2026-10-19', '2026-10-26', '2026-11-02'],
    ...(['19:00:00', '20:30:00'] as const),
  )
  const dry = await importCalendar(file, { dryRun: true })
  expect(dry).toMatchObject({ created: 2, updated: 1, skipped: [] })
  expect(await idsOf('choir@google.com')).toEqual([])
  expect(await importCalendar(file)).toEqual({ ...dry, dryRun: false })
  expect(await idsOf('choir@google.com')).toEqual(ids)
  expect((await eventsOf('choir@google.com')).map(({ start }) => start)).toEqual([
    ...['10-05T19:00', '10-20T19:30', '10-26T19:00', '11-02T19:00'],
  ])
  expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, trashed: 0, unchanged: 3, skipped: [] })
})
