// Calendars that break the rules, or use rare ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { calendarOf, eventOf, type ImportCalendar, importerOf } from '../helpers/ics.ts'

let app: TestApp
let importCalendar: ImportCalendar
let editor: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris' })
  importCalendar = await importerOf(app)
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const fields = `uid title description startsLocal endsLocal startsAt timeZone allDay status eventStatus attendanceMode
  onlineUrl website costEntries customFields { key value } venues { databaseId name address latitude longitude }
  organizers { databaseId name email } categories { name } tags { name }`

async function eventsOf(...uids: string[]) {
  const query = `query ($uids: [String!]) { events(filter: { uids: $uids }, first: 100) { nodes { ${fields} } } }`
  return (await editor.graphql(query, { uids })).body.data.events.nodes
}
const eventWith = async (uid: string) => (await eventsOf(uid))[0]

let count = 0
/** A UID that no other test uses. */
const nextUid = () => `odd-${++count}`

/** Imports an event with these lines, and reads it. */
async function importEvent(...lines: string[]) {
  const uid = nextUid()
  const summary = lines.some((line) => line.startsWith('SUMMARY')) ? [] : ['SUMMARY:Event']
  const report = await importCalendar(calendarOf(eventOf(uid, ...summary, ...lines)))
  const notes = report.notes.map((note) => note.replace(/^Event \S+ \(line \d+\): /, ''))
  return { event: await eventWith(uid), notes, report }
}

const start = 'DTSTART;TZID=Europe/Paris:20261204T190000'

describe('times', () => {
  test.each([
    [['DTSTART:20261204T190000'], '2026-12-04T19:00:00', '2026-12-04T19:00:00'],
    [['DTSTART:20261204T190000', 'DURATION:PT90M'], '2026-12-04T19:00:00', '2026-12-04T20:30:00'],
    [['DTSTART:20261204T190000', 'DURATION:P1D'], '2026-12-04T19:00:00', '2026-12-05T19:00:00'],
    [['DTSTART:20261024T190000', 'DURATION:PT24H'], '2026-10-24T19:00:00', '2026-10-25T18:00:00'],
    [['DTSTART:20261204T180000Z'], '2026-12-04T19:00:00', '2026-12-04T19:00:00'],
    [['DTSTART:2026-12-04T19:00:00', 'DTEND:2026-12-04T20:00'], '2026-12-04T19:00:00', '2026-12-04T20:00:00'],
    [['DTSTART:20261204T1900', 'DTEND:20261204T240000'], '2026-12-04T19:00:00', '2026-12-05T00:00:00'],
    [[start, 'DTEND;TZID=Europe/London:20261204T190000'], '2026-12-04T19:00:00', '2026-12-04T20:00:00'],
    [['DTSTART;VALUE=DATE:20261204', 'DTEND;VALUE=DATE:20261204'], '2026-12-04T00:00:00', '2026-12-04T23:59:59'],
    [['DTSTART:20261204', 'DURATION:P3D'], '2026-12-04T00:00:00', '2026-12-06T23:59:59'],
  ])('%j is from %s to %s', async (lines, startsLocal, endsLocal) => {
    const { event, notes } = await importEvent(...lines)
    expect([event.startsLocal, event.endsLocal, event.timeZone, notes]).toEqual([
      startsLocal,
      endsLocal,
      'Europe/Paris',
      [],
    ])
  })

  test('an end before the start becomes the start, with a note', async () => {
    const { event, notes } = await importEvent(start, 'DTEND;TZID=Europe/Paris:20261204T180000')
    expect([event.endsLocal, notes]).toEqual([
      '2026-12-04T19:00:00',
      ['The end is before the start: it was imported with the start as its end.'],
    ])
  })

  test.each([
    ['Romance Standard Time', 'Europe/Paris'],
    ['(UTC+01:00) Brussels, Copenhagen, Madrid, Paris', 'Europe/Paris'],
    ['/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['/softwarestudio.org/Tzfile/Europe/Lisbon', 'Europe/Lisbon'],
    ['GMT', 'UTC'],
    ['Pacific Standard Time', 'America/Los_Angeles'],
  ])('the time zone %s is %s', async (name, timeZone) => {
    const { event, notes } = await importEvent(`DTSTART;TZID="${name}":20261204T190000`)
    expect([event.startsLocal, event.timeZone, notes]).toEqual(['2026-12-04T19:00:00', timeZone, []])
  })

  test('a time zone by its X-LIC-LOCATION, and an unknown one', async () => {
    const zone = 'BEGIN:VTIMEZONE\r\nTZID:Mine\r\nX-LIC-LOCATION:Asia/Tokyo\r\nEND:VTIMEZONE'
    const [own, unknown] = [nextUid(), nextUid()]
    const { notes } = await importCalendar(
      calendarOf(
        zone,
        eventOf(own, 'SUMMARY:A', 'DTSTART;TZID=Mine:20261204T190000'),
        eventOf(unknown, 'SUMMARY:B', 'DTSTART;TZID=Nowhere:20261204T190000'),
      ),
    )
    expect(notes).toEqual(['The time zone Nowhere is unknown: its times were read as times in Europe/Paris.'])
    expect([(await eventWith(own)).timeZone, (await eventWith(unknown)).timeZone]).toEqual([
      'Asia/Tokyo',
      'Europe/Paris',
    ])
  })
})

describe('broken lines', () => {
  test('bare line feeds, a BOM, lost folding and missing DTSTAMP are read', async () => {
    const uid = nextUid()
    const calendar = calendarOf(
      `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:Bring\n\\, eat\nDTSTART:20261204T190000\nDESCRIPTION:First line\n\nEntry: free\nlast line\nEND:VEVENT`,
    )
    const report = await importCalendar(`\uFEFF${calendar}`)
    expect(report).toMatchObject({ created: 1, skipped: [], notes: [] })
    expect(await eventWith(uid)).toMatchObject({
      title: 'Bring , eat',
      description: 'First line\n\nEntry: free\nlast line',
    })
  })

  test('a character that folding cuts in half is read, and so is Windows-1252', async () => {
    const uid = nextUid()
    const text = Buffer.from(calendarOf(eventOf(uid, 'SUMMARY:Caf\u00e9', 'DTSTART:20261204T190000')))
    const cut = text.indexOf(0xc3) + 1
    const folded = Buffer.concat([text.subarray(0, cut), Buffer.from('\r\n '), text.subarray(cut)])
    expect(await importCalendar(folded)).toMatchObject({ created: 1, notes: [] })
    expect((await eventWith(uid)).title).toBe('Caf\u00e9')
    const latin = Buffer.from(calendarOf(eventOf(uid, 'SUMMARY:Th\u00e9', 'DTSTART:20261204T190000')), 'latin1')
    expect(await importCalendar(latin)).toMatchObject({
      updated: 1,
      notes: ['Line 7 is not UTF-8. It and other such lines were read as Windows-1252.'],
    })
    expect((await eventWith(uid)).title).toBe('Th\u00e9')
  })

  test('damaged components are skipped with their reasons, and the others are imported', async () => {
    const [good, before] = [nextUid(), nextUid()]
    const calendar = [
      'BEGIN:VCALENDAR',
      eventOf('without-start', 'SUMMARY:A'),
      eventOf('without-title', start),
      eventOf('wrong-date', 'SUMMARY:A', 'DTSTART:20260230T100000'),
      `BEGIN:VEVENT\r\nUID:${before}\r\nSUMMARY:End is missing\r\n${start}`,
      eventOf(good, 'SUMMARY:Good', start, 'garbage without a colon'),
      'BEGIN:VJOURNAL\r\nUID:journal\r\nEND:VJOURNAL',
      'BEGIN:VFREEBUSY\r\nEND:VFREEBUSY',
      `BEGIN:VEVENT\r\nUID:cut\r\nSUMMARY:Cut\r\n${start}`,
    ].join('\r\n')
    const { created, skipped } = await importCalendar(calendar)
    expect(created).toBe(2)
    expect(skipped.map(({ uid, reason }) => [uid, reason])).toEqual([
      ['journal', 'VJOURNAL is not an event. Only VEVENT is imported.'],
      [null, 'VFREEBUSY is not an event. Only VEVENT is imported.'],
      ['without-start', 'The event has no DTSTART, which is the start.'],
      ['without-title', 'The event has no SUMMARY, which is the title.'],
      ['wrong-date', 'DTSTART is not a date: 2026-02-30T10:00:00'],
      ['cut', 'The file ends within it: END:VEVENT is missing.'],
    ])
  })

  test('lines may be folded behind the name of the property', async () => {
    const uid = nextUid()
    const event = `BEGIN\n :VEVENT\nUID\n :${uid}\nSUMMARY\n\n ;LANGUAGE=en:Old\n${start}\nEND\n :VEVENT\n`
    const report = await importCalendar(`BEGIN:VCALENDAR\nVERSION\n :2.0\n${event}END:VCALENDAR\n`)
    expect(report).toMatchObject({ created: 1, skipped: [], notes: [] })
    expect((await eventWith(uid)).title).toBe('Old')
  })

  test('of events with the same UID in a file, the newest is imported', async () => {
    const uid = nextUid()
    const version = (title: string, ...lines: string[]) => eventOf(uid, `SUMMARY:${title}`, start, ...lines)
    const report = await importCalendar(
      calendarOf(version('Second', 'SEQUENCE:2'), version('First', 'SEQUENCE:1'), version('Zeroth')),
    )
    expect(report).toMatchObject({ created: 1, skipped: [{ uid }, { uid }] })
    expect((await eventWith(uid)).title).toBe('Second')
  })

  test('an event without UID gets the same one in each import', async () => {
    const calendar = calendarOf(`BEGIN:VEVENT\r\nSUMMARY:Nameless\r\n${start}\r\nEND:VEVENT`)
    expect(await importCalendar(calendar)).toMatchObject({ created: 1 })
    expect(await importCalendar(calendar)).toMatchObject({ created: 0, unchanged: 1 })
  })

  test.each([
    ['<!DOCTYPE html><html></html>', /^This is not an iCalendar file, .* The file begins with "<!DOCTYPE html>.*\.$/],
    ['', /^This is not an iCalendar file, .* The file is empty\.$/],
    [`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(50_001)}`, /more than 50000 components/],
  ])('a file that cannot be read is an error', async (text, message) => {
    await expect(importCalendar(text)).rejects.toThrow(message)
  })
})

describe('recurrences', () => {
  const startsOf = async (uid: string, ...lines: string[]) => {
    const report = await importCalendar(calendarOf(eventOf(uid, 'SUMMARY:Series', ...lines)))
    const rows = await app.db.event.findMany({ where: { series: { uid } }, orderBy: { startsAt: 'asc' } })
    return { report, starts: rows.map(({ startsLocal }) => startsLocal.toISOString().slice(0, 19)) }
  }

  test.each([
    [
      ['DTSTART:20261201T100000', 'RRULE:FREQ=DAILY;COUNT=2'],
      ['2026-12-01T10:00:00', '2026-12-02T10:00:00'],
    ],
    [
      ['DTSTART:20261024T100000', 'RRULE:FREQ=DAILY;UNTIL=20261025T090000Z'],
      ['2026-10-24T10:00:00', '2026-10-25T10:00:00'],
    ],
    [
      ['DTSTART;VALUE=DATE:20261201', 'RRULE:FREQ=WEEKLY;UNTIL=20261208'],
      ['2026-12-01T00:00:00', '2026-12-08T00:00:00'],
    ],
    [
      ['DTSTART:20261201T100000', 'RDATE:20261205T120000,20261205T140000'],
      ['2026-12-01T10:00:00', '2026-12-05T12:00:00', '2026-12-05T14:00:00'],
    ],
    [
      ['DTSTART:20261201T100000', 'RDATE;VALUE=PERIOD:20261205T110000Z/PT1H', 'EXDATE;VALUE=DATE:20261201'],
      ['2026-12-05T12:00:00'],
    ],
    [
      ['DTSTART:20270131T100000', 'RRULE:FREQ=MONTHLY;COUNT=3'],
      ['2027-01-31T10:00:00', '2027-03-31T10:00:00', '2027-05-31T10:00:00'],
    ],
    [['DTSTART:20261201T100000', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'], ['2026-12-01T10:00:00']],
  ])('%j', async (lines, starts) => {
    expect((await startsOf(nextUid(), ...lines)).starts).toEqual(starts)
  })

  test.each([
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 1],
    ['FREQ=DAILY;INTERVAL=7;BYDAY=MO', 1],
    ['FREQ=YEARLY;INTERVAL=99999999', 1],
    ['FREQ=DAILY;INTERVAL=99999999999999999999', 1],
  ])('the rule %s, which never applies, ends', async (rule, created) => {
    const calendar = calendarOf(eventOf(nextUid(), 'SUMMARY:Never', 'DTSTART:20261201T100000', `RRULE:${rule}`))
    expect(await importCalendar(calendar)).toMatchObject({ created, skipped: [] })
  })

  test('a rule that began long ago is expanded within the days of the import', async () => {
    const uid = nextUid()
    const rule = 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'
    const calendar = calendarOf(eventOf(uid, 'SUMMARY:Old', 'DTSTART:19000102T100000', rule))
    await importCalendar(calendar, { from: '2026-12-01', bounds: { until: '2026-12-31' }, until: '2026-12-31' })
    const rows = await app.db.event.findMany({ where: { series: { uid } }, orderBy: { startsAt: 'asc' } })
    expect(rows.map(({ startsLocal }) => startsLocal.toISOString().slice(0, 10))).toEqual([
      ...['2026-12-01', '2026-12-03', '2026-12-15', '2026-12-17', '2026-12-29', '2026-12-31'],
    ])
  })

  test('a rule that no series can have is noted, and removes nothing', async () => {
    const uid = nextUid()
    const series = (rule: string) =>
      calendarOf(eventOf(uid, 'SUMMARY:Often', 'DTSTART:20261201T100000', `RRULE:${rule}`))
    await importCalendar(series('FREQ=DAILY;COUNT=2'))
    const report = await importCalendar(series('FREQ=MINUTELY;COUNT=9999999'))
    expect(report.notes).toEqual([
      expect.stringContaining('cannot be read (it repeats within a day'),
      expect.stringContaining('Not all of its dates can be read: those that are stored stay as they are.'),
    ])
    expect(report).toMatchObject({ created: 0, updated: 0, unchanged: 1, trashed: 0 })
  })
})

describe('the state of an event', () => {
  test('a cancellation cancels the event, and is skipped for an unknown one', async () => {
    const uid = nextUid()
    await importCalendar(calendarOf(eventOf(uid, 'SUMMARY:Match', start)))
    const cancelled = calendarOf('METHOD:CANCEL', eventOf(uid, start), eventOf('never-seen', start))
    expect(await importCalendar(cancelled)).toMatchObject({
      updated: 1,
      skipped: [{ uid: 'never-seen', reason: 'The component cancels an event that was never imported.' }],
    })
    expect(await eventWith(uid)).toMatchObject({ title: 'Match', eventStatus: 'CANCELLED' })
  })

  test('a confirmed event keeps the finer status that it has here', async () => {
    const uid = nextUid()
    const calendar = calendarOf(eventOf(uid, 'SUMMARY:Talk', start, 'STATUS:CONFIRMED'))
    await importCalendar(calendar)
    await app.db.event.updateMany({ where: { uid }, data: { eventStatus: 'moved_online' } })
    expect(await importCalendar(calendar)).toMatchObject({ unchanged: 1 })
  })

  test('an event in the trash is skipped', async () => {
    const uid = nextUid()
    const calendar = calendarOf(eventOf(uid, 'SUMMARY:Gone', start))
    await importCalendar(calendar)
    const { id } = await app.db.event.findFirstOrThrow({ where: { uid } })
    await editor.graphql('mutation ($id: ID!) { trashEvent(input: { id: $id }) { userErrors { message } } }', { id })
    expect(await importCalendar(calendar)).toMatchObject({
      unchanged: 0,
      skipped: [{ uid, reason: 'The event with this UID is in the trash. Restore it to import it again.' }],
    })
  })

  test('a dry run reports the same and writes nothing', async () => {
    const uid = nextUid()
    const calendar = calendarOf(eventOf(uid, 'SUMMARY:Dry', start, 'LOCATION:Dry dock'))
    expect(await importCalendar(calendar, { dryRun: true })).toMatchObject({ dryRun: true, created: 1, skipped: [] })
    expect(await eventWith(uid)).toBeUndefined()
    const invalid = calendarOf(eventOf(uid, 'SUMMARY:Dry', 'DTSTART:00010101T000000'))
    expect(await importCalendar(invalid, { dryRun: true })).toMatchObject({ created: 0, skipped: [{ uid }] })
  })
})

describe('places and people', () => {
  test('a venue is matched by name and address, and by coordinates', async () => {
    const place = 'LOCATION:Grand Hall\\, 5 Long Street\\, Springfield'
    const first = (await importEvent(start, place, 'GEO:40.5;-3.5')).event.venues[0]
    const venueOf = async (...lines: string[]) => (await importEvent(start, ...lines)).event.venues[0].databaseId
    expect(await venueOf(place)).toBe(first.databaseId)
    expect(await venueOf('LOCATION:GRAND HALL')).toBe(first.databaseId)
    expect(await venueOf('LOCATION:Grand Hall', 'GEO:40,5001;-3,5001')).toBe(first.databaseId)
    expect(await venueOf('LOCATION:Grand Hall', 'GEO:41.5;-3.5')).not.toBe(first.databaseId)
    expect(await venueOf('LOCATION:Grand Hall\\, 9 Other Road\\, Shelbyville')).not.toBe(first.databaseId)
  })

  test('a location stays text if no venue may be created', async () => {
    const uid = nextUid()
    const calendar = calendarOf(eventOf(uid, 'SUMMARY:Walk', start, 'LOCATION:Meet at the fountain'))
    const report = await importCalendar(calendar, { venues: 'match' })
    expect(report.notes).toEqual([expect.stringMatching(/No venue matches "Meet at the fountain": .* as text\.$/)])
    expect(await eventWith(uid)).toMatchObject({
      venues: [],
      customFields: [{ key: 'location', value: 'Meet at the fountain' }],
    })
    expect(await importCalendar(calendar, { venues: 'text' })).toMatchObject({ unchanged: 1, notes: [] })
    expect(await importCalendar(calendar)).toMatchObject({ updated: 1 })
    expect(await eventWith(uid)).toMatchObject({ venues: [{ name: 'Meet at the fountain' }], customFields: [] })
  })

  test('an organizer is matched by e-mail address, or else by name', async () => {
    const organizerOf = async (line: string) => (await importEvent(start, line)).event.organizers[0]
    const first = await organizerOf('ORGANIZER;CN=Ada:mailto:ada@example.org')
    expect(await organizerOf('ORGANIZER;CN=Ada Lovelace:MAILTO:Ada@Example.org')).toEqual(first)
    expect(await organizerOf('ORGANIZER;CN=ADA:invalid:nomail')).toEqual(first)
    expect(await organizerOf('ORGANIZER;CN=Ada:mailto:other@example.org')).not.toEqual(first)
    expect(
      (await importEvent(start, 'ORGANIZER;CN=x:mailto:unknownorganizer@calendar.google.com')).event.organizers,
    ).toEqual([])
  })

  test('an organizer without a valid e-mail address is imported without it', async () => {
    const { event, notes } = await importEvent(start, 'ORGANIZER;CN=Eve:mailto:eve@a@example.org')
    expect(event.organizers).toMatchObject([{ name: 'Eve', email: '' }])
    expect(notes).toEqual(['The e-mail address of an organizer was left out: eve@a@example.org is not valid.'])
  })

  test('categories are matched by name or slug, also as tags', async () => {
    const mutation = 'mutation { createTag(input: { name: "Open air" }) { userErrors { message } } }'
    await editor.graphql(mutation)
    const { event } = await importEvent(start, 'CATEGORIES:open-air,Theatre', 'CATEGORIES:THEATRE,A\\,B')
    expect([event.categories, event.tags]).toEqual([[{ name: 'A,B' }, { name: 'THEATRE' }], [{ name: 'Open air' }]])
  })

  test('a URL as location is where people attend it online', async () => {
    const { event } = await importEvent(start, 'LOCATION:https://video.example.org/room/1')
    expect(event).toMatchObject({ onlineUrl: 'https://video.example.org/room/1', attendanceMode: 'ONLINE', venues: [] })
  })

  test('malicious HTML is removed from descriptions', async () => {
    const html = '<p onclick="x()">Hi<script>alert(1)</script><a href="javascript:x">y</a></p>'
    const { event } = await importEvent(start, `X-ALT-DESC;FMTTYPE=text/html:${html}`)
    expect(event.description).toBe('<p>Hi<a>y</a></p>')
    expect((await importEvent(start, 'DESCRIPTION:1 < 2 & 3 > 2')).event.description).toBe('1 &lt; 2 &amp; 3 &gt; 2')
  })
})
