// Malicious text, or text that PostgreSQL rejects, is sanitized or rejected with a typed error.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { partOf } from '../helpers/runs.ts'
import { allRows, type Kind, party, write } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp({ BODY_LIMIT: '6000000' })
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

/** A create input for every text field. */
const places: readonly [string, Kind, (text: string) => object][] = [
  ['title', 'event', (title) => ({ ...party, title })],
  ...['description', 'excerpt', 'slug', 'website', 'timeZone', 'password'].map(
    (field): [string, Kind, (text: string) => object] => [field, 'event', (text) => ({ ...party, [field]: text })],
  ),
  ['cost', 'event', (text) => ({ ...party, cost: [text] })],
  ['tag', 'event', (nameOrSlug) => ({ ...party, tags: [{ nameOrSlug }] })],
  ['category', 'event', (nameOrSlug) => ({ ...party, categories: [{ nameOrSlug }] })],
  ['ticket', 'event', (name) => ({ ...party, tickets: [{ name, price: '1', currency: 'EUR' }] })],
  ['price', 'event', (price) => ({ ...party, tickets: [{ name: 'x', price, currency: 'EUR' }] })],
  [
    'custom field',
    'event',
    (text) => ({ ...party, customFields: [{ key: text, label: text, value: { [text]: [text] } }] }),
  ],
  ['new venue', 'event', (name) => ({ ...party, venues: [{ create: { name, orExisting: true } }] })],
  ['new organizer', 'event', (name) => ({ ...party, organizers: [{ create: { name, phone: name } }] })],
  ['translation', 'event', (text) => ({ ...party, translations: [{ language: 'FR', name: text, description: text }] })],
  ...['address', 'city', 'country', 'stateProvince', 'zip', 'phone'].map(
    (field): [string, Kind, (text: string) => object] => [field, 'venue', (text) => ({ name: 'V', [field]: text })],
  ),
  ['email', 'organizer', (email) => ({ name: 'O', email })],
  ['name', 'category', (name) => ({ name, description: name })],
  ['name', 'tag', (name) => ({ name, slug: name })],
]

const texts: readonly [string, string][] = [
  ['NUL', 'a\0b'],
  ['half a character', 'a\ud83db\ude00'],
  ['only half a character', '\udc00'],
  ['a script', '<script>alert(1)</script>'],
  ['an image that acts', '<img src=x onerror=alert(1)>"><svg/onload=alert(1)>'],
  ['SQL', `'; DROP TABLE event; --`],
  ['patterns', '%_\\%\\\\'],
  ['control characters', '\u0001\u001b[2J\u007f\u0085\u2028'],
  ['direction marks', '\u202eevil\u202c'],
  ['accents without end', `a${'\u0301'.repeat(5000)}`],
  ['blanks only', ' \u00a0\u3000\t'],
  ['nothing', ''],
]

/** Sent to each place; the others to a third of the places each, and each place gets a third of them. */
const toEachPlace: readonly string[] = ['NUL', 'a script', 'an image that acts']

describe.each(texts)('%s', (name, text) => {
  const turn = texts.findIndex(([other]) => other === name)
  test.each(toEachPlace.includes(name) ? places : partOf(places, 3, turn))(
    'as %s of a new %s',
    async (_place, kind, input) => {
      const { record, errors } = await write(admin, 'create', kind, { ...input(text) })
      expect(errors.filter((error) => !/^(BAD_INPUT|TERM_EXISTS)/.test(error))).toEqual([])
      expect(record === null).toBe(errors.length > 0)
      if (text.includes('\0')) expect(errors).not.toEqual([])
    },
  )
})

test('stored text contains no script', async () => {
  const stored = Object.entries(await allRows(app)).filter(([table]) => /_text$/.test(table))
  expect(stored.length).toBe(6)
  const { body } = await admin.graphql('{ eventsPage(perPage: 50) { items { descriptionHtml excerptHtml } } }')
  expect(JSON.stringify(body)).not.toMatch(/<script|onerror=|onload=/i)
  const legacy = await app.get('/cal/events/v1/events?per_page=50')
  const shown = legacy.body.events.flatMap((event: Record<string, unknown>) => [
    ...[event.title, event.description, event.excerpt],
    ...(event.organizer as { organizer: string }[]).map(({ organizer }) => organizer),
    ...(event.tags as { name: string }[]).map(({ name }) => name),
  ])
  expect(JSON.stringify(shown)).not.toMatch(/<script|<svg|<[^>]+onerror=/i)
})

test('a backslash with digits is not a NUL character', async () => {
  const { record } = await write(admin, 'create', 'venue', { name: 'C:\\u0000' }, 'name')
  expect(record).toEqual({ name: 'C:\\u0000' })
})

describe('a megabyte of text is rejected', () => {
  const long = { words: 'word '.repeat(200_000), noise: randomBytes(500_000).toString('hex') }
  // Words or noise in turn at each place, both at each in `npm run test:full`.
  test.each(
    places.flatMap(([place, kind, input], index) =>
      Object.entries(long)
        .map(([name, text]) => ({ name, place, kind, input, text }))
        .filter((_, either) => process.env.PROPERTY_RUNS === 'all' || either === index % 2),
    ),
  )('$name as $place of a new $kind is stored safely or rejected', async ({ kind, input, text }) => {
    const { errors } = await write(admin, 'create', kind, { ...input(text) })
    expect(errors).not.toEqual([])
    expect(errors.filter((error) => !error.startsWith('BAD_INPUT'))).toEqual([])
  })

  test('deeply nested values are rejected', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const payload = `{"query":"mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code path } } }",
      "variables":{"input":{"title":"x","startsLocal":"2026-12-24T20:00:00","endsLocal":"2026-12-24T20:00:00",
      "customFields":[{"key":"a","label":"b","value":${deep}}]}}}`
    const headers = { 'content-type': 'application/json' }
    const { body } = await admin.get('/graphql', { method: 'POST', payload, headers })
    expect(JSON.stringify(body)).not.toContain('INTERNAL')
    expect(body.data?.createEvent?.userErrors ?? body.errors).not.toEqual([])
  })
})

test.each([799, 800, 801])('a title of %i characters', async (length) => {
  const title = '漢'.repeat(length)
  const { errors } = await write(admin, 'create', 'event', { ...party, title })
  expect(errors).toEqual(length > 800 ? ['BAD_INPUT title'] : [])
})
