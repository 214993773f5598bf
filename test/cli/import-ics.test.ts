// Files as calendar programs write them, imported and read by GraphQL.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { calendarOf, eventOf, type ImportCalendar, importerOf } from '../helpers/ics.ts'

let app: TestApp
let importBytes: ImportCalendar

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris' })
  importBytes = await importerOf(app)
})
afterAll(() => app?.close())

const importFixture = (name: string) => importBytes(readFileSync(new URL(`ics/${name}.ics`, import.meta.url)))

const fields = `uid sequence status title descriptionHtml startsLocal endsLocal timeZone allDay eventStatus attendanceMode
  onlineUrl website costEntries customFields { key value } translations { language name }
  venues { name address latitude longitude } organizers { name email phone } categories { name } tags { name }`

const eventsOf = async (...uids: string[]): Promise<Record<string, unknown>[]> => {
  const query = `query ($uids: [String!]) { events(filter: { uids: $uids }, first: 100) { nodes { ${fields} } } }`
  const client = await app.signIn('editor')
  return (await client.graphql(query, { uids })).body.data.events.nodes
}
const eventWith = async (uid: string) => (await eventsOf(uid))[0]

/** The second import of the same file changes nothing. */
const expectUnchanged = async (name: string, unchanged: number) =>
  expect(await importFixture(name)).toMatchObject({ created: 0, updated: 0, trashed: 0, unchanged })

test('a calendar of Google is imported, with its recurring event as a series', async () => {
  const report = await importFixture('google')
  expect(report).toMatchObject({ created: 3, updated: 0, unchanged: 0, trashed: 0, skipped: [] })
  expect(await eventWith('winter-concert@google.com')).toEqual({
    uid: 'winter-concert@google.com',
    sequence: 2,
    status: 'PUBLISHED',
    title: 'Winter concert',
    descriptionHtml:
      '<p><b>Winter concert</b><br />Doors open at 18:30, see <a href="https://example.org/concert">the programme</a>.</p>',
    startsLocal: '2026-12-04T19:00:00',
    endsLocal: '2026-12-04T21:30:00',
    timeZone: 'Europe/Paris',
    allDay: false,
    eventStatus: 'SCHEDULED',
    attendanceMode: 'MIXED',
    onlineUrl: 'https://meet.google.com/abc-defg-hij',
    website: null,
    costEntries: [],
    customFields: [],
    translations: [{ language: 'EN', name: 'Winter concert' }],
    venues: [
      {
        name: 'Salle Pleyel',
        address: '252 Rue du Faubourg Saint-Honoré, 75008 Paris, France',
        latitude: null,
        longitude: null,
      },
    ],
    organizers: [{ name: 'Quartier Libre', email: '', phone: '' }],
    categories: [],
    tags: [],
  })
  expect(await eventWith('closed@google.com')).toMatchObject({
    status: 'PRIVATE',
    allDay: true,
    startsLocal: '2026-12-24T00:00:00',
    endsLocal: '2026-12-26T23:59:59',
  })
  const dates = await app.db.event.findMany({
    where: { series: { uid: 'choir@google.com' } },
    orderBy: { startsAt: 'asc' },
  })
  expect(dates.map(({ startsLocal, dateTexts }) => [startsLocal.toISOString().slice(0, 16), dateTexts])).toEqual([
    ['2026-10-05T19:00', null],
    ['2026-10-20T19:30', { en: { label: 'moved to Tuesday' } }],
    ['2026-10-26T19:00', null],
    ['2026-11-02T19:00', null],
  ])
  await expectUnchanged('google', 3)
})

test('a calendar of Outlook is imported, with its own time zones', async () => {
  const report = await importFixture('outlook')
  expect(report).toMatchObject({
    created: 4,
    skipped: [{ uid: 'todo-1', line: 94, reason: 'VTODO is not an event. Only VEVENT is imported.' }],
    unreadProperties: { VALARM: 1, 'X-MICROSOFT-CDO-BUSYSTATUS': 1 },
  })
  expect(report.notes).toContain(
    'The time zone Customized Time Zone was read as America/New_York, which has the same offsets.',
  )
  expect(report.notes).toContain('The time zone Ship time was read as +02:17, which is its offset at the start.')
  const id = '040000008200E00074C5B7101A82E0080000000'
  expect(await eventWith(`${id}0`)).toMatchObject({
    title: 'Budget meeting',
    descriptionHtml: '<p>Agenda: <b>Budget &amp; plans</b></p>',
    startsLocal: '2026-12-10T10:00:00',
    endsLocal: '2026-12-10T12:00:00',
    timeZone: 'Europe/Paris',
    attendanceMode: 'ONLINE',
    onlineUrl: 'https://teams.microsoft.com/l/meetup-join/1',
    venues: [],
    organizers: [{ name: 'Dupont, Marie', email: 'marie.dupont@example.org' }],
  })
  expect(await eventWith(`${id}1`)).toMatchObject({
    startsLocal: '2026-07-15T09:00:00',
    endsLocal: '2026-07-15T10:30:00',
    timeZone: 'America/New_York',
    eventStatus: 'CANCELLED',
  })
  expect(await eventWith(`${id}2`)).toMatchObject({ startsLocal: '2026-07-15T09:00:00', timeZone: '+02:17' })
  expect(await eventWith(`${id}3`)).toMatchObject({
    allDay: true,
    startsLocal: '2026-12-24T00:00:00',
    endsLocal: '2026-12-25T23:59:59',
  })
  await expectUnchanged('outlook', 4)
})

test('a calendar of Apple is imported, with its structured location', async () => {
  expect(await importFixture('apple')).toMatchObject({ created: 2, skipped: [] })
  expect(await eventWith('6D1F3C55-0C0E-4B7A-9C43-0D0C5E7A1C11')).toMatchObject({
    startsLocal: '2026-12-13T11:00:00',
    timeZone: 'Europe/Madrid',
    website: 'https://walks.example.org/retiro',
    venues: [
      {
        name: 'Parque del Retiro',
        address: 'Plaza de la Independencia, 7, 28001 Madrid, España',
        latitude: 40.41526,
        longitude: -3.684416,
      },
    ],
  })
  expect(await eventWith('6D1F3C55-0C0E-4B7A-9C43-0D0C5E7A1C12')).toMatchObject({
    allDay: true,
    startsLocal: '2026-12-14T00:00:00',
    endsLocal: '2026-12-14T23:59:59',
  })
  await expectUnchanged('apple', 2)
})

test('a calendar of Thunderbird is imported, with HTML in a parameter', async () => {
  expect(await importFixture('thunderbird')).toMatchObject({
    created: 1,
    unreadProperties: { ATTACH: 1, 'X-MOZ-GENERATION': 1 },
  })
  expect(await eventWith('b1e9b0d4-0e5c-4f36-9f25-6f4f0f9f0001')).toMatchObject({
    title: 'Lesung: „Die Stadt“',
    descriptionHtml: '<p>With <strong>music</strong></p>',
    startsLocal: '2026-11-05T20:00:00',
    endsLocal: '2026-11-06T01:00:00',
    timeZone: 'Europe/Berlin',
    categories: [{ name: 'Books' }, { name: 'Reading' }],
    venues: [{ name: 'Bücherei', address: '' }],
  })
  await expectUnchanged('thunderbird', 1)
})

test('a calendar of Nextcloud is imported, with texts in several languages', async () => {
  const report = await importFixture('nextcloud')
  expect(report).toMatchObject({ created: 1, skipped: [] })
  expect(report.notes.map((note) => note.replace(/^.*?: /, ''))).toEqual([
    'The site has no language de: such texts were imported as en.',
    'Its STATUS is TENTATIVE: it was imported as postponed.',
    'The image http://127.0.0.1:9/image.png was not imported: The image must be on a server with a public address. Upload the file instead.',
  ])
  expect(await eventWith('3f5c0f7e-1c5d-44a1-a1a2-0c5c3a6f0001')).toMatchObject({
    sequence: 2,
    eventStatus: 'POSTPONED',
    attendanceMode: 'MIXED',
    onlineUrl: 'https://stream.example.org/velo',
    translations: [
      { language: 'EN', name: 'Bike workshop' },
      { language: 'FR', name: 'Atelier vélo' },
    ],
    descriptionHtml: '<p>Bring your bike.</p>\n<p>Tools are there.</p>',
    venues: [{ name: 'Atelier', latitude: 48.853, longitude: 2.35 }],
    organizers: [{ name: 'Vélo pour tous', email: 'velo@example.org', phone: '+33 1 23 45 67 89' }],
  })
  await expectUnchanged('nextcloud', 1)
})

test('an event of Eventbrite is imported', async () => {
  expect(await importFixture('eventbrite')).toMatchObject({ created: 1, skipped: [], unreadProperties: {} })
  expect(await eventWith('1045678901@eventbrite.com')).toMatchObject({
    title: 'Data & Drinks',
    startsLocal: '2026-12-03T18:30:00',
    timeZone: 'America/New_York',
    website: 'https://www.eventbrite.com/e/1045678901',
    costEntries: ['$12.50'],
    venues: [{ name: 'The Old Mill', address: '12 Water Street, Brooklyn, NY 11201' }],
    organizers: [{ name: "Data 'and' Friends", email: '' }],
  })
  await expectUnchanged('eventbrite', 1)
})

test('a changed event is updated, and an older one is skipped', async () => {
  const version = (sequence: number, title: string, start: string) =>
    calendarOf(eventOf('changing', `SEQUENCE:${sequence}`, `SUMMARY:${title}`, `DTSTART:${start}`, 'CATEGORIES:Market'))
  expect(await importBytes(version(1, 'Market', '20261205T080000'))).toMatchObject({ created: 1 })
  expect(await importBytes(version(3, 'Big market', '20261206T080000'))).toMatchObject({ updated: 1 })
  const changed = { title: 'Big market', sequence: 3, startsLocal: '2026-12-06T08:00:00' }
  expect(await eventWith('changing')).toMatchObject(changed)
  expect(await importBytes(version(2, 'Small market', '20261206T080000'))).toMatchObject({
    updated: 0,
    skipped: [
      {
        uid: 'changing',
        line: 4,
        reason: 'The event in the file is older than the stored event: its SEQUENCE is 2, but the stored event has 3.',
      },
    ],
  })
  expect(await eventWith('changing')).toMatchObject(changed)
})

test('an event with an older LAST-MODIFIED is skipped', async () => {
  const version = (day: string, title: string) =>
    calendarOf(eventOf('revised', `LAST-MODIFIED:202611${day}T080000Z`, `SUMMARY:${title}`, 'DTSTART:20261205T080000'))
  expect(await importBytes(version('05', 'Fifth'))).toMatchObject({ created: 1 })
  expect(await importBytes(version('04', 'Fourth'))).toMatchObject({
    skipped: [
      {
        reason:
          'The event in the file is older than the stored event: its LAST-MODIFIED is 2026-11-04T08:00:00.000Z, but the last import had 2026-11-05T08:00:00.000Z.',
      },
    ],
  })
  expect(await importBytes(version('06', 'Sixth'))).toMatchObject({ updated: 1 })
  expect(await importBytes(version('05', 'Fifth'))).toMatchObject({ updated: 0, skipped: [{ uid: 'revised' }] })
  expect(await importBytes(version('04', 'Quatrième'), { language: 'fr' })).toMatchObject({ updated: 1 })
  expect(await eventWith('revised')).toMatchObject({ title: 'Sixth' })
})

test('a file in another language adds a translation', async () => {
  const text = (title: string, category: string) =>
    calendarOf(
      eventOf(
        'bilingual',
        `SUMMARY:${title}`,
        'DTSTART;VALUE=DATE:20261208',
        `CATEGORIES:${category}`,
        'LOCATION:Port',
      ),
    )
  expect(await importBytes(text('Regatta', 'Sailing'))).toMatchObject({ created: 1 })
  expect(await importBytes(text('Régate', 'Voile'), { language: 'fr' })).toMatchObject({ updated: 1 })
  for (const [title, category, language] of [
    ['Regatta', 'Sailing', 'en'],
    ['Régate', 'Voile', 'fr'],
  ] as const) {
    expect(await importBytes(text(title, category), { language })).toMatchObject({ unchanged: 1, updated: 0 })
  }
  expect(await eventWith('bilingual')).toMatchObject({
    title: 'Regatta',
    translations: [
      { language: 'EN', name: 'Regatta' },
      { language: 'FR', name: 'Régate' },
    ],
    categories: [{ name: 'Sailing' }],
  })
})
