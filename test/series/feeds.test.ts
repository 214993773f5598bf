// Series in feeds: what ical.js and node-ical read from a file has the dates of the series.
import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onQuery } from '../../src/engine/postgres/query.ts'
import { type ApiClient, now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { eventsOf, readCalendar } from '../helpers/icalendar.ts'
import { makeEvent } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp({ FEED_PAST_DAYS: '10', FEED_CANCELLED_DAYS: '20' })
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())
beforeEach(async () => {
  app.clock.now = now
  await app.db.event.deleteMany({})
  await app.db.content.deleteMany({})
})

interface Schedule {
  readonly timeZone?: string
  readonly allDay?: boolean
  readonly recurrences: readonly { startsLocal: string; endsLocal: string; rule: string }[]
  readonly extraDates?: readonly { startsLocal: string; endsLocal?: string }[]
  readonly excludedDates?: readonly string[]
}

async function mutate(name: string, input: object, selection: string) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const { body } = await editor.graphql(
    `mutation ($input: ${type}!) { result: ${name}(input: $input) { ${selection} userErrors { path message } } }`,
    { input },
  )
  expect(body.errors ?? body.data.result.userErrors).toEqual([])
  return body.data.result
}

/** Creates a series, and returns its ID. */
async function create(schedule: Schedule, others: object = {}): Promise<number> {
  const { series } = await mutate(
    'createEventSeries',
    { title: 'Yoga', status: 'PUBLISHED', schedule, ...others },
    'series { databaseId }',
  )
  return series.databaseId
}

interface StoredDate {
  readonly databaseId: number
  readonly startsAt: string
  readonly endsAt: string
  readonly uid: string
}

async function datesOf(series: number): Promise<StoredDate[]> {
  const query = `query ($after: String) { events(filter: { series: ["${series}"] }, orderBy: { field: START }, first: 100, after: $after) {
    nodes { databaseId startsAt endsAt uid } pageInfo { hasNextPage endCursor } } }`
  const dates: StoredDate[] = []
  for (let after: string | undefined; ; ) {
    const { body } = await app.graphql(query, { after })
    dates.push(...body.data.events.nodes)
    if (!body.data.events.pageInfo.hasNextPage) return dates
    after = body.data.events.pageInfo.endCursor
  }
}

const change = (id: number | undefined, input: object) =>
  mutate('updateEvent', { id: String(id), ...input }, 'event { databaseId }')

type Instance = readonly [start: string, end: string]

/** The dates until 2028 that ical.js reads. */
function readWithIcalJs(text: string, until: Date): Instance[] {
  const calendar = ICAL.Component.fromString(text)
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  const all = eventsOf(text)
  return all
    .filter((event) => !event.isRecurrenceException())
    .flatMap((event) => {
      for (const other of all)
        if (other.isRecurrenceException() && other.uid === event.uid) event.relateException(other)
      if (!event.isRecurring()) return [[event.startDate, event.endDate] as const]
      const found: (readonly [ICAL.Time, ICAL.Time])[] = []
      const iterator = event.iterator()
      for (let next = iterator.next(); next && next.toJSDate() <= until; next = iterator.next()) {
        const { startDate, endDate } = event.getOccurrenceDetails(next)
        found.push([startDate, endDate])
      }
      return found
    })
    .map(([start, end]) => [textOf(start), textOf(end)] as const)
    .sort()
}

const textOf = (time: ICAL.Time) => (time.isDate ? time.toString() : time.toJSDate().toISOString())

/** The day of the machine's time zone, for which node-ical adds 24 hours a day. */
function local(date: Date): string {
  const noon = new Date(date.getTime() + 43_200_000)
  return new Date(noon.getTime() - noon.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

function readWithNodeIcal(text: string, until: Date): Instance[] {
  const events = Object.values(nodeIcal.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT')
  return events
    .flatMap((event) => nodeIcal.expandRecurringEvent(event, { from: new Date('2000-01-01'), to: until }))
    .map(({ start, end, isFullDay }) => {
      const format = (date: Date) => (isFullDay ? local(date) : new Date(date).toISOString())
      return [format(start), format(end)] as const
    })
    .sort()
}

async function expectDates(series: number, url = '/events.ics', isAllDay = false): Promise<string> {
  const dates = await datesOf(series)
  const until = new Date(dates.at(-1)?.endsAt ?? '')
  const expected = dates
    .map(({ startsAt, endsAt }) =>
      isAllDay
        ? // Whole days are those of the site's time zone, UTC.
          ([startsAt, endsAt].map((at) =>
            new Date(Date.parse(at) + 1000).toISOString().slice(0, 10),
          ) as unknown as Instance)
        : ([startsAt, endsAt].map((at) => new Date(at).toISOString()) as unknown as Instance),
    )
    .sort()
  const { body } = await readCalendar(app, url)
  expect(readWithIcalJs(body, until)).toEqual(expected)
  expect(readWithNodeIcal(body, until)).toEqual(expected)
  expect(body).not.toContain('RDATE')
  return body
}

const linesOf = (text: string, name: string) =>
  text
    .replaceAll('\r\n ', '')
    .replace(/BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE\r\n/g, '')
    .split('\r\n')
    .filter((line) => line.startsWith(name))

const once = (startsLocal: string, rule: string, endsLocal = `${startsLocal.slice(0, 10)}T23:45:00`) => ({
  recurrences: [{ startsLocal, endsLocal, rule }],
})

const cases: readonly (readonly [string, Schedule])[] = [
  ['weekly', once('2026-10-15T19:00:00', 'FREQ=WEEKLY;COUNT=4')],
  ['a gap of the clocks', once('2027-03-27T02:30:00', 'FREQ=DAILY;COUNT=3')],
  ['another gap', once('2027-03-13T02:30:00', 'FREQ=DAILY;COUNT=3')],
  ['an hour that is repeated', once('2026-10-24T02:30:00', 'FREQ=DAILY;COUNT=3')],
  ['UNTIL as an instant', once('2026-10-24T02:30:00', 'FREQ=DAILY;UNTIL=20261025T010000Z')],
  ['the 31st', once('2027-01-31T10:00:00', 'FREQ=MONTHLY;COUNT=3')],
  ['29 February', once('2024-02-29T10:00:00', 'FREQ=YEARLY;COUNT=3')],
  [
    'the last working day but one',
    once('2026-09-29T10:00:00', 'FREQ=MONTHLY;COUNT=4;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2'),
  ],
  ['weeks begin on Sunday', once('2027-08-03T10:00:00', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU')],
  ['the fifth Saturday', once('2026-01-31T10:00:00', 'FREQ=MONTHLY;BYDAY=5SA;COUNT=3')],
  ['UNTIL as a day', once('2026-12-01T10:00:00', 'FREQ=DAILY;UNTIL=20261203')],
  ['a first date that the rule does not match', once('2026-12-01T10:00:00', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3')],
  ['a night', once('2026-10-17T22:00:00', 'FREQ=WEEKLY;COUNT=4', '2026-10-18T03:30:00')],
  [
    'a first night in which the clocks change',
    once('2026-10-24T22:00:00', 'FREQ=WEEKLY;COUNT=4', '2026-10-25T03:30:00'),
  ],
  ['a night in spring', once('2027-03-06T22:00:00', 'FREQ=WEEKLY;COUNT=5', '2027-03-07T03:30:00')],
  [
    'a night that ends in a gap of the clocks',
    once('2027-03-26T23:30:00', 'FREQ=DAILY;COUNT=4', '2027-03-27T02:30:00'),
  ],
  ['the 20th Monday of a year', once('2027-05-17T10:00:00', 'FREQ=YEARLY;BYDAY=20MO;COUNT=3')],
  ['a week of a year', once('2027-05-17T10:00:00', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3')],
  [
    'the last day of the month, by four numbers',
    once('2027-01-31T10:00:00', 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=5'),
  ],
  [
    'the first and last day of the working week',
    once('2027-01-04T10:00:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1;COUNT=5'),
  ],
  ['a day of every month', once('2027-01-13T10:00:00', 'FREQ=YEARLY;BYMONTHDAY=13;COUNT=4')],
  ['the last day of the month, by a daily rule', once('2027-01-15T10:00:00', 'FREQ=DAILY;BYMONTHDAY=15,-1;COUNT=5')],
  ['without a length', once('2026-12-01T10:00:00', 'FREQ=WEEKLY;COUNT=3', '2026-12-01T10:00:00')],
  ['without an end', once('2026-12-01T10:00:00', 'FREQ=WEEKLY;BYDAY=TU')],
  [
    'COUNT, an excluded and an extra date',
    {
      ...once('2027-04-01T10:00:00', 'FREQ=DAILY;COUNT=3'),
      excludedDates: ['2027-04-02'],
      extraDates: [{ startsLocal: '2027-04-05T11:00:00', endsLocal: '2027-04-05T15:00:00' }],
    },
  ],
  [
    'several rules',
    {
      recurrences: [
        {
          startsLocal: '2026-12-01T10:00:00',
          endsLocal: '2026-12-01T18:00:00',
          rule: 'FREQ=WEEKLY;BYDAY=TU,WE;COUNT=8',
        },
        { startsLocal: '2026-12-05T11:00:00', endsLocal: '2026-12-05T17:00:00', rule: 'FREQ=WEEKLY;COUNT=4' },
        { startsLocal: '2026-12-02T10:00:00', endsLocal: '2026-12-02T18:00:00', rule: 'FREQ=WEEKLY;COUNT=6' },
      ],
      excludedDates: ['2026-12-05', '2026-12-01'],
    },
  ],
]

/** Cases of the clocks are read in both zones that change them, the others in one zone each. */
const isOfClocks = ([name]: (typeof cases)[number]) => /weekly|gap|hour|instant|clocks|spring/.test(name)
const zones = ['Europe/Paris', 'America/New_York', 'UTC']

describe.each(zones)('%s', (timeZone) => {
  const zone = zones.indexOf(timeZone)
  const ofZone = new Set([...partOf(cases, zones.length, zone), ...(zone < 2 ? cases.filter(isOfClocks) : [])])
  test.each([...ofZone])('%s', async (_name, schedule) => {
    await expectDates(await create({ ...schedule, timeZone }), '/event/yoga/?ical=1')
  })
})

test.each(
  partOf(
    cases.filter(([name]) => !/UNTIL as an instant|without a length|gap|rules|extra/.test(name)),
    2,
  ),
)('whole days: %s', async (_name, schedule) => {
  await expectDates(await create({ ...schedule, allDay: true }), '/event/yoga/?ical=1', true)
})

const timeZone = 'Europe/Paris'
const weekly = { ...once('2026-11-05T19:00:00', 'FREQ=WEEKLY;COUNT=10', '2026-11-05T21:00:00'), timeZone }

test('a series is one group of its UID, with its SEQUENCE and LAST-MODIFIED', async () => {
  const id = await create(weekly, { description: '<p>Bring a mat.</p>' })
  const dates = await datesOf(id)
  await change(dates[1]?.databaseId, { startsLocal: '2026-11-13T18:00:00', endsLocal: '2026-11-13T20:00:00' })
  await change(dates[2]?.databaseId, { eventStatus: 'CANCELLED' })
  await change(dates[3]?.databaseId, {
    onlineUrl: 'https://meet.test/4',
    dateLabel: 'premiere',
    dateNote: 'Come early.',
  })
  await change(dates[4]?.databaseId, { hideFromListings: true })
  await change(dates[5]?.databaseId, { title: 'Pilates' })
  app.clock.now = new Date(now.getTime() + 60_000)
  await mutate('updateEventSeries', { id: String(id), title: 'Yoga for all' }, 'series { databaseId }')
  const { body } = await readCalendar(app, '/events.ics')
  const { body: read } = await app.graphql(
    `{ eventSeries(id: "${id}") { uid sequence modifiedAt icalendar { rules } } }`,
  )
  const { uid, sequence, modifiedAt, icalendar } = read.data.eventSeries
  const own = eventsOf(body).filter((event) => event.uid === uid)
  expect(own).toHaveLength(4)
  expect(linesOf(body, 'RRULE')).toEqual(['RRULE:FREQ=WEEKLY;COUNT=10'])
  expect(linesOf(body, 'EXDATE')).toEqual([
    'EXDATE;TZID=Europe/Paris:20261203T190000',
    'EXDATE;TZID=Europe/Paris:20261210T190000',
  ])
  expect(icalendar.rules[0].split('\n')).toEqual([
    'DTSTART;TZID=Europe/Paris:20261105T190000',
    'DTEND;TZID=Europe/Paris:20261105T210000',
    ...linesOf(body, 'RRULE'),
    ...linesOf(body, 'EXDATE'),
  ])
  expect(linesOf(body, 'RECURRENCE-ID')).toEqual(
    ['12', '19', '26'].map((day) => `RECURRENCE-ID;TZID=Europe/Paris:202611${day}T190000`),
  )
  expect(linesOf(body, 'SUMMARY')).toEqual([
    'SUMMARY;LANGUAGE=en:Yoga for all',
    'SUMMARY;LANGUAGE=en:Yoga for all',
    'SUMMARY;LANGUAGE=en:Yoga for all',
    'SUMMARY;LANGUAGE=en:Yoga for all (premiere)',
    'SUMMARY;LANGUAGE=en:Pilates',
  ])
  expect(linesOf(body, 'STATUS')[2]).toBe('STATUS:CANCELLED')
  expect(linesOf(body, 'DESCRIPTION')[3]).toContain('Come early.\\n\\nBring a mat.')
  expect(linesOf(body, 'CONFERENCE')).toHaveLength(1)
  const [master] = own
  expect(master?.component.getFirstPropertyValue('sequence')).toBe(sequence)
  const modified = master?.component.getFirstPropertyValue('last-modified') as ICAL.Time | undefined
  expect(modified?.toJSDate().getTime()).toBe(Math.floor(Date.parse(modifiedAt) / 1000) * 1000)
})

test('a cancelled date is excluded when subscribers have had time to see it', async () => {
  const dates = await datesOf(await create(weekly))
  await change(dates[9]?.databaseId, { eventStatus: 'CANCELLED' })
  app.clock.now = new Date('2026-12-20T12:00:00Z')
  const { body } = await readCalendar(app, '/events.ics')
  expect(linesOf(body, 'RECURRENCE-ID')).toEqual([])
  expect(linesOf(body, 'EXDATE')).toEqual(['EXDATE;TZID=Europe/Paris:20270107T190000'])
})

test('a series whose schedule changed has past dates as they were', async () => {
  const id = await create({ ...once('2026-10-01T19:00:00', 'FREQ=WEEKLY;COUNT=20', '2026-10-01T21:00:00'), timeZone })
  const schedule = { timeZone, ...once('2026-10-01T19:30:00', 'FREQ=WEEKLY;COUNT=20', '2026-10-01T21:00:00') }
  await mutate('updateEventSeries', { id: String(id), schedule }, 'series { databaseId }')
  const body = await expectDates(id, '/event/yoga/?ical=1')
  expect(linesOf(body, 'DTSTART').at(0)).toBe('DTSTART;TZID=Europe/Paris:20261126T193000')
})

test.each([
  '/events.ics?expand=1',
  '/events.ics?start_date=2026-11-01&end_date=2027-12-31',
  '/event/yoga/?ical=1&expand=1',
])('%s has an event for each date', async (url) => {
  const id = await create(weekly)
  const { body } = await readCalendar(app, url)
  expect(linesOf(body, 'RRULE')).toEqual([])
  const uids = (await datesOf(id)).map(({ uid }) => uid)
  const first = url.includes('start_date') ? 0 : 1
  expect(eventsOf(body).map(({ uid }) => uid)).toEqual(url.startsWith('/event/') ? uids.slice(3, 4) : uids.slice(first))
})

test('the file of a date has this date', async () => {
  const [, , date] = await datesOf(await create(weekly))
  const { body } = await readCalendar(app, '/event/yoga/2026-11-19/?ical=1')
  expect(eventsOf(body).map(({ uid }) => uid)).toEqual([date?.uid])
})

test('a series in a zone without a name has an event for each date of the feed', async () => {
  const id = await create({ ...weekly, timeZone: '+02:00' })
  const recent = (await datesOf(id)).filter(({ endsAt }) => endsAt > '2026-11-11')
  const { body } = await readCalendar(app, '/events.ics')
  expect(eventsOf(body).map(({ uid }) => uid)).toEqual(recent.map(({ uid }) => uid))
})

const long = (count: number) => once('2026-12-01T19:00:00', `FREQ=DAILY;COUNT=${count}`, '2026-12-01T21:00:00')

test.each([
  ['without rules', { ...long(260), timeZone: '+02:00' }],
  ['with more than 500 changed dates', { ...long(510), timeZone }],
])('the dates of a series %s are limited as other events', async (_name, schedule) => {
  const series = await create(schedule)
  await app.db.$executeRaw`UPDATE event SET changed_fields = '{times}' WHERE series_id = ${series}`
  const limited = await serve(app, { FEED_EVENTS_MAX: '250', RATE_LIMIT: '8', QUERY_COST_MAX: '100' })
  for (const url of ['/event/yoga/?ical=1', '/events.ics'])
    expect(new Set(eventsOf((await readCalendar(limited, url)).body).map(({ uid }) => uid)).size).toBe(250)
  expect((await limited.get('/events.ics?per_page=240')).status).toBe(429)
  await limited.app.close()
})

test('the dates of a series without rules are streamed', async () => {
  const description = `<p>${'long text '.repeat(1000)}</p>`
  await create({ ...long(310), timeZone: '+02:00' }, { description })
  const whole = await readCalendar(app, '/event/yoga/?ical=1')
  expect(whole.headers.etag).toMatch(/^W/)
  expect(new Set(eventsOf(whole.body).map(({ uid }) => uid)).size).toBe(310)
  let statements = 0
  const stop = onQuery(app.db, () => {
    statements += 1
  })
  await app.app.inject({ method: 'HEAD', url: '/event/yoga/?ical=1&per_page=309' })
  const ofHead = statements
  await app.app.inject({ url: '/event/yoga/?ical=1&per_page=308' })
  stop()
  expect(statements - ofHead).toBeGreaterThan(ofHead + 3)
})

test('a series that ended long ago is in no feed, one that began long ago has its time zone from then', async () => {
  await create(once('2010-01-07T19:00:00', 'FREQ=WEEKLY;COUNT=10'))
  await makeEvent(app.db, 'Before', { start: '2026-11-12T10:00:00' })
  const id = await create({ ...once('2026-01-01T19:00:00', 'FREQ=WEEKLY;COUNT=60'), timeZone }, { title: 'Choir' })
  const body = await expectDates(id, '/event/choir/?ical=1')
  expect(linesOf(body, 'SUMMARY')).toEqual(['SUMMARY;LANGUAGE=en:Choir'])
  const { body: all } = await readCalendar(app, '/events.ics')
  expect(linesOf(all, 'SUMMARY').map((line) => line.split(':')[1])).toEqual(['Before', 'Choir'])
  expect(/TZID:Europe\/Paris[\s\S]*?DTSTART:(\d{8})/.exec(all)?.[1] ?? '').toMatch(/^2025/)
})

test('RSS and JSON Feed have one item for each series, with expand=1 one for each date', async () => {
  const id = await create(weekly)
  const { body: read } = await app.graphql(`{ eventSeries(id: "${id}") { uid url } }`)
  const { uid, url } = read.data.eventSeries
  const items = async (query: string) => (await app.get(`/events.json${query}`)).body.items
  expect(await items('')).toMatchObject([{ id: uid, url, _event: { starts_local: '2026-11-12T19:00:00' } }])
  expect(await items('?expand=1')).toHaveLength(9)
  const { body: rss } = await app.get('/events.rss')
  expect([...rss.matchAll(/<guid[^>]*>([^<]*)/g)].map(([, guid]) => guid)).toEqual([uid])
})

test('an all-day date that moved keeps its place in the rule', async () => {
  const id = await create({ ...once('2026-12-01T00:00:00', 'FREQ=WEEKLY;COUNT=4'), allDay: true })
  const dates = await datesOf(id)
  await change(dates[1]?.databaseId, { startsLocal: '2026-12-09T00:00:00', endsLocal: '2026-12-10T23:59:59' })
  const body = await expectDates(id, '/event/yoga/?ical=1', true)
  expect(linesOf(body, 'RECURRENCE-ID')).toEqual(['RECURRENCE-ID;VALUE=DATE:20261208'])
})
