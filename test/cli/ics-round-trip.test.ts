// Events that the service writes as iCalendar, imported into an empty database, and written again.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { eventsOf, readCalendar } from '../helpers/icalendar.ts'
import { type ImportCalendar, importerOf } from '../helpers/ics.ts'
import { runs } from '../helpers/runs.ts'

const languages = ['en', 'fr', 'es'] as const
const env = { SITE_TIMEZONE: 'Europe/Madrid', END_OF_DAY_CUTOFF: '05:00' }

let from: TestApp
let to: TestApp
let editor: Awaited<ReturnType<TestApp['signIn']>>
let importCalendar: ImportCalendar

beforeAll(async () => {
  from = await openTestApp(env)
  to = await openTestApp({ ...env, PUBLIC_URL: 'http://other.test' })
  editor = await from.signIn('editor')
  importCalendar = await importerOf(to)
})
afterAll(async () => {
  await from?.close()
  await to?.close()
})

const exportFrom = async (app: TestApp, language: string): Promise<string> => {
  const root = language === 'en' ? '' : `/${language}`
  return (await readCalendar(app, `${root}/events.ics?start_date=2000-01-01&end_date=2100-01-01`)).body
}

const importTo = (text: string, language: string) =>
  importCalendar(text, { language, from: '2000-01-01', until: '2100-01-01' })

/** These properties of each event, by UID. */
const comparable = (text: string, names: readonly string[]) =>
  Object.fromEntries(
    eventsOf(text).map(({ uid, component }) => [
      uid,
      component
        .getAllProperties()
        .filter(({ name }) => names.includes(name))
        // Tags come back as categories, which have another order.
        .map((property) =>
          [property.name, property.getParameter('tzid'), property.getValues().map(String).sort()].join(),
        )
        .sort(),
    ]),
  )
const own = [
  'dtstart',
  'dtend',
  'summary',
  'description',
  'x-alt-desc',
  'geo',
  'sequence',
  'status',
  'conference',
  'class',
]
const linked = ['location', 'categories', 'contact', 'organizer', 'x-apple-structured-location']

const create = async (input: Record<string, unknown>) => {
  const query = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { path message } } }'
  const { body } = await editor.graphql(query, { input })
  expect(body).toEqual({ data: { createEvent: { userErrors: [] } } })
}

const expectEqual = async (): Promise<void> => {
  for (const language of languages) {
    const report = await importTo(await exportFrom(from, language), language)
    expect(report).toMatchObject({ skipped: [], trashed: 0, unreadProperties: {} })
  }
  for (const language of languages) {
    const [before, after] = [await exportFrom(from, language), await exportFrom(to, language)]
    const names = language === 'en' ? [...own, ...linked] : own
    expect(comparable(after, names)).toEqual(comparable(before, names))
    expect(await importTo(before, language)).toMatchObject({ created: 0, updated: 0, skipped: [] })
  }
}

test('exported events come back equal in an empty database', async () => {
  const opera = { name: 'Opera, Main Hall', address: '1 Square', zip: '75009', city: 'Paris', country: 'France' }
  await create({
    title: 'Concert',
    description: '<p>First &amp; <a href="https://example.org/a?b=1&amp;c=2">second</a></p>\n\nThird\nline',
    translations: [
      { language: 'FR', name: 'Concert d’été', description: 'Texte français' },
      { language: 'ES', name: 'Concierto' },
    ],
    startsLocal: '2026-12-04T20:00:00',
    endsLocal: '2026-12-05T01:00:00',
    timeZone: 'Europe/Paris',
    venues: [
      { create: { ...opera, coordinates: { latitude: 48.8719, longitude: 2.3316 } } },
      { create: { name: 'Café', address: 'Rue "Neuve"' } },
    ],
    organizers: [
      { create: { name: 'Friends; of “Music”', email: 'friends@example.org', phone: '+33 1 23 45 67 89' } },
      { create: { name: 'City', phone: '01 98 76 54 32' } },
    ],
    categories: [{ nameOrSlug: 'Music, live' }],
    tags: [{ nameOrSlug: 'Free' }],
    onlineUrl: 'https://stream.example.org/?a=1;b=2,3',
    attendanceMode: 'MIXED',
  })
  await create({ title: 'Days', startsLocal: '2026-12-24T12:00:00', endsLocal: '2026-12-26T12:00:00', allDay: true })
  const clockChange = { startsAt: '2026-10-25T01:15:00Z', endsAt: '2026-10-25T03:00:00Z', timeZone: 'Europe/Paris' }
  const inTokyo = { startsLocal: '2026-12-24T00:00:00', endsLocal: '2026-12-24T12:00:00', timeZone: 'Asia/Tokyo' }
  await create({ title: 'A day elsewhere', ...inTokyo, allDay: true })
  await create({ title: 'Repeated hour', ...clockChange })
  await create({ title: 'Within it', ...clockChange, endsAt: '2026-10-25T01:45:00Z', timeZone: 'Europe/Berlin' })
  const hour = { startsLocal: '2026-12-01T10:00:00', endsLocal: '2026-12-01T11:00:00' }
  for (const timeZone of ['UTC', 'UTC+5:30', '-03:00', 'America/St_Johns', 'Asia/Kolkata', 'CEST', 'Etc/GMT-2']) {
    await create({ title: `In ${timeZone}`, ...hour, timeZone })
  }
  await create({ title: 'Cancelled', ...hour, eventStatus: 'CANCELLED', timeZone: 'Europe/Dublin' })
  await create({ title: 'Postponed', ...hour, eventStatus: 'POSTPONED', uid: 'postponed@example.org', sequence: 7 })
  await create({
    title: 'Free text',
    ...hour,
    customFields: [{ key: 'location', label: 'Location', value: 'By the river' }],
  })
  // The feed in Spanish has the title in English, and the category in Spanish.
  const heritage = '{ name: "Heritage", translations: [{ language: ES, name: "Patrimonio" }] }'
  await editor.graphql(`mutation { createCategory(input: ${heritage}) { userErrors { message } } }`)
  await create({ title: 'Untranslated', ...hour, categories: [{ nameOrSlug: 'Heritage' }] })
  await expectEqual()
})

test('events with any texts and times come back equal', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  const special = fc.constantFrom(
    '\\n',
    '\\',
    ';,:"',
    '&amp;',
    '<b>',
    '^n^^',
    'C:\\new\\north',
    '="a "b" c":',
    '\u00e9',
  )
  const mixed = fc.array(fc.oneof(text, special), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
  const zone = fc.constantFrom(
    'Europe/Paris',
    'America/New_York',
    'Australia/Lord_Howe',
    'UTC',
    'UTC-3.5',
    'Europe/Dublin',
  )
  let places = 0
  const events = fc.array(
    fc.record({
      title: mixed.map((title) => `T ${title}`),
      // HTML without text is no description.
      description: fc.oneof(
        fc.constant(''),
        mixed.map((text) => `D ${text}`),
      ),
      startsAt: fc.date({ min: new Date('2001-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
      minutes: fc.integer({ min: 0, max: 10_000 }),
      timeZone: zone,
      french: mixed,
      // Numbered: the text of a venue may begin with the name of another one only in files of other programs. LOCATION
      // separates name and address by a comma or parentheses, and does not keep the spaces around them.
      venue: mixed.map((name) => `V${++places} ${name}`.replaceAll(/[\s,]*,[\s,]*|\s*[()]\s*/g, ', ')),
    }),
    { minLength: 1, maxLength: 5 },
  )
  const property = fc.asyncProperty(events, async (drawn) => {
    for (const { startsAt, minutes, french, venue, ...event } of drawn) {
      const endsAt = new Date(startsAt.getTime() + minutes * 60_000).toISOString()
      // iCalendar cannot say that a description is empty in one language only.
      const description = french.trim() === '' ? {} : { description: `D ${french}` }
      const translations = [{ language: 'FR', name: `F ${french}`, ...description }]
      const venues = [{ create: { name: venue, orExisting: true } }]
      await create({ ...event, startsAt: startsAt.toISOString(), endsAt, translations, venues })
    }
    await expectEqual()
  })
  await fc.assert(property, { numRuns: runs(6), endOnFailure: true })
})
