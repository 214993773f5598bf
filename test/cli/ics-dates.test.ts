// Dates, rules and time zones in calendars as programs write them, against the standard or in a rare form of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '../../src/basics/time.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { calendarOf, eventOf, type ImportCalendar, importerOf } from '../helpers/ics.ts'

let app: TestApp
let importCalendar: ImportCalendar

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris' })
  importCalendar = await importerOf(app)
})
afterAll(() => app?.close())

let count = 0
/** A UID that no other test uses. */
const nextUid = () => `dates-${++count}`

type Row = { uid: string; startsLocal: string; endsLocal: string; startsAt: string; endsAt: string; timeZone: string }

/** The dates of a series, or the event itself, by start. */
async function eventsOf(uid: string): Promise<Row[]> {
  const rows = await app.db.event.findMany({
    where: { OR: [{ uid }, { uid: { startsWith: `${uid}/` } }, { series: { uid } }] },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ startsLocal, endsLocal, startsAt, endsAt, timeZone, uid: own }) => ({
    uid: (own ?? '').slice(uid.length),
    timeZone,
    startsLocal: startsLocal.toISOString().slice(0, 16),
    endsLocal: endsLocal.toISOString().slice(0, 16),
    startsAt: startsAt.toISOString().slice(0, 16),
    endsAt: endsAt.toISOString().slice(0, 16),
  }))
}

/** Imports an event with these lines, after the components of the calendar. */
async function importEvent(lines: readonly string[], ...components: string[]) {
  const uid = nextUid()
  const report = await importCalendar(calendarOf(...components, eventOf(uid, 'SUMMARY:Event', ...lines)))
  const notes = report.notes
    .map((note) => note.replace(/^Event \S+ \(line \d+\): /, ''))
    .filter((note) => !/were imported one by one/.test(note))
  const importAgain = (others: readonly string[]) =>
    importCalendar(calendarOf(...components, eventOf(uid, 'SUMMARY:Event', ...others)))
  return { events: await eventsOf(uid), notes, report, uid, importAgain }
}

const paris = 'DTSTART;TZID=Europe/Paris:20261204T190000'
const newYork = 'DTSTART;TZID=America/New_York:20261204T190000'

/** A definition of a zone, whose clocks change as in Europe. */
const zone = (tzid: string, standard: string, daylight: string, rule = 'FREQ=YEARLY;'): string =>
  [
    ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:19701025T030000', `TZOFFSETFROM:${daylight}`],
    ...[`TZOFFSETTO:${standard}`, `RRULE:${rule}BYMONTH=10;BYDAY=-1SU`, 'END:STANDARD', 'BEGIN:DAYLIGHT'],
    ...['DTSTART:19700329T020000', `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`],
    ...[`RRULE:${rule}BYMONTH=3;BYDAY=-1SU`, 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ].join('\r\n')

const fixedZone = (tzid: string, offset: string): string =>
  [
    ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000', `TZOFFSETFROM:${offset}`],
    ...[`TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE'],
  ].join('\r\n')

describe('the form of a date', () => {
  test.each([
    [['DTSTART;TZID=(UTC+01:00) Paris:20261204T190000'], '2026-12-04T18:00', 'Europe/Paris'],
    [['DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada):20261204T190000'], '2026-12-05T00:00', 'America/New_York'],
    [
      ['DTSTART;TZID=(UTC+01:00) Brussels, Copenhagen, Madrid, Paris:20260704T190000'],
      '2026-07-04T17:00',
      'Europe/Paris',
    ],
    [
      ['DTSTART;TZID=(UTC-08:00) Pacific Time (US & Canada); Tijuana:20261204T190000'],
      '2026-12-05T03:00',
      'America/Los_Angeles',
    ],
    [['DTSTART;TZID="America/New_York:20261204T190000'], '2026-12-05T00:00', 'America/New_York'],
    [['DTSTART;TZID=America/New_York;:20261204T190000'], '2026-12-05T00:00', 'America/New_York'],
    [['DTSTART;TZID=GMT+02:00:20261204T190000'], '2026-12-04T17:00', '+02:00'],
    [['DTSTART;TZID="W. Europe Standard Time:20261204T190000"'], '2026-12-04T18:00', 'Europe/Berlin'],
    [['DTSTART:20261010T200000+0200'], '2026-10-10T18:00', 'Europe/Paris'],
    [['DTSTART:2026-10-10T20:00:00.000-05:00'], '2026-10-11T01:00', 'Europe/Paris'],
    [['DTSTART;TZID=America/New_York:20261010T180000Z'], '2026-10-10T18:00', 'America/New_York'],
    [['DTSTART:20261010T200000.123Z'], '2026-10-10T20:00', 'Europe/Paris'],
    [['DTSTART;TZID=America/New_York:20261010T200000,5'], '2026-10-11T00:00', 'America/New_York'],
    [['dtstart:20261010t200000z'], '2026-10-10T20:00', 'Europe/Paris'],
    [['dtstart;value=date:20261010'], '2026-10-09T22:00', 'Europe/Paris'],
    [['DTSTART;VALUE=DATE:20261010T000000'], '2026-10-09T22:00', 'Europe/Paris'],
    [['DTSTART;VALUE=DATE:20261010T190000'], '2026-10-10T17:00', 'Europe/Paris'],
    [['DTSTART;TZID=tzone://Microsoft/Utc:20261010T190000'], '2026-10-10T19:00', 'UTC'],
    [
      ['DTSTART:20261010T190000', 'DTEND;TZID=America/New_York:20261010T210000'],
      '2026-10-10T23:00',
      'America/New_York',
    ],
  ])('%j begins at %s (%s)', async (lines, startsAt, timeZone) => {
    const { events, notes } = await importEvent(lines)
    expect(events.map((event) => [event.startsAt, event.timeZone])).toEqual([[startsAt, timeZone]])
    expect(notes).toEqual([])
  })

  test('an end without a zone is in that of the start', async () => {
    const { events } = await importEvent([newYork, 'DTEND:20261204T210000'])
    expect(events).toMatchObject([{ startsAt: '2026-12-05T00:00', endsAt: '2026-12-05T02:00' }])
  })

  test.each([
    ['DURATION:-PT1H', 'DURATION:-PT1H is not a duration and was ignored.'],
    ['EXDATE:soon', 'EXDATE:soon is not a date and was ignored.'],
    ['RDATE:20261305T100000', 'RDATE:20261305T100000 is not a date and was ignored.'],
    ['RDATE;VALUE=DATE:20261210', 'RDATE:2026-12-10 has no time: it was read with the time of DTSTART.'],
  ])('%s is noted', async (line, note) => {
    expect((await importEvent([paris, line])).notes).toEqual([note])
  })
})

describe('rules that cannot be read', () => {
  test.each([
    ['', 'FREQ is missing'],
    ['FREQ=FORTNIGHTLY', 'FREQ=FORTNIGHTLY is not a part of a rule'],
    ['FREQ=WEEKLY;BYMONTHDAY=4', 'BYMONTHDAY MUST NOT be used when FREQ is WEEKLY'],
    ['FREQ=DAILY;UNTIL=never', 'UNTIL=NEVER is not a part of a rule'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL=0 is not a part of a rule'],
  ])('RRULE:%s: the event is imported once, and the rest of the file', async (rule, reason) => {
    const [bad, good] = [nextUid(), nextUid()]
    const report = await importCalendar(
      calendarOf(
        eventOf(bad, 'SUMMARY:Bad', paris, `RRULE:${rule}`),
        eventOf(good, 'SUMMARY:Good', paris, 'RRULE:FREQ=DAILY;COUNT=2'),
      ),
    )
    expect(report).toMatchObject({ created: 2, skipped: [] })
    expect(report.notes[0]).toMatch(
      `RRULE:${rule} cannot be read (${reason}): the dates of the rule were not imported.`,
    )
    expect((await eventsOf(bad)).map(({ uid }) => uid)).toEqual([''])
  })

  test('occurrences of an earlier import stay', async () => {
    const uid = nextUid()
    const series = (rule: string) => calendarOf(eventOf(uid, 'SUMMARY:Series', paris, rule))
    await importCalendar(series('RRULE:FREQ=DAILY;COUNT=3'))
    expect(await importCalendar(series('RRULE:FREQ=OFTEN'))).toMatchObject({ updated: 0, trashed: 0 })
    expect(await eventsOf(uid)).toHaveLength(3)
    expect(await importCalendar(series('RRULE:FREQ=DAILY;COUNT=2'))).toMatchObject({ updated: 1 })
    expect(await eventsOf(uid)).toHaveLength(2)
  })
})

describe('dates beside DTSTART', () => {
  const daily = 'RRULE:FREQ=DAILY;COUNT=4'
  test.each([
    [[newYork, daily, 'EXDATE:20261205T190000'], '04T19:00 06T19:00 07T19:00'],
    [[newYork, daily, 'EXDATE:2026-12-05T19:00:00,2026-12-06T19:00:00'], '04T19:00 07T19:00'],
    [['DTSTART;TZID="America/New_York:20261204T190000', daily, 'EXDATE:20261205T190000'], '04T19:00 06T19:00 07T19:00'],
    [['DTSTART;TZID=America/New_York;FOO:20261204T190000', daily], '04T19:00 05T19:00 06T19:00 07T19:00'],
    [[newYork, daily, 'EXDATE:20261206T000000Z'], '04T19:00 06T19:00 07T19:00'],
    [[newYork, daily, 'EXDATE;VALUE=DATE:20261205'], '04T19:00 06T19:00 07T19:00'],
    [[newYork, daily, 'EXDATE;TZID=Europe/Paris:20261206T010000,20261207T010000'], '04T19:00 07T19:00'],
    [[newYork, 'RDATE:20261210T120000'], '04T19:00 10T12:00'],
    [[newYork, 'RDATE:20261210T170000Z'], '04T19:00 10T12:00'],
    [[newYork, 'RRULE:FREQ=DAILY;UNTIL=20261205T190000'], '04T19:00 05T19:00'],
    [[newYork, 'RRULE:FREQ=DAILY;UNTIL=20261206T000000Z'], '04T19:00 05T19:00'],
    [[newYork, 'RRULE:FREQ=DAILY;UNTIL=20261205'], '04T19:00 05T19:00'],
    [[newYork, 'RRULE:FREQ=DAILY;COUNT=2', 'EXRULE:FREQ=OFTEN'], '04T19:00 05T19:00'],
    [['DTSTART;VALUE=DATE:20261204', daily, 'EXDATE;TZID=Europe/Paris:20261205T000000'], '04T00:00 06T00:00 07T00:00'],
    [['DTSTART;VALUE=DATE:20261204', daily, 'EXDATE:20261204T230000Z', 'EXDATE:20261206T000000Z'], '04T00:00 07T00:00'],
  ])('%j', async (lines, expected) => {
    const { events } = await importEvent(lines)
    expect(events.map(({ startsLocal }) => startsLocal.slice(8))).toEqual(expected.split(' '))
  })

  test('a RECURRENCE-ID without a zone is in that of the series', async () => {
    const uid = nextUid()
    const late = 'DTSTART;TZID=America/New_York:20261204T233000'
    const change = ['RECURRENCE-ID:20261205T233000', 'DTSTART;TZID=America/New_York:20261205T220000']
    await importCalendar(
      calendarOf(eventOf(uid, 'SUMMARY:Late', late, daily), eventOf(uid, 'SUMMARY:Earlier', ...change)),
    )
    expect((await eventsOf(uid)).map(({ startsLocal }) => startsLocal.slice(8))).toEqual([
      ...['04T23:30', '05T22:00', '06T23:30', '07T23:30'],
    ])
  })

  test('RDATE on a day of the rule: the same time is no double, another time is an occurrence of its own', async () => {
    const dates = 'RDATE;TZID=Europe/Paris:20261205T190000,20261205T100000'
    const { events, report } = await importEvent([paris, 'RRULE:FREQ=DAILY;COUNT=2', dates])
    expect(report).toMatchObject({ created: 1, skipped: [] })
    expect(events.map(({ startsLocal }) => startsLocal.slice(8))).toEqual(['04T19:00', '05T10:00', '05T19:00'])
  })

  const explicit = (length: number) =>
    Array.from({ length }, (_, index) => new Date(Date.UTC(2026, 11, 5, 18) + index * dayMs).toISOString())
  const listOf = (dates: readonly string[]) => `RDATE:${dates.map((date) => date.replace(/[-:]|\.\d+/g, '')).join()}`

  test('more explicit dates than an input can have are imported, and changed by the next file', async () => {
    const dates = explicit(700)
    const { report, uid, importAgain } = await importEvent([paris, listOf(dates)])
    expect(report).toMatchObject({ created: 1, notes: [], skipped: [] })
    const count = () => app.db.event.count({ where: { series: { uid } } })
    expect(await count()).toBe(701)
    expect(await importAgain([paris, listOf(dates)])).toMatchObject({ unchanged: 1, skipped: [] })
    expect(await importAgain([paris, listOf(dates.slice(0, 650))])).toMatchObject({ updated: 1, skipped: [] })
    expect(await count()).toBe(651)
  })

  test('too many explicit dates are reported', async () => {
    const { events, report } = await importEvent([paris, listOf(explicit(10_001))])
    expect(events).toEqual([])
    expect(report.skipped).toMatchObject([{ reason: 'It has more than 10000 extra dates.' }])
  })

  test('a period has its own end', async () => {
    const periods = 'RDATE;VALUE=PERIOD;TZID=Europe/Paris:20261210T190000/PT3H,20261211T190000/20261211T233000'
    const { events } = await importEvent([paris, 'DTEND;TZID=Europe/Paris:20261204T200000', periods])
    expect(events.map(({ startsLocal, endsLocal }) => `${startsLocal} ${endsLocal}`)).toEqual([
      '2026-12-04T19:00 2026-12-04T20:00',
      '2026-12-10T19:00 2026-12-10T22:00',
      '2026-12-11T19:00 2026-12-11T23:30',
    ])
  })
})

describe('clock changes', () => {
  test.each([
    ['weekly in a zone', ['DTSTART;TZID=Europe/Paris:20261018T190000', 'RRULE:FREQ=WEEKLY;COUNT=2'], '17:00 18:00'],
    ['weekly in UTC', ['DTSTART:20261018T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=2'], '17:00 17:00'],
    [
      'daily in UTC, twice on a day of the zone',
      ['DTSTART:20261023T223000Z', 'RRULE:FREQ=DAILY;COUNT=3'],
      '22:30 22:30 22:30',
    ],
    ['skipped times', ['DTSTART;TZID=Europe/Paris:20270327T023000', 'RRULE:FREQ=DAILY;COUNT=3'], '01:30 00:30 00:30'],
  ])('%s', async (_, lines, expected) => {
    const { events } = await importEvent(lines)
    expect(events.map(({ startsAt }) => startsAt.slice(11))).toEqual(expected.split(' '))
  })

  const start = 'DTSTART;TZID=Europe/Paris:20261023T190000'
  test.each([
    ['24 hours', 'DURATION:PT24H', '24T19:00 25T19:00 26T19:00'],
    ['a day', 'DURATION:P1D', '24T19:00 25T19:00 26T19:00'],
    ['until a local time', 'DTEND;TZID=Europe/Paris:20261024T190000', '24T19:00 25T19:00 26T19:00'],
  ])('occurrences of %s', async (_, line, expected) => {
    const { events } = await importEvent([start, line, 'RRULE:FREQ=DAILY;COUNT=3'])
    expect(events.map(({ endsLocal }) => endsLocal.slice(8))).toEqual(expected.split(' '))
  })
})

describe('time zones that the file defines', () => {
  const at = (tzid: string, time: string) => `DTSTART;TZID=${tzid}:${time}`

  test('each event has the offset at its own start, whatever the order', async () => {
    const [winter, summer] = [nextUid(), nextUid()]
    const events = [
      eventOf(winter, 'SUMMARY:A', at('Ship', '20261204T190000')),
      eventOf(summer, 'SUMMARY:B', at('Ship', '20260704T190000')),
    ]
    for (const order of [events, [...events].reverse()]) {
      await importCalendar(calendarOf(zone('Ship', '+0317', '+0417'), ...order))
      expect(await eventsOf(winter)).toMatchObject([{ startsAt: '2026-12-04T15:43', timeZone: '+03:17' }])
      expect(await eventsOf(summer)).toMatchObject([{ startsAt: '2026-07-04T14:43', timeZone: '+04:17' }])
    }
  })

  test('the dates of a series have that of the first', async () => {
    const rule = 'RRULE:FREQ=WEEKLY;UNTIL=20261025T154300Z'
    const { events } = await importEvent(
      [at('Ship', '20261018T190000'), 'DURATION:PT1H', rule],
      zone('Ship', '+0317', '+0417'),
    )
    expect(events.map(({ startsAt, startsLocal }) => [startsAt, startsLocal])).toEqual([
      ['2026-10-18T14:43', '2026-10-18T19:00'],
      ['2026-10-25T14:43', '2026-10-25T19:00'],
    ])
  })

  test.each([
    ['Europe/Paris', fixedZone('Europe/Paris', '+0900'), '2026-12-04T10:00', 'Asia/Tokyo'],
    ['Eastern Standard Time', fixedZone('Eastern Standard Time', '+1000'), '2026-12-04T09:00', 'Australia/Brisbane'],
    ['Europe/Paris', zone('Europe/Paris', '+0000', '+0100'), '2026-12-04T19:00', 'Europe/London'],
  ])('%s: a definition that contradicts the name wins', async (tzid, definition, startsAt, timeZone) => {
    const { events, notes } = await importEvent([at(tzid, '20261204T190000')], definition)
    expect(events).toMatchObject([{ startsAt, timeZone }])
    expect(notes).toEqual([
      `The time zone ${tzid} was read as ${timeZone}, which has the same offsets, because the file defines it with other offsets than those of ${tzid === 'Europe/Paris' ? tzid : 'America/New_York'}.`,
    ])
  })

  test.each([
    ['the same offsets', zone('Europe/Paris', '+0100', '+0200')],
    ['winter time only', fixedZone('Europe/Paris', '+0100')],
    ['changes of past years only', zone('Europe/Paris', '+0100', '+0200', 'UNTIL=20081231T000000Z;FREQ=YEARLY;')],
    ['several names', zone('Africa/Abidjan\r\nTZID:Europe/Paris', '+0000', '+0000')],
  ])('the name counts if the definition has %s', async (_, definition) => {
    const { events } = await importEvent([at('Europe/Paris', '20260704T190000')], definition)
    expect(events).toMatchObject([{ startsAt: '2026-07-04T17:00', timeZone: 'Europe/Paris' }])
  })

  test('a definition with a rule without FREQ is not used', async () => {
    const note = 'was not used: FREQ is missing in RRULE:BYMONTH=10;BYDAY=-1SU.'
    const known = await importEvent([at('Europe/Paris', '20260704T190000')], zone('Europe/Paris', '+0100', '+0200', ''))
    expect(known.events).toMatchObject([{ startsAt: '2026-07-04T17:00', timeZone: 'Europe/Paris' }])
    expect(known.notes).toEqual([`The definition of the time zone Europe/Paris (line 4) ${note}`])
    const unknown = await importEvent([at('Ship', '20260704T190000')], zone('Ship', '+0317', '+0417', ''))
    expect(unknown.notes).toEqual([
      `The definition of the time zone Ship (line 4) ${note}`,
      'The time zone Ship is unknown: its times were read as times in Europe/Paris.',
    ])
  })

  test('an unknown zone of the calendar, or a name with an offset only, is noted', async () => {
    expect((await importEvent([paris], 'X-WR-TIMEZONE:Middle Earth')).notes).toEqual([
      'X-WR-TIMEZONE:Middle Earth is unknown: times without a zone were read as times in Europe/Paris.',
    ])
    const { events, notes } = await importEvent([at('(UTC+13:00) Atlantis', '20261204T190000')])
    expect(events).toMatchObject([{ startsAt: '2026-12-04T06:00' }])
    expect(notes).toEqual([
      'The time zone (UTC+13:00) Atlantis is unknown: its times were read with the offset +13:00.',
    ])
  })
})
