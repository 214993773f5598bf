// Length limits of texts. Writing a text takes time in proportion to its length.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldText } from '../../src/calendar/text/fold.ts'
import { toSafeHtml } from '../../src/calendar/text/sanitize.ts'
import { sanitizeHtmlText } from '../../src/calendar/text/sanitize-html.ts'
import { readLineInput } from '../../src/calendar/text/text-input.ts'
import { textRowsToJson, toServedTextRows } from '../../src/calendar/text/text-rows.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { leastCpuTime } from '../helpers/cpu.ts'
import { ns } from '../helpers/rest.ts'
import { type Kind, party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let editor: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('administrator')
})
afterAll(() => app?.close())

type Input = Readonly<Record<string, unknown>>

const x = (length: number) => 'x'.repeat(length)
const event = { title: 'Concert', start_date: '2027-01-01', end_date: '2027-01-02' }

describe('GraphQL rejects a text that is too long', () => {
  it.each<[string, Kind, (text: string) => Input, number, string]>([
    ['description', 'event', (description) => ({ ...party, description }), 100_000, 'description'],
    ['excerpt', 'event', (excerpt) => ({ ...party, excerpt }), 100_000, 'excerpt'],
    ['title', 'event', (title) => ({ ...party, title }), 800, 'title'],
    ['cost', 'event', (cost) => ({ ...party, cost: [cost] }), 99_996, 'cost'],
    [
      'custom field',
      'event',
      (value) => ({ ...party, customFields: [{ key: 'a', label: 'b', value }] }),
      99_964,
      'customFields',
    ],
    [
      'translation',
      'event',
      (description) => ({ ...party, translations: [{ language: 'FR', description }] }),
      100_000,
      'translations',
    ],
    [
      'description of a new venue',
      'event',
      (description) => ({ ...party, venues: [{ create: { name: 'V', description } }] }),
      100_000,
      'venues',
    ],
    ['description', 'venue', (description) => ({ name: 'V', description }), 100_000, 'description'],
    ['address', 'venue', (address) => ({ name: 'V', address }), 2000, 'address'],
    ['excerpt', 'organizer', (excerpt) => ({ name: 'O', excerpt }), 100_000, 'excerpt'],
    ['phone', 'organizer', (phone) => ({ name: 'O', phone }), 2000, 'phone'],
    ['description', 'category', (description) => ({ name: `C${Math.random()}`, description }), 100_000, 'description'],
    ['description', 'tag', (description) => ({ name: `T${Math.random()}`, description }), 100_000, 'description'],
  ])('%s of the kind %s', async (_, kind, input, most, field) => {
    expect((await write(editor, 'create', kind, input(x(most)))).errors).toEqual([])
    expect((await write(editor, 'create', kind, input(x(most + 1)))).errors).toEqual([`BAD_INPUT ${field}`])
  })

  it('with one error per text that contains the limit', async () => {
    const query = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { path message } } }'
    const input = { ...party, description: x(100_001), excerpt: x(100_001), website: x(2001) }
    const { body } = await editor.graphql(query, { input })
    expect(body.data.createEvent.userErrors).toEqual([
      { path: ['description'], message: 'description can have at most 100,000 characters.' },
      { path: ['excerpt'], message: 'excerpt can have at most 100,000 characters.' },
      { path: ['website'], message: 'website can have at most 2,000 characters.' },
    ])
  })

  it('and a list with too many items', async () => {
    const tags = Array.from({ length: 201 }, () => ({ idIfExists: 1 }))
    expect((await write(editor, 'create', 'event', { ...party, tags })).errors).toEqual(['BAD_INPUT tags'])
    expect((await write(editor, 'create', 'event', { ...party, tags: tags.slice(1) })).errors).toEqual([])
  })

  it('in an update, and stores nothing of it', async () => {
    const id = await written(editor, 'create', 'event', party)
    const change = { id, title: 'Other', description: x(100_001) }
    expect((await write(editor, 'update', 'event', change)).errors).toEqual(['BAD_INPUT description'])
    expect(await read(editor, 'event', id, 'title description')).toEqual({ title: 'Party', description: '' })
  })
})

describe('REST rejects a text that is too long', () => {
  it.each<[string, (text: string) => object, number, string]>([
    ['description', (description) => ({ description }), 100_000, 'description'],
    ['excerpt', (excerpt) => ({ excerpt }), 100_000, 'excerpt'],
    ['website', (path) => ({ website: `https://example.org/${path}` }), 1980, 'website'],
    ['a venue of its own', (description) => ({ venue: { venue: 'V', description } }), 100_000, 'venue'],
  ])('%s', async (_, fields, most, param) => {
    expect((await editor.send('POST', `${ns}/events`, { ...event, ...fields(x(most)) })).status).toBe(201)
    const { status, body } = await editor.send('POST', `${ns}/events`, { ...event, ...fields(x(most + 1)) })
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [param]])
    expect(body.data.params[param]).toMatch(/ at most [\d,]+ characters\.$/)
  })

  it.each(['start_date', 'image', 'timezone', 'status', 'cost', 'author'])('%s', async (param) => {
    const { status, body } = await editor.send('POST', `${ns}/events`, { ...event, [param]: x(100_001) })
    expect([status, body.data.params]).toEqual([400, { [param]: 'Give at most 100,000 characters.' }])
  })

  it('and a list of too many records', async () => {
    const { status, body } = await editor.send('POST', `${ns}/events`, { ...event, venue: '1,'.repeat(40_000) })
    expect([status, body.data.params]).toEqual([400, { venue: 'Give at most 200 items.' }])
  })

  it('and lists in lists', async () => {
    const payload = JSON.stringify({ ...event, organizer: 0 }).replace(
      '0}',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    )
    const { status, body } = await editor.send('POST', `${ns}/events`, payload, { 'content-type': 'application/json' })
    expect([status, body.data.params.organizer]).toEqual([400, 'Give values nested at most 50 levels deep.'])
  })
})

it('a description can be written back as it was read', async () => {
  const description = '&'.repeat(20_000)
  const id = await written(editor, 'create', 'event', { ...party, description })
  const { description: stored } = await read(editor, 'event', id, 'description')
  expect(stored).toBe('&amp;'.repeat(20_000))
  expect((await write(editor, 'update', 'event', { id, description: stored })).errors).toEqual([])
  const longer = `${description}&`
  expect((await write(editor, 'update', 'event', { id, description: longer })).errors).toEqual([
    'BAD_INPUT description',
  ])
})

it('sanitizing long HTML does not block other requests', async () => {
  const html = '<p>a'.repeat(20_000)
  let turns = 0
  const count = setInterval(() => {
    turns += 1
  }, 1)
  const [cleaned, other] = await Promise.all([sanitizeHtmlText(html), sanitizeHtmlText(`${html}b`)])
  clearInterval(count)
  expect(turns).toBeGreaterThan(1)
  expect(cleaned).toBe(toSafeHtml(html))
  expect(other).toBe(toSafeHtml(`${html}b`))
})

describe('the processing time is proportional to the length of', () => {
  const marks = (length: number) => '\u0301\u0316'.repeat(length / 2)

  it.each<[string, (length: number) => unknown]>([
    ['marks that are folded', (length) => foldText(marks(length))],
    ['marks in a line', (length) => readLineInput(marks(length))],
    ['HTML', (length) => toSafeHtml('<p>a'.repeat(length / 4))],
  ])('%s', (_, work) => {
    // Some machines count CPU time in steps of four milliseconds.
    const tenTimes = (length: number) =>
      leastCpuTime(() => {
        for (let n = 0; n < 10; n += 1) work(length)
      }, 3)
    // Work that grows with the square would take 64 times as long.
    expect(tenTimes(64_000) / Math.max(4000, tenTimes(8000))).toBeLessThan(30)
  })

  it('the stored search text is limited for a text that grows when normalized', () => {
    const own = new Map([
      ['en', { name: 'x', description: '\ufdfa'.repeat(100_000), excerpt: '\ufdfa'.repeat(100_000) }],
    ])
    const rows = toServedTextRows({ id: 1, original: 'en', own }, { languages: ['en', 'fr'], defaultLanguage: 'en' })
    for (const row of JSON.parse(textRowsToJson('event', rows))) {
      expect(row.folded.length).toBeLessThanOrEqual(400_003)
      expect(row.short.length).toBeLessThanOrEqual(100_000)
      expect(row.long.length).toBeLessThanOrEqual(100_000)
    }
  })
})
