// Recurring events of calendar files as series: their dates, what stays the same when a file is imported again, and round trips.
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { readCalendar } from '../helpers/icalendar.ts'
import { calendarOf, eventOf, type ImportCalendar, importerOf } from '../helpers/ics.ts'

let app: TestApp
let editor: ApiClient
let importCalendar: ImportCalendar

beforeAll(async () => {
  app = await openTestApp({ ...compared, SITE_TIMEZONE: 'Europe/Paris' })
  editor = await app.signIn('editor')
  importCalendar = await importerOf(app)
})
afterAll(() => app?.close())

let count = 0
const nextUid = () => `recurrence-${++count}`

const yoga = [
  ...['SUMMARY:Yoga', 'LOCATION:Dojo', 'SEQUENCE:2'],
  ...['DTSTART;TZID=Europe/Paris:20261201T180000', 'DTEND;TZID=Europe/Paris:20261201T193000'],
]
const weekly = (uid: string, ...more: string[]) => eventOf(uid, ...yoga, 'RRULE:FREQ=WEEKLY;COUNT=4', ...more)
const on = (day: string, ...more: string[]) => [`RECURRENCE-ID;TZID=Europe/Paris:202612${day}T180000`, ...more]
const at = (local: string) => `DTSTART;TZID=Europe/Paris:${local}`

/** ID, start and title of each event of a calendar program's UID, by start. */
async function datesOf(uid: string, of = app) {
  const rows = await of.db.event.findMany({
    where: { status: { not: 'trash' }, OR: [{ uid }, { uid: { startsWith: `${uid}/` } }, { series: { uid } }] },
    orderBy: { startsAt: 'asc' },
  })
  return rows.map(({ id, startsLocal, seriesId }) => ({
    id,
    start: startsLocal.toISOString().slice(5, 16),
    isOfSeries: seriesId !== null,
  }))
}
const startsOf = async (uid: string) => (await datesOf(uid)).map(({ start }) => start)

const update = (fields: string) => async (id: number) => {
  const query = `mutation ($id: ID!) { updateEvent(input: { id: $id, ${fields} }) { userErrors { message } } }`
  expect((await editor.graphql(query, { id })).body).toEqual({ data: { updateEvent: { userErrors: [] } } })
}

test('a recurring event is a series with its rule, extra, excluded and changed dates', async () => {
  const uid = nextUid()
  const file = calendarOf(
    weekly(uid, 'EXDATE;TZID=Europe/Paris:20261215T180000', 'RDATE;TZID=Europe/Paris:20261219T100000'),
    eventOf(uid, ...on('08', at('20261208T200000'))),
    eventOf(uid, ...on('22', 'SUMMARY:Yoga (last)', 'STATUS:CANCELLED')),
  )
  expect(await importCalendar(file)).toMatchObject({ created: 1, notes: [], skipped: [] })
  const [first] = await datesOf(uid)
  const query = `query ($id: ID!) { event(id: $id) { series { uid sequence recurrences { startsLocal endsLocal rule }
    extraDates { startsLocal endsLocal } excludedDates venues: title
    events(first: 9) { nodes { startsLocal endsLocal occurrence eventStatus title dateLabel sequence } } } } }`
  const { series } = (await editor.graphql(query, { id: first?.id })).body.data.event
  const usual = { eventStatus: 'SCHEDULED', title: 'Yoga', dateLabel: null, sequence: 2 }
  expect(series).toEqual({
    ...{ uid, sequence: 2, venues: 'Yoga', excludedDates: ['2026-12-15T18:00:00'] },
    recurrences: [
      { startsLocal: '2026-12-01T18:00:00', endsLocal: '2026-12-01T19:30:00', rule: 'FREQ=WEEKLY;COUNT=4' },
    ],
    extraDates: [{ startsLocal: '2026-12-19T10:00:00', endsLocal: '2026-12-19T11:30:00' }],
    events: {
      nodes: [
        { ...usual, startsLocal: '2026-12-01T18:00:00', endsLocal: '2026-12-01T19:30:00', occurrence: 'REGULAR' },
        { ...usual, startsLocal: '2026-12-08T20:00:00', endsLocal: '2026-12-08T21:30:00', occurrence: 'CHANGED' },
        { ...usual, startsLocal: '2026-12-19T10:00:00', endsLocal: '2026-12-19T11:30:00', occurrence: 'EXTRA' },
        {
          ...{ ...usual, startsLocal: '2026-12-22T18:00:00', endsLocal: '2026-12-22T19:30:00', occurrence: 'CHANGED' },
          ...{ eventStatus: 'CANCELLED', dateLabel: 'last' },
        },
      ],
    },
  })
  expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, unchanged: 1, skipped: [] })
})

describe('imported again', () => {
  test('dates keep their IDs, and what the file no longer changes is undone', async () => {
    const uid = nextUid()
    await importCalendar(calendarOf(weekly(uid), eventOf(uid, ...on('08', at('20261209T200000'), 'STATUS:CANCELLED'))))
    const before = await datesOf(uid)
    const thursdays = weekly(uid, 'STATUS:CONFIRMED').replaceAll('20261201T', '20261203T')
    expect(await importCalendar(calendarOf(thursdays))).toMatchObject({ updated: 1, created: 0, trashed: 0 })
    const after = await datesOf(uid)
    expect(after.map(({ start }) => start)).toEqual(['12-03T18:00', '12-10T18:00', '12-17T18:00', '12-24T18:00'])
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const { eventStatus } = await app.db.event.findUniqueOrThrow({ where: { id: after[1]?.id ?? 0 } })
    expect(eventStatus).toBe('scheduled')
  })

  test('changes that were made here stay until the file has a higher SEQUENCE', async () => {
    const uid = nextUid()
    const file = calendarOf(weekly(uid))
    await importCalendar(file)
    const [first, second, third] = await datesOf(uid)
    await update('startsLocal: "2026-12-01T17:00:00"')(first?.id ?? 0)
    await update('eventStatus: CANCELLED')(second?.id ?? 0)
    await editor.graphql('mutation ($id: ID!) { deleteEvent(input: { id: $id }) { userErrors { message } } }', {
      id: third?.id,
    })
    const titled = file.replace('SUMMARY:Yoga', 'SUMMARY:Deep yoga').replace('SEQUENCE:2', 'SEQUENCE:9')
    expect(await importCalendar(titled)).toMatchObject({ updated: 1, skipped: [] })
    expect(await startsOf(uid)).toEqual(['12-01T17:00', '12-08T18:00', '12-22T18:00'])
    expect(await app.db.event.findUnique({ where: { id: second?.id ?? 0 } })).toMatchObject({
      eventStatus: 'cancelled',
    })
    expect(await importCalendar(titled)).toMatchObject({ unchanged: 1, updated: 0, skipped: [] })
  })

  test('a date that gets a title of its own keeps its ID', async () => {
    const uid = nextUid()
    await importCalendar(calendarOf(weekly(uid)))
    const before = await datesOf(uid)
    const file = calendarOf(weekly(uid), eventOf(uid, ...on('08', 'SUMMARY:Guest lesson', 'SEQUENCE:2')))
    expect(await importCalendar(file)).toMatchObject({ created: 1, unchanged: 1, skipped: [] })
    const after = await datesOf(uid)
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(after.map(({ isOfSeries }) => isOfSeries)).toEqual([true, false, true, true])
    expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, unchanged: 2, skipped: [] })
    // Without the change, it follows the series.
    const later = calendarOf(weekly(uid).replace('SEQUENCE:2', 'SEQUENCE:3').replaceAll('T18', 'T17'))
    await importCalendar(later)
    expect(await startsOf(uid)).toEqual(['12-01T17:00', '12-08T17:00', '12-15T17:00', '12-22T17:00'])
  })
})

test('events of an earlier import become dates of the series, with their IDs and translations', async () => {
  const uid = nextUid()
  const ids: number[] = []
  for (const day of ['01', '08', '15', '22']) {
    const query = `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { databaseId } userErrors { message } } }`
    const times = { startsLocal: `2026-12-${day}T18:00:00`, endsLocal: `2026-12-${day}T19:30:00` }
    const texts = {
      title: 'Yoga',
      translations: [{ language: 'FR', name: 'Yoga du soir' }],
      uid: `${uid}/occurrence/202612${day}`,
    }
    const input = { ...texts, ...times, timeZone: 'Europe/Paris', status: 'PUBLISHED' }
    ids.push((await editor.graphql(query, { input })).body.data.createEvent.event.databaseId)
  }
  await update('title: "Not by the file"')(ids[2] ?? 0)
  await app.db.event.update({ where: { id: ids[2] ?? 0 }, data: { sequence: 7 } })
  const file = calendarOf(weekly(uid), eventOf(uid, ...on('08', at('20261208T200000'))))
  expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 1, trashed: 0 })
  expect(await datesOf(uid)).toEqual([
    { id: ids[0], start: '12-01T18:00', isOfSeries: true },
    { id: ids[1], start: '12-08T20:00', isOfSeries: true },
    // It was edited here.
    { id: ids[2], start: '12-15T18:00', isOfSeries: false },
    { id: ids[3], start: '12-22T18:00', isOfSeries: true },
  ])
  const query = 'query ($id: ID!) { event(id: $id) { slug translations { language name } } }'
  expect((await editor.graphql(query, { id: ids[0] })).body.data.event).toMatchObject({
    slug: expect.stringMatching(/^yoga(-\d+)?$/),
    translations: [
      { language: 'EN', name: 'Yoga' },
      { language: 'FR', name: 'Yoga du soir' },
    ],
  })
  expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, trashed: 0, unchanged: 1 })
})

test('a dry run writes nothing', async () => {
  const uid = nextUid()
  const file = calendarOf(weekly(uid), eventOf(uid, ...on('08', at('20261208T200000'))))
  expect(await importCalendar(file, { dryRun: true })).toMatchObject({ created: 1, updated: 0, skipped: [] })
  expect(await datesOf(uid)).toEqual([])
  await importCalendar(file)
  const before = await datesOf(uid)
  const later = calendarOf(weekly(uid, 'EXDATE;TZID=Europe/Paris:20261215T180000').replace('SUMMARY:', 'SUMMARY:Deep '))
  expect(await importCalendar(later, { dryRun: true })).toMatchObject({ created: 0, updated: 1, skipped: [] })
  expect(await datesOf(uid)).toEqual(before)
  await importCalendar(later)
  expect(await startsOf(uid)).toEqual(['12-01T18:00', '12-08T18:00', '12-22T18:00'])
})

test('a change of a date that the series does not have is an event of its own, with a note', async () => {
  const uid = nextUid()
  const file = calendarOf(weekly(uid), eventOf(uid, ...on('09', 'SUMMARY:Extra lesson', at('20261209T180000'))))
  const report = await importCalendar(file)
  expect(report).toMatchObject({ created: 2, skipped: [] })
  expect(report.notes).toEqual([
    expect.stringContaining('No date starts at 2026-12-09T18:00:00: it was imported as an event of its own.'),
  ])
  expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, trashed: 0, unchanged: 2 })
  expect((await datesOf(uid)).map(({ isOfSeries }) => isOfSeries)).toEqual([true, true, false, true, true])
})

test.each([
  [['RRULE:FREQ=DAILY;BYHOUR=10,18;COUNT=3'], 'it repeats within a day', ['12-01T10:00']],
  [['RRULE:FREQ=DAILY;COUNT=9;UNTIL=20261202'], 'it has both COUNT and UNTIL', ['12-01T10:00']],
  [
    ['RRULE:FREQ=DAILY;COUNT=2', 'EXRULE:FREQ=WEEKLY;BYDAY=WE'],
    'EXRULE is not supported: its dates were not excluded.',
    ['12-01T10:00', '12-02T10:00'],
  ],
])('what no schedule can say is reported: %j', async (lines, reason, starts) => {
  const uid = nextUid()
  const report = await importCalendar(calendarOf(eventOf(uid, 'SUMMARY:Dates', at('20261201T100000'), ...lines)))
  expect(report).toMatchObject({ created: 1, skipped: [] })
  expect(report.notes.join()).toContain(reason)
  expect(await startsOf(uid)).toEqual(starts)
})

test('a rule in UTC has dates in UTC', async () => {
  const uid = nextUid()
  await importCalendar(
    calendarOf(eventOf(uid, 'SUMMARY:Call', 'DTSTART:20261018T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=2')),
  )
  expect(await startsOf(uid)).toEqual(['10-18T17:00', '10-25T17:00'])
  expect(await app.db.series.findFirst({ where: { uid } })).toMatchObject({ timeZone: 'UTC' })
})

test('an endless rule has no end, and its dates follow the horizon', async () => {
  const uid = nextUid()
  const file = calendarOf(eventOf(uid, 'SUMMARY:Daily', at('20100101T090000'), 'DURATION:PT30M', 'RRULE:FREQ=DAILY'))
  const last = eventOf(uid, 'SUMMARY:Daily', 'RECURRENCE-ID;TZID=Europe/Paris:20281119T090000', at('20281119T110000'))
  const whole = file.replace('END:VCALENDAR', `${last}\r\nEND:VCALENDAR`)
  expect(await importCalendar(whole)).toMatchObject({ created: 1, notes: [], skipped: [] })
  const dates = await datesOf(uid)
  // From the first day of the import to 24 months ahead.
  expect([dates.length, dates[0]?.start, dates.at(-3)?.start]).toEqual([1097, '11-21T09:00', '11-19T11:00'])
  expect(await app.db.series.findFirst({ where: { uid } })).toMatchObject({ isEndless: true })
  // On another day.
  expect(await importCalendar(whole, { from: '2025-11-22' })).toMatchObject({ unchanged: 1, updated: 0, skipped: [] })
})

/** The dates that ical.js computes: changed ones with their own start. */
function datesByLibrary(text: string, uid: string): string[] {
  const components = ICAL.Component.fromString(text).getAllSubcomponents('vevent')
  const [master, ...others] = components.filter((each) => each.getFirstPropertyValue('uid') === uid)
  const event = new ICAL.Event(master, { exceptions: others.map((other) => new ICAL.Event(other)) })
  const iterator = event.iterator()
  const starts: string[] = []
  for (let next = iterator.next(); next && starts.length < 100; next = iterator.next())
    starts.push(event.getOccurrenceDetails(next).startDate.toString().slice(5, 16))
  return starts.sort()
}

describe('the dates are those of ical.js', () => {
  test.each([
    ['01', 'RRULE:FREQ=DAILY;INTERVAL=3;COUNT=12'],
    [
      '02',
      'RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;WKST=SU;COUNT=20',
      'EXDATE;TZID=Europe/Paris:20261207T180000,20261211T180000',
    ],
    ['08', 'RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=9'],
    ['31', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20270930T220000Z'],
    ['01', 'RRULE:FREQ=YEARLY;BYMONTH=12;BYDAY=1TU;COUNT=4'],
    ['31', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=8'],
    ['01', 'RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE;TZID=Europe/Paris:20261203T100000,20270105T200000'],
  ])('from the %s on: %s %s', async (day, ...lines) => {
    const uid = nextUid()
    const changed = eventOf(uid, 'SUMMARY:Rule', ...on(day, at('20261202T070000')))
    const file = calendarOf(eventOf(uid, 'SUMMARY:Rule', at(`202612${day}T180000`), ...lines), changed)
    await importCalendar(file)
    expect((await startsOf(uid)).sort()).toEqual(datesByLibrary(file, uid))
  })

  test('in a calendar of Google', async () => {
    const file = readFileSync(new URL('ics/google.ics', import.meta.url), 'utf8')
    await importCalendar(file)
    expect((await startsOf('choir@google.com')).sort()).toEqual(datesByLibrary(file, 'choir@google.com'))
  })
})

test('a feed of this service, imported into an empty one, gives the same series', async () => {
  const [from, to] = [
    await openTestApp({ SITE_TIMEZONE: 'Europe/Paris', END_OF_DAY_CUTOFF: '05:00' }),
    await openTestApp({ SITE_TIMEZONE: 'Europe/Paris', END_OF_DAY_CUTOFF: '05:00', PUBLIC_URL: 'http://other.test' }),
  ]
  const client = await from.signIn('editor')
  const create = async (title: string, schedule: object, more: object = {}) => {
    const query = `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) {
      series { databaseId uid events(first: 50) { nodes { id startsLocal } } } userErrors { path message } } }`
    const input = { title, status: 'PUBLISHED', schedule, ...more }
    const { series, userErrors } = (await client.graphql(query, { input })).body.data.createEventSeries
    expect(userErrors).toEqual([])
    return series
  }
  const course = await create(
    'Chess',
    {
      timeZone: 'Europe/Paris',
      recurrences: [
        { startsLocal: '2027-01-12T18:00:00', endsLocal: '2027-01-12T20:00:00', rule: 'FREQ=WEEKLY;UNTIL=20270629' },
        { startsLocal: '2027-01-16T11:00:00', endsLocal: '2027-01-16T12:00:00', rule: 'FREQ=MONTHLY;COUNT=4' },
      ],
      excludedDates: ['2027-03-30', '2027-04-06'],
    },
    { description: 'Bring a friend.', venues: [{ create: { name: 'Public library' } }] },
  )
  await create('Camp', {
    timeZone: 'Europe/Paris',
    allDay: true,
    recurrences: [
      { startsLocal: '2027-07-05T00:00:00', endsLocal: '2027-07-06T00:00:00', rule: 'FREQ=WEEKLY;COUNT=3' },
    ],
  })
  await create('Exhibition', {
    timeZone: 'Europe/Paris',
    recurrences: [
      { startsLocal: '2027-01-04T10:00:00', endsLocal: '2027-01-04T11:00:00', rule: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6' },
      { startsLocal: '2027-01-05T10:00:00', endsLocal: '2027-01-05T11:00:00', rule: 'FREQ=WEEKLY;BYDAY=TU,WE;COUNT=6' },
    ],
    excludedDates: ['2027-01-13'],
  })
  await create('Night', {
    timeZone: 'Europe/Paris',
    recurrences: [
      { startsLocal: '2027-03-13T22:00:00', endsLocal: '2027-03-14T03:30:00', rule: 'FREQ=WEEKLY;COUNT=4' },
    ],
  })
  const change = async (index: number, fields: string) => {
    const query = `mutation ($id: ID!) { updateEvent(input: { id: $id, ${fields} }) { userErrors { path message } } }`
    const { body } = await client.graphql(query, { id: course.events.nodes[index].id })
    expect(body).toEqual({ data: { updateEvent: { userErrors: [] } } })
  }
  await change(3, 'eventStatus: CANCELLED, dateLabel: "The teacher is ill", dateNote: "Tea & cake"')
  await change(5, 'startsLocal: "2027-02-10T17:00:00", endsLocal: "2027-02-10T19:00:00"')
  const feed = (await readCalendar(from, '/events.ics')).body
  const importTo = await importerOf(to)
  expect(await importTo(feed)).toMatchObject({ created: 4, notes: [], skipped: [], unreadProperties: {} })
  const read = async (of: TestApp) => {
    const query = `{ events(filter: { occurrences: NEXT }, first: 9) { nodes { series { uid title descriptionHtml timeZone allDay words
      recurrences { startsLocal endsLocal rule }
      events(first: 50) { nodes { startsLocal endsLocal eventStatus dateLabel dateNote occurrence originalStartsLocal } } } } } }`
    // UNTIL is an instant in iCalendar.
    return JSON.parse(JSON.stringify((await of.graphql(query)).body.data.events.nodes).replace(/;UNTIL=\w+/g, ''))
  }
  expect(await read(to)).toEqual(await read(from))
  expect(await importTo(feed)).toMatchObject({ created: 0, updated: 0, unchanged: 4, skipped: [] })
  await from.close()
  await to.close()
})

test('a series that cannot be read leaves the events after it', async () => {
  const [invalid, late, valid] = [nextUid(), nextUid(), nextUid()]
  const file = calendarOf(
    eventOf(invalid, 'SUMMARY:Fair', at('20180101T100000'), 'RRULE:FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO'),
    eventOf(
      late,
      'SUMMARY:Ball',
      at('20261201T100000'),
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RDATE;TZID=Europe/Paris:99990101T100000',
    ),
    weekly(valid),
  )
  const report = await importCalendar(file)
  expect(report.skipped.map(({ uid }) => uid)).toEqual([invalid, late])
  expect(await startsOf(valid)).toHaveLength(4)
})

test('a single event that recurs from another day on becomes the first date', async () => {
  const uid = nextUid()
  await importCalendar(calendarOf(eventOf(uid, 'SUMMARY:Yoga', at('20261130T180000'))))
  const [single] = await datesOf(uid)
  expect(await importCalendar(calendarOf(weekly(uid)))).toMatchObject({ skipped: [] })
  const [first, ...others] = await datesOf(uid)
  expect(first).toEqual({ id: single?.id, start: '12-01T18:00', isOfSeries: true })
  expect(others).toHaveLength(3)
})

test('no excluded date takes place, however many there are', async () => {
  const uid = nextUid()
  const days = Array.from({ length: 250 }, (_, index) =>
    new Date(Date.UTC(2026, 11, 2 + index)).toISOString().slice(0, 10),
  )
  const excluded = days.map((day) => `EXDATE;TZID=Europe/Paris:${day.replaceAll('-', '')}T180000`)
  const file = calendarOf(eventOf(uid, ...yoga, 'RRULE:FREQ=DAILY;COUNT=300', ...excluded))
  expect(await importCalendar(file)).toMatchObject({ created: 1, skipped: [] })
  const rows = await app.db.event.findMany({ where: { series: { uid } }, select: { startsLocal: true } })
  const starts = rows.map(({ startsLocal }) => startsLocal.toISOString().slice(0, 10))
  expect(starts).toHaveLength(50)
  expect(starts.filter((day) => days.includes(day))).toEqual([])
  expect(await importCalendar(file)).toMatchObject({ unchanged: 1 })
})

test('a moved date of a series of whole days stays in the series', async () => {
  const uid = nextUid()
  const onDay = (name: string, day: string) => `${name};VALUE=DATE:202612${day}`
  const file = calendarOf(
    eventOf(uid, 'SUMMARY:Market', onDay('DTSTART', '01'), 'RRULE:FREQ=WEEKLY;COUNT=3'),
    eventOf(uid, 'SUMMARY:Market', onDay('RECURRENCE-ID', '08'), onDay('DTSTART', '09')),
  )
  expect(await importCalendar(file)).toMatchObject({ created: 1, skipped: [], notes: [] })
  const dates = await datesOf(uid)
  expect(dates.map(({ start, isOfSeries }) => [start.slice(0, 5), isOfSeries])).toEqual([
    ['12-01', true],
    ['12-09', true],
    ['12-15', true],
  ])
})
