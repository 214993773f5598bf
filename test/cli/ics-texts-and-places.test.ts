// Texts and places as calendar programs write them.
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

const fields = `description onlineUrl website attendanceMode customFields { key value }
  venues { name address website latitude longitude } organizers { name }`

let count = 0

/** The event with these lines, imported twice: the second import changes nothing. */
async function importEvent(...lines: string[]) {
  const uid = `texts-${++count}`
  const file = calendarOf(eventOf(uid, 'SUMMARY:Event', 'DTSTART:20261204T190000', ...lines))
  const report = await importCalendar(file)
  expect(report).toMatchObject({ created: 1, skipped: [] })
  expect(await importCalendar(file)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  const query = `query ($uids: [String!]) { events(filter: { uids: $uids }) { nodes { ${fields} } } }`
  const [event] = (await editor.graphql(query, { uids: [uid] })).body.data.events.nodes
  return { event, notes: report.notes.map((note) => note.replace(/^Event \S+ \(line \d+\): /, '')) }
}

const outlook = [
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">\\n<HTML>\\n<HEAD>\\n<TITLE>Untitled</TITLE>\\n</HEAD>\\n',
  '<BODY>\\n<P DIR=LTR><SPAN LANG="en-us">&nbsp;</SPAN></P>\\n</BODY>\\n</HTML>',
].join('')
const image = '<img src="https://example.org/a.png" />'

describe('a description', () => {
  test.each([
    ['HTML without text', ['DESCRIPTION:Text', 'X-ALT-DESC;FMTTYPE=text/html:<html><body></body></html>'], 'Text'],
    ['HTML of Outlook without text', ['DESCRIPTION:Text', `X-ALT-DESC;FMTTYPE=text/html:${outlook}`], 'Text'],
    ['HTML with an invisible character', ['X-ALT-DESC:<p>\u200b&zwnj;</p>', 'DESCRIPTION:Text'], 'Text'],
    ['HTML with styles and comments only', ['X-ALT-DESC:<style>p{}</style><!-- x -->', 'DESCRIPTION:Text'], 'Text'],
    ['the word null', ['X-ALT-DESC:null', 'DESCRIPTION:Text'], 'Text'],
    ['no value', ['X-ALT-DESC;FMTTYPE=text/html:', 'DESCRIPTION:Text'], 'Text'],
    ['HTML with an image only', [`X-ALT-DESC:<p>${image}</p>`, 'DESCRIPTION:Text'], `<p>${image}</p>`],
    ['an empty parameter', ['DESCRIPTION;ALTREP="data:text/html,%3Cbody%3E%3C%2Fbody%3E":Text'], 'Text'],
    ['another parameter', ['DESCRIPTION;ALTREP="CID:part3.msg@example.org":Text'], 'Text'],
    ['only tags', ['DESCRIPTION:<p><br></p>'], ''],
    ['only null', ['DESCRIPTION:null'], ''],
    ['a word such as null', ['DESCRIPTION:Null und nichtig'], 'Null und nichtig'],
  ])('beside %s', async (_, lines, description) => {
    expect((await importEvent(...lines)).event.description ?? '').toBe(description)
  })
})

const apple = (title: string, value: string, ...more: string[]) =>
  `X-APPLE-STRUCTURED-LOCATION;VALUE=URI;${[...more, 'X-APPLE-RADIUS=70', `X-TITLE=${title}`].join(';')}:${value}`
const at = { latitude: 48.85, longitude: 2.35 }

describe('a place', () => {
  test.each([
    ['without a name', ['LOCATION:Salle A', apple('null', 'geo:48.85,2.35')], { name: 'Salle A', ...at }],
    [
      'whose name is null',
      [apple('null', 'geo:48.85,2.35', 'X-ADDRESS="1 Rue B, Paris"')],
      { name: '1 Rue B', address: 'Paris', ...at },
    ],
    [
      'with its address below its name',
      ['LOCATION:C', apple('"C\\\\n3 Rue C"', 'geo:48.85,2.35')],
      { name: 'C', ...at },
    ],
    ['with a comma that is escaped', ['LOCATION:D', apple('D', 'geo:48.85\\,2.35')], { name: 'D', ...at }],
    ['with a blank', ['LOCATION:E', apple('E', 'geo:48.85, 2.35')], { name: 'E', ...at }],
    ['with a semicolon', ['LOCATION:F', apple('F', 'geo:48.85;2.35')], { name: 'F', ...at }],
    ['with a parameter', ['LOCATION:G', apple('G', 'geo:48.85,2.35;u=35')], { name: 'G', ...at }],
    [
      'with a colon in its address',
      ['LOCATION:H', apple('H', 'geo:48.85,2.35', 'X-ADDRESS=Hall: 2')],
      { name: 'H', ...at },
    ],
    ['folded within a number', ['LOCATION:I', apple('I', 'geo:48.8\r\n 5,2.35')], { name: 'I', ...at }],
    ['broken within a number', ['LOCATION:J', apple('J', 'geo:48.8\r\n5,2.35')], { name: 'J', ...at }],
    ['broken before the comma', ['LOCATION:K', apple('K', 'geo:48.85\r\n,2.35')], { name: 'K', ...at }],
    ['broken before its coordinates', ['LOCATION:L', apple('L', '\r\ngeo:48.85,2.35')], { name: 'L', ...at }],
    ['broken behind geo', ['LOCATION:M', apple('M', 'geo:\r\n48.85,2.35')], { name: 'M', ...at }],
    [
      'with lines in its address',
      ['LOCATION:N', apple('N', 'geo:48.85,2.35', 'X-ADDRESS="1 Rue N\r\n75001 Paris\r\n\r\nFrance"')],
      { name: 'N', ...at },
    ],
    [
      'with lines in its address, unquoted',
      ['LOCATION:O', apple('O', 'geo:48.85,2.35', 'X-ADDRESS=1 Rue O\r\n75001 Paris')],
      { name: 'O', ...at },
    ],
    [
      'with a web address',
      ['LOCATION:Town Hall\\, https://hall.example.org/'],
      { name: 'Town Hall', website: 'https://hall.example.org/' },
    ],
    [
      'with a web address below it',
      ['LOCATION:Old Mill (5 Bank)\\nwww.mill.example.org'],
      { name: 'Old Mill', address: '5 Bank', website: 'https://www.mill.example.org' },
    ],
    ['with a full stop', ['LOCATION:St.Pauli-Theater'], { name: 'St.Pauli-Theater' }],
    ['with a slash', ['LOCATION:Haus 3/Raum 5'], { name: 'Haus 3/Raum 5' }],
    ['with a word of meetings', ['LOCATION:Meeting Room 5'], { name: 'Meeting Room 5' }],
  ])('%s', async (_, lines, venue) => {
    const { event, notes } = await importEvent(...lines)
    expect(event.venues).toEqual([{ address: '', website: '', latitude: null, longitude: null, ...venue }])
    expect(event).toMatchObject({ attendanceMode: 'OFFLINE', customFields: [] })
    expect(notes).toEqual([])
  })

  test('stays, if another one of the same name is as good', async () => {
    const at = (uid: string, ...lines: string[]) => eventOf(uid, 'SUMMARY:Event', 'DTSTART:20261204T190000', ...lines)
    const file = calendarOf(
      at('same-1', 'LOCATION:Grange\\, 5 Rue Haute', 'GEO:48.1;2.1'),
      at('same-2', 'LOCATION:Grange\\, 9 Rue Basse', 'GEO:49.1;2.1'),
      at('same-3', 'LOCATION:Grange'),
    )
    expect(await importCalendar(file)).toMatchObject({ created: 3 })
    expect(await importCalendar(file)).toMatchObject({ unchanged: 3, updated: 0 })
  })

  test.each(['null', '(null)', 'undefined', 'None'])('%s is none', async (text) => {
    const { event } = await importEvent(`LOCATION:${text}`, `ORGANIZER;CN=${text}:mailto:noreply@example.invalid`)
    expect(event).toMatchObject({ venues: [], organizers: [], attendanceMode: 'OFFLINE' })
  })
})

const zoom = 'https://zoom.us/j/123?pwd=aB1'

describe('a location with the address of a meeting', () => {
  test.each([
    [zoom, zoom, ''],
    [`<${zoom}>`, zoom, ''],
    ['zoom.us/j/123', 'https://zoom.us/j/123', ''],
    ['www.example.org/room', 'https://www.example.org/room', ''],
    [`Zoom Meeting ${zoom}`, zoom, ''],
    [`Online\\, ${zoom}`, zoom, ''],
    [`${zoom}\\nMeeting ID: 123 456 789\\nPasscode: 99`, zoom, 'Meeting ID: 123 456 789, Passcode: 99'],
    [`${zoom} (Kenncode: 99)`, zoom, 'Kenncode: 99'],
    ['Zoom\\, Meeting-ID: 123 456 7890\\, Passcode: 8899', null, 'Meeting-ID: 123 456 7890, Passcode: 8899'],
    [
      'Visio : https://bbb.example.org/b/abc Code d’accès : 1234',
      'https://bbb.example.org/b/abc',
      'Code d’accès : 1234',
    ],
  ])('%s', async (location, onlineUrl, access) => {
    const { event } = await importEvent(`LOCATION:${location}`)
    const customFields = access === '' ? [] : [{ key: 'location', value: access }]
    expect(event).toMatchObject({ venues: [], onlineUrl, attendanceMode: 'ONLINE', customFields })
  })

  test('beside a place', async () => {
    const { event } = await importEvent(`LOCATION:Library\\, 2nd floor / ${zoom} Passcode: 99`)
    expect(event).toMatchObject({
      venues: [{ name: 'Library', address: '2nd floor' }],
      onlineUrl: zoom,
      attendanceMode: 'MIXED',
      customFields: [{ key: 'location', value: 'Passcode: 99' }],
    })
  })
})

describe('a web address', () => {
  test.each([
    ['www.example.org/x', 'https://www.example.org/x'],
    ['example.org', 'https://example.org'],
    ['//example.org/x', 'https://example.org/x'],
    ['münchen.example/fest?a=1', 'https://münchen.example/fest?a=1'],
    ['"https://example.org/x"', 'https://example.org/x'],
    ['HTTPS://example.org/x', 'HTTPS://example.org/x'],
    ['mailto:ada@example.org', null],
    ['ada@example.org', null],
    ['null', null],
    ['javascript:alert(1)', null],
  ])('%s', async (url, website) => {
    expect((await importEvent(`URL:${url}`)).event.website).toBe(website)
  })

  test('loses its user name and password', async () => {
    const { event, notes } = await importEvent(
      'URL:https://ada:secret@example.org/x',
      'LOCATION:https://ada:p@ss@meet.example.org/@room',
    )
    expect(event).toMatchObject({ website: 'https://example.org/x', onlineUrl: 'https://meet.example.org/@room' })
    expect(notes).toEqual(['User names and passwords in web addresses were left out.'])
  })
})
