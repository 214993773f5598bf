// Files that contain a part of a recurring event, or an old or damaged version of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, compared, openTestApp, type TestApp } from '../helpers/app.ts'
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

const fields = `uid sequence title description startsLocal endsLocal eventStatus onlineUrl venues { name }
  categories { name } translations { language name }`

/** The dates of a series that are not in the trash, by the day on which the series has them; the event itself has no day. */
async function occurrencesOf(uid: string): Promise<Record<string, Record<string, unknown>>> {
  const rows = await app.db.event.findMany({
    where: { OR: [{ uid }, { uid: { startsWith: `${uid}/` } }, { series: { uid } }] },
    orderBy: { startsAt: 'asc' },
  })
  const dayOf = ({ uid: own, originalStartsLocal }: (typeof rows)[number]) => {
    if (own === uid) return ''
    const start = own?.split('/occurrence/')[1] ?? originalStartsLocal?.toISOString().slice(0, 19).replace(/[-:]/g, '')
    return start?.replace(/T180000$|T000000$/, '').replace('202612', '') ?? ''
  }
  const query = `query ($ids: [ID!]) { events(filter: { include: $ids }, first: 100) { nodes { databaseId ${fields} } } }`
  const { nodes } = (await editor.graphql(query, { ids: rows.map(({ id }) => id) })).body.data.events
  const days = new Map(rows.map((row) => [row.id, dayOf(row)]))
  return Object.fromEntries(
    nodes.map(({ uid: _, databaseId, ...event }: { uid: string; databaseId: number }) => [days.get(databaseId), event]),
  )
}

let count = 0
const nextUid = () => `series-${++count}`

const yoga = [
  ...['SUMMARY:Yoga', 'DESCRIPTION:Bring a mat.', 'LOCATION:Dojo', 'CATEGORIES:Sport', 'SEQUENCE:2'],
  ...['DTSTART;TZID=Europe/Paris:20261201T180000', 'DTEND;TZID=Europe/Paris:20261201T193000'],
]

/** A weekly event on 1, 8, 15 and 22 December. */
const weekly = (uid: string, ...more: string[]) => eventOf(uid, ...yoga, 'RRULE:FREQ=WEEKLY;COUNT=4', ...more)

async function importWeekly(): Promise<string> {
  const uid = nextUid()
  expect(await importCalendar(calendarOf(weekly(uid)))).toMatchObject({ created: 1, skipped: [] })
  return uid
}

/** What differs from the weekly event, by day. */
async function changesOf(uid: string): Promise<Record<string, Record<string, unknown>>> {
  const events = await occurrencesOf(uid)
  const usual = (day: string) => ({
    ...{ title: 'Yoga', description: 'Bring a mat.', eventStatus: 'SCHEDULED', onlineUrl: '', sequence: 2 },
    ...{ startsLocal: `2026-12-${day}T18:00:00`, endsLocal: `2026-12-${day}T19:30:00` },
    ...{
      venues: [{ name: 'Dojo' }],
      categories: [{ name: 'Sport' }],
      translations: [{ language: 'EN', name: 'Yoga' }],
    },
  })
  const days = new Set(['01', '08', '15', '22', ...Object.keys(events)])
  const changed = [...days].map((day) => {
    const event = events[day]
    if (!event) return [day, 'missing'] as const
    const before: Record<string, unknown> = usual(day)
    return [
      day,
      Object.fromEntries(
        Object.entries(event).filter(
          ([name, value]) => name !== 'translations' && JSON.stringify(value ?? '') !== JSON.stringify(before[name]),
        ),
      ),
    ] as const
  })
  return Object.fromEntries(
    changed.filter(([, change]) => change === 'missing' || Object.keys(change).length > 0),
  ) as Record<string, Record<string, unknown>>
}

test('of several modifications of all later occurrences, the one that starts last applies', async () => {
  const uid = nextUid()
  const from = (day: string, title: string) =>
    eventOf(
      uid,
      ...[`RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:202612${day}T180000`, `SUMMARY:${title}`, 'SEQUENCE:2'],
      ...[`DTSTART;TZID=Europe/Paris:202612${day}T180000`, `DTEND;TZID=Europe/Paris:202612${day}T193000`],
    )
  await importCalendar(calendarOf(weekly(uid), from('08', 'Judo'), from('22', 'Karate')))
  const titles = Object.entries(await occurrencesOf(uid)).map(([day, { title }]) => `${day} ${title}`)
  expect(titles.sort()).toEqual(['01 Yoga', '08 Judo', '15 Judo', '22 Karate'])
})

const on = (day: string, ...more: string[]) => [`RECURRENCE-ID;TZID=Europe/Paris:202612${day}T180000`, ...more]
const at = (local: string) => `DTSTART;TZID=Europe/Paris:${local}`

const later = { startsLocal: '2026-12-08T20:00:00', endsLocal: '2026-12-08T21:30:00' }
const cancelled = { eventStatus: 'CANCELLED', sequence: 3 }

type Case = readonly [
  name: string,
  header: readonly string[],
  overrides: readonly (readonly string[])[],
  changes: object,
]

test('a modified occurrence of a private series is private, too', async () => {
  const uid = nextUid()
  const modified = eventOf(uid, ...on('08', 'SUMMARY:Deep yoga', at('20261208T200000')))
  const unscheduled = eventOf(uid, ...on('09', 'SUMMARY:Open day', at('20261209T200000')))
  const file = calendarOf(weekly(uid, 'CLASS:PRIVATE'), modified, unscheduled)
  expect(await importCalendar(file)).toMatchObject({ created: 3 })
  const where = { OR: [{ uid: { startsWith: uid } }, { series: { uid } }] }
  const events = await app.db.event.findMany({ where, select: { status: true } })
  expect(events.map(({ status }) => status)).toEqual(Array(5).fill('private'))
})

describe('a file with single dates of a series', () => {
  const cases: readonly Case[] = [
    ['without a method', [], [on('08', 'SUMMARY:Yoga', at('20261208T200000'), 'SEQUENCE:2')], { '08': later }],
    [
      'with METHOD:REQUEST',
      ['METHOD:REQUEST'],
      [on('08', 'SUMMARY:Deep yoga', at('20261208T200000'), 'DURATION:PT1H', 'SEQUENCE:3')],
      { '08': { title: 'Deep yoga', ...later, endsLocal: '2026-12-08T21:00:00', sequence: 3 } },
    ],
    ['with METHOD:CANCEL', ['METHOD:CANCEL'], [on('08', 'SEQUENCE:3')], { '08': cancelled }],
    ['with METHOD:CANCEL and no SEQUENCE', ['METHOD:CANCEL'], [on('08')], { '08': cancelled }],
    [
      'with METHOD:CANCEL and the title of the notice',
      ['METHOD:CANCEL'],
      [on('08', 'SUMMARY:Canceled: Yoga', at('20261208T180000'), 'SEQUENCE:3', 'STATUS:CANCELLED')],
      { '08': cancelled },
    ],
    ['with STATUS:CANCELLED and nothing else', [], [on('08', 'STATUS:CANCELLED', 'SEQUENCE:3')], { '08': cancelled }],
    [
      'several',
      ['METHOD:REQUEST'],
      [on('08', at('20261208T200000'), 'SEQUENCE:2'), on('22', 'SUMMARY:Last yoga', 'SEQUENCE:3')],
      { '08': later, 22: { title: 'Last yoga', sequence: 3 } },
    ],
    [
      'in UTC',
      [],
      [['RECURRENCE-ID:20261208T170000Z', 'DTSTART:20261208T190000Z', 'DTEND:20261208T203000Z', 'SEQUENCE:2']],
      { '08': later },
    ],
    ['by date', [], [['RECURRENCE-ID;VALUE=DATE:20261208', at('20261208T200000'), 'SEQUENCE:2']], { '08': later }],
    [
      'a new one',
      [],
      [on('29', 'SUMMARY:One more', at('20261229T180000'), 'SEQUENCE:3')],
      {
        29: {
          ...{ title: 'One more', sequence: 3, description: '', venues: [], categories: [] },
          endsLocal: '2026-12-29T18:00:00',
        },
      },
    ],
    [
      'and all later ones',
      [],
      [['RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20261215T180000', at('20261216T200000'), 'SEQUENCE:3']],
      {
        15: { startsLocal: '2026-12-16T20:00:00', endsLocal: '2026-12-16T21:30:00', sequence: 3 },
        22: { startsLocal: '2026-12-23T20:00:00', endsLocal: '2026-12-23T21:30:00', sequence: 3 },
      },
    ],
    [
      'and all later ones, by date',
      [],
      [['RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261214', at('20261215T200000'), 'SEQUENCE:3']],
      {
        15: { startsLocal: '2026-12-16T20:00:00', endsLocal: '2026-12-16T21:30:00', sequence: 3 },
        22: { startsLocal: '2026-12-23T20:00:00', endsLocal: '2026-12-23T21:30:00', sequence: 3 },
      },
    ],
    [
      'and all later ones, cancelled',
      ['METHOD:CANCEL'],
      [['RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20261215T180000', 'SEQUENCE:3']],
      { 15: cancelled, 22: cancelled },
    ],
  ]
  test.each(cases)('%s', async (_, header, overrides, changes) => {
    const uid = await importWeekly()
    const file = calendarOf(...header, ...overrides.map((lines) => eventOf(uid, ...lines)))
    expect(await importCalendar(file)).toMatchObject({ trashed: 0, skipped: [] })
    expect(await changesOf(uid)).toEqual(changes)
    expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, trashed: 0, skipped: [] })
  })

  test('METHOD:ADD adds an occurrence', async () => {
    const uid = await importWeekly()
    const added = eventOf(uid, 'SUMMARY:Yoga', at('20261229T180000'), 'SEQUENCE:3')
    expect(await importCalendar(calendarOf('METHOD:ADD', added))).toMatchObject({ created: 1, trashed: 0 })
    expect(Object.keys(await occurrencesOf(uid)).sort()).toEqual(['01', '08', '15', '22', '29'])
  })

  test('METHOD:REPLY, COUNTER, REFRESH and DECLINECOUNTER change nothing', async () => {
    const uid = await importWeekly()
    for (const method of ['REPLY', 'COUNTER', 'REFRESH', 'DECLINECOUNTER']) {
      const file = calendarOf(
        `METHOD:${method}`,
        eventOf(uid, ...on('08', 'SUMMARY:No', at('20261208T100000'), 'SEQUENCE:2')),
      )
      expect(await importCalendar(file)).toMatchObject({
        ...{ created: 0, updated: 0, trashed: 0 },
        skipped: [{ uid, reason: expect.stringContaining(`METHOD:${method}`) }],
      })
    }
    expect(await changesOf(uid)).toEqual({})
  })

  test('two occurrences on one day are told apart', async () => {
    const uid = nextUid()
    const rule = 'RDATE:20261201T180000,20261202T100000,20261202T180000'
    await importCalendar(calendarOf(eventOf(uid, 'SUMMARY:Tour', 'DTSTART:20261201T100000', rule)))
    const moved = eventOf(uid, 'RECURRENCE-ID:20261202T180000', 'SUMMARY:Tour', 'DTSTART:20261202T193000')
    expect(await importCalendar(calendarOf(moved))).toMatchObject({ created: 0, updated: 1, trashed: 0 })
    expect(
      Object.values(await occurrencesOf(uid))
        .map(({ startsLocal }) => startsLocal)
        .sort(),
    ).toEqual([...['2026-12-01T10:00:00', '2026-12-01T18:00:00', '2026-12-02T10:00:00', '2026-12-02T19:30:00']])
  })

  test('the day of an occurrence is that of the zone of the series', async () => {
    const uid = nextUid()
    const start = 'DTSTART;TZID=America/New_York:20261201T200000'
    await importCalendar(calendarOf(eventOf(uid, 'SUMMARY:Show', start, 'RRULE:FREQ=DAILY;COUNT=3')))
    const file = calendarOf('METHOD:CANCEL', eventOf(uid, 'RECURRENCE-ID:20261203T010000Z'))
    expect(await importCalendar(file)).toMatchObject({ updated: 1, skipped: [] })
    const events = await occurrencesOf(uid)
    expect(
      Object.entries(events).flatMap(([day, { eventStatus }]) => (eventStatus === 'CANCELLED' ? day : [])),
    ).toEqual(['02T200000'])
  })

  test('occurrences of a series that was never imported', async () => {
    const uid = nextUid()
    const file = calendarOf(
      eventOf(uid, ...on('08', 'SUMMARY:Guest lesson')),
      eventOf(uid, ...on('15', at('20261215T180000'))),
    )
    expect(await importCalendar(file)).toMatchObject({
      created: 1,
      skipped: [{ uid: `${uid}/occurrence/20261215T180000`, reason: 'The event has no SUMMARY, which is the title.' }],
    })
    expect(await occurrencesOf(uid)).toMatchObject({
      '08': { title: 'Guest lesson', startsLocal: '2026-12-08T18:00:00' },
    })
    const cancelling = calendarOf('METHOD:CANCEL', eventOf(nextUid(), ...on('08', 'SUMMARY:Guest lesson')))
    expect(await importCalendar(cancelling)).toMatchObject({
      created: 0,
      skipped: [{ reason: 'The component cancels an event that was never imported.' }],
    })
  })
})

describe('a series with overrides', () => {
  const cases: readonly Case[] = [
    ['that has nothing of its own', [], [on('08')], {}],
    [
      'that lacks a description, a place and an end',
      [],
      [on('08', 'SUMMARY:Yoga', at('20261208T200000'))],
      { '08': later },
    ],
    ['that is cancelled', [], [on('08', 'STATUS:CANCELLED')], { '08': { eventStatus: 'CANCELLED' } }],
    [
      'that has a title',
      [],
      [on('08', 'SUMMARY:Deep yoga', 'SEQUENCE:4')],
      { '08': { title: 'Deep yoga', sequence: 4 } },
    ],
    [
      'that is online, and has no category',
      [],
      [on('08', 'LOCATION:https://meet.example.org/yoga', 'CATEGORIES:')],
      { '08': { onlineUrl: 'https://meet.example.org/yoga', venues: [], categories: [] } },
    ],
    [
      'that ends earlier',
      [],
      [on('08', 'DTEND;TZID=Europe/Paris:20261208T190000')],
      { '08': { endsLocal: '2026-12-08T19:00:00' } },
    ],
    [
      'that applies to all later ones, but not to one with an override of its own',
      [],
      [
        [
          'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20261208T180000',
          'SUMMARY:Late yoga',
          at('20261208T200000'),
        ],
        on('15', 'SUMMARY:Early yoga', at('20261215T070000')),
      ],
      {
        '08': { title: 'Late yoga', ...later },
        15: { title: 'Early yoga', startsLocal: '2026-12-15T07:00:00', endsLocal: '2026-12-15T08:30:00' },
        22: { title: 'Late yoga', startsLocal: '2026-12-22T20:00:00', endsLocal: '2026-12-22T21:30:00' },
      },
    ],
  ]
  test.each(cases)('%s', async (_, header, overrides, changes) => {
    const uid = nextUid()
    const file = calendarOf(...header, weekly(uid), ...overrides.map((lines) => eventOf(uid, ...lines)))
    const report = await importCalendar(file)
    // The series, and dates with other texts, which are events of their own.
    const created = 1 + (await app.db.event.count({ where: { formerSeries: { uid } } }))
    expect(report).toMatchObject({ created, skipped: [] })
    expect(await changesOf(uid)).toEqual(changes)
    expect(await importCalendar(file)).toMatchObject({
      ...{ unchanged: created, created: 0, updated: 0, trashed: 0, skipped: [] },
    })
  })

  test('keeps the translations of the series', async () => {
    const uid = nextUid()
    const french = eventOf(uid, 'SUMMARY;LANGUAGE=fr:Yoga du soir', ...yoga.slice(4), 'RRULE:FREQ=WEEKLY;COUNT=4')
    const override = eventOf(uid, ...on('08', 'SUMMARY;LANGUAGE=en:Deep yoga'))
    await importCalendar(calendarOf(weekly(uid), french, override))
    const events = await occurrencesOf(uid)
    expect(events['08']?.translations).toEqual([
      { language: 'EN', name: 'Deep yoga' },
      { language: 'FR', name: 'Yoga du soir' },
    ])
    expect(events[15]?.translations).toEqual([
      { language: 'EN', name: 'Yoga' },
      { language: 'FR', name: 'Yoga du soir' },
    ])
  })

  test('that are newer than the series does not make the series old', async () => {
    const uid = nextUid()
    const override = eventOf(uid, ...on('08', 'SUMMARY:Deep yoga', 'SEQUENCE:4'))
    const file = calendarOf(weekly(uid), override)
    expect(await importCalendar(file)).toMatchObject({ created: 2 })
    const later = file.replace('COUNT=4', 'COUNT=3')
    expect(await importCalendar(later)).toMatchObject({ updated: 1, unchanged: 1, skipped: [] })
  })

  test('in another VCALENDAR of the same file', async () => {
    const uid = nextUid()
    const cancel = calendarOf('METHOD:CANCEL', eventOf(uid, ...on('08', 'SEQUENCE:3')))
    const report = await importCalendar(calendarOf('METHOD:REQUEST', weekly(uid)) + cancel)
    expect(report).toMatchObject({ created: 1, skipped: [] })
    expect(await changesOf(uid)).toEqual({ '08': cancelled })
  })
})

describe('a cancellation', () => {
  test.each([
    ['without DTSTART', []],
    ['with the rule', [...yoga.slice(5), 'RRULE:FREQ=WEEKLY;COUNT=2']],
  ])('of a series, %s, cancels all dates', async (_, lines) => {
    const uid = await importWeekly()
    const file = calendarOf('METHOD:CANCEL', eventOf(uid, ...lines, 'SEQUENCE:3'))
    expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 1, trashed: 0, skipped: [] })
    expect(await changesOf(uid)).toEqual({ '01': cancelled, '08': cancelled, 15: cancelled, 22: cancelled })
    expect(await importCalendar(file)).toMatchObject({ updated: 0, trashed: 0, skipped: [], unchanged: 1 })
    // The feed tells subscribers.
    const feed = (await app.get('/events.ics')).body
    const [, event] = new RegExp(`UID:${uid}\r\n(.*?)END:VEVENT`, 's').exec(feed) ?? []
    expect(event).toContain('STATUS:CANCELLED')
    expect(event).toContain('SEQUENCE:3')
  })

  test('by the STATUS of the series cancels all dates but those with a STATUS of their own', async () => {
    const uid = await importWeekly()
    const file = calendarOf(
      weekly(uid, 'STATUS:CANCELLED').replace('SEQUENCE:2', 'SEQUENCE:3'),
      eventOf(uid, ...on('08', 'STATUS:CONFIRMED', 'SEQUENCE:2')),
    )
    expect(await importCalendar(file)).toMatchObject({ updated: 1, trashed: 0 })
    expect(await changesOf(uid)).toEqual({ '01': cancelled, '08': { sequence: 3 }, 15: cancelled, 22: cancelled })
  })

  test.each([
    ['without SEQUENCE', []],
    ['with the same SEQUENCE', ['SEQUENCE:1']],
    ['with a higher SEQUENCE', ['SEQUENCE:2']],
  ])('of a single event, %s, is not undone by the file from before', async (_, lines) => {
    const uid = nextUid()
    const before = calendarOf(eventOf(uid, 'SUMMARY:Match', at('20261204T190000'), 'SEQUENCE:1', 'STATUS:CONFIRMED'))
    await importCalendar(before)
    const file = calendarOf('METHOD:CANCEL', eventOf(uid, ...lines))
    expect(await importCalendar(file)).toMatchObject({ updated: 1, skipped: [] })
    expect(await importCalendar(file)).toMatchObject({ updated: 0, unchanged: 1, skipped: [] })
    expect(await importCalendar(before)).toMatchObject({ updated: 0, skipped: [{ uid }] })
    expect(await occurrencesOf(uid)).toMatchObject({ '': { title: 'Match', eventStatus: 'CANCELLED', sequence: 2 } })
  })

  test.each([
    ['without SEQUENCE', []],
    ['with a SEQUENCE', ['SEQUENCE:5']],
  ])('by STATUS, %s, and nothing else', async (_, lines) => {
    const uid = await importWeekly()
    const file = calendarOf(eventOf(uid, 'STATUS:CANCELLED', ...lines))
    expect(await importCalendar(file)).toMatchObject({ updated: 1, trashed: 0, skipped: [] })
    expect(await importCalendar(file)).toMatchObject({ updated: 0, unchanged: 1, trashed: 0, skipped: [] })
  })

  test('of an unknown event creates nothing', async () => {
    const uid = nextUid()
    const file = calendarOf('METHOD:CANCEL', weekly(uid))
    expect(await importCalendar(file)).toMatchObject({
      ...{ created: 0, updated: 0 },
      skipped: [{ uid, reason: 'The component cancels an event that was never imported.' }],
    })
  })

  test('that is older than the event is skipped', async () => {
    const uid = await importWeekly()
    const report = await importCalendar(calendarOf('METHOD:CANCEL', eventOf(uid, ...on('08', 'SEQUENCE:1'))))
    expect(report).toMatchObject({ updated: 0, skipped: [{ reason: expect.stringContaining('is older') }] })
    expect(await changesOf(uid)).toEqual({})
  })
})

describe('occurrences stay', () => {
  let weeklyUid: string
  beforeAll(async () => {
    weeklyUid = await importWeekly()
  })
  const cases: readonly [string, (uid: string) => string][] = [
    [
      'if the file has an older SEQUENCE',
      (uid) => calendarOf(weekly(uid).replace('SEQUENCE:2', 'SEQUENCE:1').replace('COUNT=4', 'COUNT=1')),
    ],
    ['if the file ends within the series', (uid) => calendarOf(weekly(uid)).split('END:VEVENT')[0] ?? ''],
    [
      'if the file ends behind the series',
      (uid) => calendarOf(weekly(uid, 'EXDATE:20261208T180000')).replace('END:VCALENDAR', ''),
    ],
    ['if the start cannot be read', (uid) => calendarOf(weekly(uid).replace('20261201T180000', 'soon'))],
    ['if the rule cannot be read', (uid) => calendarOf(weekly(uid).replace(/RRULE:.*/, 'RRULE:'))],
    [
      'if an added date cannot be read',
      (uid) => calendarOf(weekly(uid).replace(/RRULE:.*/, 'RDATE;TZID=Europe/Paris:2026120,20261215T180000')),
    ],
    [
      'if an override cannot be read',
      (uid) => calendarOf(weekly(uid), eventOf(uid, ...on('08', 'SUMMARY:Later', at('tomorrow')))),
    ],
    [
      'if the RECURRENCE-ID of an override cannot be read',
      (uid) => calendarOf(weekly(uid, 'EXDATE:20261208T180000'), eventOf(uid, 'RECURRENCE-ID:second', ...yoga)),
    ],
    ['if the file has other events only', () => calendarOf(eventOf(nextUid(), ...yoga))],
  ]
  test.each(cases)('%s', async (_, fileOf) => {
    expect(await importCalendar(fileOf(weeklyUid))).toMatchObject({ trashed: 0 })
    const changes = await changesOf(weeklyUid)
    // An event whose rule cannot be read is imported once.
    expect({ ...changes, '': undefined }).toEqual({ '': undefined })
  })

  test('if the file has an older LAST-MODIFIED', async () => {
    const uid = nextUid()
    const version = (day: string, rule: string) =>
      calendarOf(eventOf(uid, ...yoga, `LAST-MODIFIED:202611${day}T080000Z`, `RRULE:${rule}`))
    await importCalendar(version('05', 'FREQ=WEEKLY;COUNT=3'))
    expect(await importCalendar(version('06', 'FREQ=WEEKLY;COUNT=4'))).toMatchObject({ updated: 1 })
    expect(await importCalendar(version('05', 'FREQ=WEEKLY;COUNT=3'))).toMatchObject({ updated: 0 })
    expect(await changesOf(uid)).toEqual({})
    expect(await importCalendar(version('07', 'FREQ=WEEKLY;COUNT=3'))).toMatchObject({ updated: 1 })
    expect(await changesOf(uid)).toEqual({ 22: 'missing' })
  })

  test('that are over, if the file begins later', async () => {
    const uid = nextUid()
    const series = (day: string) =>
      calendarOf(eventOf(uid, 'SUMMARY:Daily', `DTSTART:202611${day}`, 'RRULE:FREQ=DAILY;UNTIL=20261125'))
    expect(await importCalendar(series('18'))).toMatchObject({ created: 1 })
    expect(await importCalendar(series('24'))).toMatchObject({ updated: 1, trashed: 0 })
    expect(
      Object.keys(await occurrencesOf(uid))
        .map((key) => key.slice(-2))
        .sort(),
    ).toEqual(['18', '19', '20', '21', '24', '25'])
  })
})

describe('the same UID twice', () => {
  test('the newer of two series counts', async () => {
    const uid = nextUid()
    const old = weekly(uid).replace('SEQUENCE:2', 'SEQUENCE:1').replaceAll('20261201', '20261202')
    const report = await importCalendar(calendarOf(weekly(uid), old))
    expect(report).toMatchObject({
      created: 1,
      skipped: [{ uid, reason: expect.stringContaining('another event with this UID') }],
    })
    expect(await changesOf(uid)).toEqual({})
  })

  test('a single event that recurs from now on is not there twice', async () => {
    const uid = nextUid()
    await importCalendar(calendarOf(eventOf(uid, ...yoga)))
    const { id } = await app.db.event.findFirstOrThrow({ where: { uid } })
    expect(await importCalendar(calendarOf(weekly(uid)))).toMatchObject({ created: 0, updated: 1, trashed: 0 })
    expect(await changesOf(uid)).toEqual({})
    // The date keeps the ID of the event.
    expect(await app.db.event.findUnique({ where: { id } })).toMatchObject({
      originalStartsLocal: new Date('2026-12-01T18:00:00Z'),
    })
    expect(await importCalendar(calendarOf(weekly(uid)))).toMatchObject({ unchanged: 1, trashed: 0, skipped: [] })
  })

  test('a series that became a single event', async () => {
    const uid = await importWeekly()
    const single = eventOf(uid, ...yoga).replace('SEQUENCE:2', 'SEQUENCE:3')
    expect(await importCalendar(calendarOf(single))).toMatchObject({ updated: 1, created: 0, trashed: 0 })
    expect(Object.keys(await occurrencesOf(uid))).toEqual(['01'])
  })
})

describe('parts of files', () => {
  const startsOf = async (uid: string) =>
    Object.fromEntries(
      Object.entries(await occurrencesOf(uid)).map(([key, { startsLocal, endsLocal, eventStatus }]) => [
        key,
        [startsLocal, endsLocal, eventStatus].join(' ').replaceAll('2026-', ''),
      ]),
    )

  test('an answer that describes a series trashes none of its dates, and creates no event', async () => {
    const uid = await importWeekly()
    const answer = (of: string) => calendarOf('METHOD:REPLY', eventOf(of, ...yoga))
    expect(await importCalendar(answer(uid))).toMatchObject({ created: 0, trashed: 0 })
    expect(await changesOf(uid)).toEqual({})
    expect(await importCalendar(answer(nextUid()))).toMatchObject({ created: 0 })
  })

  test('a second occurrence of a day is added, and changed alone', async () => {
    const uid = await importWeekly()
    const later = (...lines: string[]) => eventOf(uid, ...lines, 'SEQUENCE:3')
    const added = later('SUMMARY:Late', 'DTSTART;TZID=Europe/Paris:20261208T210000')
    expect(await importCalendar(calendarOf('METHOD:ADD', added))).toMatchObject({ created: 1, updated: 0 })
    const cancelled = later('RECURRENCE-ID;TZID=Europe/Paris:20261208T210000')
    expect(await importCalendar(calendarOf('METHOD:CANCEL', cancelled))).toMatchObject({ updated: 1 })
    expect(await startsOf(uid)).toMatchObject({
      '08': '12-08T18:00:00 12-08T19:30:00 SCHEDULED',
      '08T210000': '12-08T21:00:00 12-08T21:00:00 CANCELLED',
    })
  })

  test('a cancellation that is older than the series in the file does nothing', async () => {
    const uid = await importWeekly()
    const file = `${calendarOf(weekly(uid))}${calendarOf('METHOD:CANCEL', eventOf(uid, 'SEQUENCE:1'))}`
    await importCalendar(file)
    expect(await changesOf(uid)).toEqual({})
  })

  test('a single event stays if its series has no date in the days of the import, or is older', async () => {
    const uid = nextUid()
    await importCalendar(calendarOf(eventOf(uid, ...yoga)))
    const old = ['SUMMARY:Yoga', 'SEQUENCE:2', 'DTSTART;TZID=Europe/Paris:20101201T180000', 'RRULE:FREQ=DAILY;COUNT=2']
    expect(await importCalendar(calendarOf(eventOf(uid, ...old)))).toMatchObject({ trashed: 0 })
    const before = yoga.map((line) => line.replace('SEQUENCE:2', 'SEQUENCE:1'))
    expect(await importCalendar(calendarOf(eventOf(uid, ...before, 'RRULE:FREQ=DAILY;COUNT=2')))).toMatchObject({
      trashed: 0,
    })
  })

  test('an event that occurs once is not there twice if the file also describes it as an occurrence', async () => {
    const uid = nextUid()
    const moved = ['RECURRENCE-ID;TZID=Europe/Paris:20261201T180000', 'DTSTART;TZID=Europe/Paris:20261203T210000']
    await importCalendar(calendarOf(eventOf(uid, ...yoga), eventOf(uid, ...moved)))
    expect(await startsOf(uid)).toEqual({ '': '12-03T21:00:00 12-03T22:30:00 SCHEDULED' })
  })

  test('an occurrence inherits the duration and the zone of its series', async () => {
    const uid = nextUid()
    const night = [
      'SUMMARY:Night',
      'DTSTART;TZID=Europe/Paris:20261023T220000',
      'DURATION:PT8H',
      'RRULE:FREQ=DAILY;COUNT=3',
    ]
    const named = ['RECURRENCE-ID;TZID=Europe/Paris:20261024T220000', 'SUMMARY:Clock change']
    await importCalendar(calendarOf(eventOf(uid, ...night), eventOf(uid, ...named)))
    expect(Object.values(await startsOf(uid))).toEqual([
      '10-23T22:00:00 10-24T06:00:00 SCHEDULED',
      '10-24T22:00:00 10-25T05:00:00 SCHEDULED',
      '10-25T22:00:00 10-26T06:00:00 SCHEDULED',
    ])
    const other = nextUid()
    const far = ['SUMMARY:Far', 'DTSTART;TZID=America/New_York:20261201T190000', 'RRULE:FREQ=DAILY;COUNT=2']
    const moved = ['RECURRENCE-ID:20261202T190000', 'DTEND:20261202T220000']
    await importCalendar(calendarOf(eventOf(other, ...far), eventOf(other, ...moved)))
    const { timeZone, endsLocal } = await app.db.event.findFirstOrThrow({
      where: { series: { uid: other }, originalStartsLocal: new Date('2026-12-02T19:00:00Z') },
    })
    expect([timeZone, endsLocal]).toEqual(['America/New_York', new Date('2026-12-02T22:00:00Z')])
  })

  test.each([
    ['a date after the year 9999', '', 'DTSTART;TZID=Asia/Tokyo:99991231T230000Z', 'RRULE:FREQ=DAILY'],
    ['an impossible offset', '+2500', 'DTSTART;TZID=Odd:20261201T190000', ''],
    ['a definition that begins on no day', '+0100', 'DTSTART;TZID=Odd:20261201T190000', ''],
  ])('%s stops no other event', async (_, offset, start, rule) => {
    const [bad, good] = [nextUid(), nextUid()]
    const part = ['BEGIN:STANDARD', 'DTSTART:19700231T020000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`]
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Odd', ...part, 'RRULE:FREQ=YEARLY', 'END:STANDARD', 'END:VTIMEZONE']
    const file = calendarOf(...(offset ? zone : []), eventOf(bad, 'SUMMARY:Bad', start, rule), eventOf(good, ...yoga))
    const report = await importCalendar(file)
    expect([report.notes.length + report.skipped.length > 0, Object.keys(await occurrencesOf(good))]).toEqual([
      true,
      [''],
    ])
  })
})
