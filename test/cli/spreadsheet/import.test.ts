// Creating and updating records from spreadsheets.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { csvOf, openSheets, type Sheets } from './sheet.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVQImWNQckmDIAY4CwAuTATJnqlZXQAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let sheets: Sheets
let folder: string
let pictures: Server
let host: string
beforeAll(async () => {
  pictures = createServer((request, response) => {
    if (request.url?.startsWith('/picture')) response.setHeader('content-type', 'image/png').end(png)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(pictures, 'listening')
  host = `127.0.0.1:${(pictures.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'calendar-sheet-images-'))
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris', IMAGES_DIR: folder, IMAGE_PRIVATE_HOSTS: host })
  sheets = await openSheets(app)
})
afterAll(async () => {
  sheets.close()
  await app.close()
  pictures.close()
  rmSync(folder, { recursive: true })
})

const event = async (id: number | undefined) => {
  const fields = `title startsLocal endsLocal timeZone allDay status featured costEntries venues { name city latitude }
    categories { name } tags { name } organizers { name } translations { language name description slug }
    customFields { key label value } onlineUrl attendanceMode`
  const { body } = await app.graphql(`query ($id: ID!) { event(id: $id) { ${fields} } }`, { id })
  return body.data.event
}

const create = async (cells: Readonly<Record<string, string>>, options = {}) => {
  const report = await sheets.importCsv(csvOf(Object.keys(cells), Object.values(cells)), options)
  return { ...report, id: report.changes[0]?.id }
}

const basics = { 'title:en': 'Concert', start: '2027-01-31T18:00', end: '2027-01-31T20:00' }

test('a row without ID creates an event with everything that its columns say', async () => {
  const { id, errors } = await create(
    {
      ...basics,
      'title:fr': 'Concert du soir',
      'description:fr': '<p>Un « grand » concert</p>',
      time_zone: 'Europe/Madrid',
      featured: 'VRAI',
      cost: '10 €|Free for children',
      venues: 'Blue Hall|Second Hall',
      venue_city: 'Sevilla',
      venue_latitude: '37,38',
      venue_longitude: '-5,99',
      organizers: 'Town council',
      categories: 'Music',
      tags: 'jazz|a \\| b',
      online_url: 'https://example.org/live',
      attendance: 'mixed',
      'custom:Age': '12+',
    },
    { createMissing: true },
  )
  expect(errors).toEqual([])
  expect(await event(id)).toMatchObject({
    title: 'Concert',
    startsLocal: '2027-01-31T18:00:00',
    endsLocal: '2027-01-31T20:00:00',
    timeZone: 'Europe/Madrid',
    status: 'PUBLISHED',
    featured: true,
    costEntries: ['10 €', 'Free for children'],
    venues: [{ name: 'Blue Hall', city: 'Sevilla', latitude: 37.38 }, { name: 'Second Hall' }],
    organizers: [{ name: 'Town council' }],
    categories: [{ name: 'Music' }],
    tags: expect.arrayContaining([{ name: 'jazz' }, { name: 'a | b' }]),
    translations: expect.arrayContaining([
      expect.objectContaining({ language: 'FR', name: 'Concert du soir', description: '<p>Un « grand » concert</p>' }),
    ]),
    customFields: [{ key: 'Age', label: 'Age', value: '12+' }],
    onlineUrl: 'https://example.org/live',
    attendanceMode: 'MIXED',
  })
})

test('an update writes only the changed cells: a missing column leaves the field, an empty cell clears it', async () => {
  const { id } = await create({ ...basics, 'title:fr': 'Bal', 'excerpt:fr': 'Court', cost: '5', 'custom:a': '1' })
  const before = await app.db.event.findUniqueOrThrow({ where: { id } })
  const cells = { id: `${id}`, 'title:en': 'Ball', 'excerpt:fr': '', cost: '', 'custom:b': 'new', featured: 'no' }
  const { changes, updated } = await create(cells)
  expect([updated, changes]).toEqual([
    1,
    [{ row: 2, action: 'update', id, columns: ['cost', 'custom:b', 'title:en', 'excerpt:fr'] }],
  ])
  expect(await event(id)).toMatchObject({
    title: 'Ball',
    costEntries: [],
    startsLocal: '2027-01-31T18:00:00',
    customFields: [
      { key: 'a', value: '1' },
      { key: 'b', value: 'new' },
    ],
  })
  const after = await app.db.event.findUniqueOrThrow({ where: { id } })
  expect(after.modifiedAt.getTime()).toBeGreaterThan(before.modifiedAt.getTime())
  expect(await create(cells)).toMatchObject({ unchanged: 1, updated: 0 })
})

test('all errors are reported by row and column, and nothing is written', async () => {
  const count = await app.db.event.count()
  const file = csvOf(
    ['id', 'title:en', 'start', 'end', 'time_zone', 'status', 'featured', 'website', 'venues', 'image', 'modified'],
    ['', 'Valid', '2027-01-31T18:00', '2027-01-31T20:00', '', '', '', '', '', '', ''],
    ['', 'Wrong', '1/2/2027', '2027-02-30', 'Mars/Olympus', 'open', 'perhaps', 'nowhere', 'No such hall', '', 'soon'],
    ['999999', 'Unknown', '2027-01-31T18:00', '2027-01-31T20:00', '', '', '', '', '', '', ''],
    ['', '', '2027-01-31', '2027-01-31T17:00', '', '', '', '', '', '', ''],
    ['', 'Backwards', '2027-01-31T18:00', '2027-01-31T17:00', '', '', '', 'nowhere', '', '', ''],
  )
  const report = await sheets.importCsv(file)
  const found = report.errors.map(({ row, column, message }) => `${row} ${column} ${message}`)
  const expected = [
    /^3 start .*1\/2\/2027.* can mean different days\. Write 2027-01-31T18:00/,
    /^3 end .* not a date that exists/,
    /^3 time_zone .*Mars\/Olympus.* Europe\/Paris/,
    /^3 status .*open.* publish, /,
    /^3 featured .*perhaps/,
    /^3 venues .*No such hall.* --create-missing/,
    /^3 website .*absolute URL/,
    /^4 id There is no event with the ID 999999/,
    /^5 start .*has no time/,
    /^5 title A new event needs a title/,
    /^6 end The end must not be before/,
    /^6 website .*absolute URL/,
  ]
  for (const message of expected) expect(found).toContainEqual(expect.stringMatching(message))
  expect(found).toHaveLength(expected.length)
  expect([report.failed, report.created, report.rows, report.written]).toEqual([4, 1, 5, false])
  expect(await app.db.event.count()).toBe(count)
  const continued = await sheets.importCsv(file, { continueAfterErrors: true })
  expect([continued.failed, continued.created, continued.rows, continued.written]).toEqual([4, 1, 5, true])
  expect(await app.db.event.count()).toBe(count + 1)
})

test('a record that was modified after the export is not overwritten', async () => {
  const { id } = await create(basics)
  const exported = await sheets.exportJson('events', { languages: ['en'], filter: { include: [`${id}`] } })
  await create({ id: `${id}`, 'title:en': 'Changed by somebody else' })
  const edited = exported.replace('"Concert"', '"Changed by me"')
  expect((await sheets.importJson(edited)).errors).toEqual([
    {
      row: 1,
      column: 'modified',
      message: expect.stringMatching(/modified at .* Export it again, or leave this cell empty/),
    },
  ])
  expect((await event(id)).title).toBe('Changed by somebody else')
  const forced = edited.replace(/"modified":"[^"]*"/, '"modified":""')
  expect((await sheets.importJson(forced)).updated).toBe(1)
})

test('neither is a tag', async () => {
  const { changes } = await sheets.importCsv(csvOf(['name:en'], ['Brass']), { kind: 'tags' })
  const id = changes[0]?.id
  const exported = await sheets.exportCsv('tags', { filter: { include: [`${id}`] } })
  await sheets.importCsv(csvOf(['id', 'name:en'], [`${id}`, 'Their brass']), { kind: 'tags' })
  const report = await sheets.importCsv(exported.replace('Brass', 'My brass'), { kind: 'tags' })
  expect(report.errors).toMatchObject([{ row: 2, column: 'modified' }])
})

test('an import has the rights of the user who runs it', async () => {
  const { id } = await create(basics)
  const contributor = await app.signIn('contributor')
  const file = csvOf(['id', 'title:en'], [`${id}`, 'Hijacked'])
  const { errors } = await sheets.importCsv(file, { login: contributor.login })
  expect(errors).toEqual([{ row: 2, column: undefined, message: 'You may not update this record.' }])
})

test('categories may name parents that another row of the file creates', async () => {
  const file = csvOf(
    ['name', 'slug', 'parent'],
    ['Leaf', 'leaf', 'branch'],
    ['Branch', 'branch', 'Root one'],
    ['Root one', '', ''],
  )
  const report = await sheets.importCsv(file, { kind: 'categories' })
  expect(report).toMatchObject({ created: 3, errors: [] })
  const { body } = await app.graphql('{ category(slug: "leaf") { parent { slug parent { name } } } }')
  expect(body.data.category.parent).toEqual({ slug: 'branch', parent: { name: 'Root one' } })
  expect(await sheets.importCsv(file, { kind: 'categories' })).toMatchObject({ unchanged: 3, updated: 0, created: 0 })
  const circle = csvOf(['name', 'parent'], ['Hen', 'Egg'], ['Egg', 'Hen'])
  expect((await sheets.importCsv(circle, { kind: 'categories' })).errors).toHaveLength(2)
})

test('images are downloaded once, when a row is written', async () => {
  const row = { ...basics, uid: 'with-image', image: `http://${host}/picture` }
  const before = await app.db.image.count()
  expect(await create(row, { dryRun: true })).toMatchObject({ created: 1, errors: [] })
  expect(await app.db.image.count()).toBe(before)
  const { id } = await create(row)
  expect((await app.db.event.findUniqueOrThrow({ where: { id } })).imageId).not.toBeNull()
  expect(await create(row)).toMatchObject({ unchanged: 1, updated: 0 })
  expect((await create({ ...row, image: `http://${host}/missing` })).errors).toEqual([
    { row: 2, column: 'image', message: expect.stringContaining('did not respond with status 200') },
  ])
  expect(await create({ ...row, image: '' })).toMatchObject({ updated: 1 })
  expect((await app.db.event.findUniqueOrThrow({ where: { id } })).imageId).toBeNull()
})

test('two rows of the same record, and JSON fields that do not exist, are errors', async () => {
  const { id } = await create(basics)
  const twice = csvOf(['id', 'title:en'], [`${id}`, 'First'], [`${id}`, 'Second'])
  expect((await sheets.importCsv(twice)).errors).toEqual([
    { row: 3, column: 'id', message: 'Row 2 has the same event.' },
  ])
  expect((await sheets.importJson(`[{"id": ${id}, "titel": "Tippfehler"}]`)).errors).toEqual([
    { row: 1, column: 'titel', message: expect.stringMatching(/no such column.*columns are id, title/) },
  ])
})

test('an e-mail address that is none is left out and noted', async () => {
  const file = csvOf(['name:en', 'email', 'phone'], ['Brass band', 'ask at the door', '555'])
  const report = await sheets.importCsv(file, { kind: 'organizers' })
  expect(report).toMatchObject({
    ...{ created: 1, failed: 0 },
    notes: [{ row: 2, column: 'email', message: 'ask at the door is not a valid e-mail address.' }],
  })
  const { body } = await app.graphql('{ organizers(filter: { search: "Brass" }) { nodes { email phone } } }')
  expect(body.data.organizers.nodes).toEqual([{ email: '', phone: '555' }])
})
