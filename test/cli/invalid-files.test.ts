// Export and import reject invalid files, and leave nothing behind.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import { lockFolder } from '../../src/engine/postgres/pglite/folder-lock.ts'
import { withNewDatabase, withSiteDatabase } from '../../src/tools/session.ts'
import { exportToFile, exportToStream } from '../../src/tools/transfer/export.ts'
import { importExportedRows, openExportFile, openExportStream } from '../../src/tools/transfer/import.ts'
import { tables } from '../../src/tools/transfer/tables.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'
import { pixel, pixelName } from './unusual-records.ts'

let folder: string
let app: TestApp
let empty: TestDatabase
let file: string
let good: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-cli-'))
  app = await openTestApp({ IMAGES_DIR: join(folder, 'images') })
  const images = [pixelName, `${'x'.repeat(43)}.gif`]
  for (const name of images) await app.db.image.create({ data: { url: `/images/${name}`, mimeType: 'image/gif' } })
  await app.db.$executeRaw`UPDATE image SET width = 1`
  const { saveImage } = await import('../../src/calendar/image/storage/files.ts')
  await saveImage(app.settings.imagesDir, pixel, 'gif')
  await makeCategory(app.db, 'Music')
  await makeVenue(app.db, 'Hall', { latitude: 1, longitude: 2 })
  await makeEvent(app.db, 'One')
  file = join(folder, 'good.ndjson')
  const report = await exportToFile(file, { ...app, now: () => now }, { accounts: true })
  expect(report).toMatchObject({ images: 1, missingImages: [images[1]] })
  good = readFileSync(file, 'utf8').split('\n')
  empty = await openTestDatabase()
})
afterAll(async () => {
  await app?.close()
  await empty?.close()
  rmSync(folder, { recursive: true })
})

const store = () => join(folder, 'store')
beforeEach(() => rmSync(store(), { recursive: true, force: true }))

const importFile = async (path: string, database: TestDatabase = empty) =>
  importExportedRows(await openExportFile(path), {
    ...database,
    settings: { ...app.settings, imagesDir: store() },
    now: () => now,
  })

/** All rows of the target database, and all files in its image folder. */
async function storedContent(): Promise<unknown[]> {
  const content: unknown[] = existsSync(store()) ? readdirSync(store(), { recursive: true, withFileTypes: true }) : []
  for (const { name } of tables) content.push(...(await empty.database.pool.query(`SELECT * FROM "${name}"`)).rows)
  return (content as { isFile?(): boolean }[]).filter((entry) => entry.isFile?.() ?? true)
}

const lineOf = (start: string) => good.findIndex((line) => line.startsWith(`{"${start}"`))

const broken: readonly [what: string, change: (lines: string[]) => string[], expected: RegExp][] = [
  ['an empty file', () => [], /not a header/],
  ['another file', () => ['{"hello":1}'], /not a header/],
  ['a later version', ([head = '', ...rest]) => [head.replace('"version":1', '"version":2'), ...rest], /version 2/],
  [
    'a header without languages',
    ([head = '', ...rest]) => [head.replace('"languages"', '"other"'), ...rest],
    /languages/,
  ],
  [
    'an unknown column',
    ([head = '', ...rest]) => [head.replace('"sticky"', '"gluey"'), ...rest],
    /unknown column gluey of event/,
  ],
  ['a file cut off', (lines) => lines.slice(0, -3), /incomplete: it has \d+ of \d+ rows of content_/],
  ['half a line', (lines) => lines.map((line, n) => (n === 3 ? line.slice(0, 40) : line)), /^Line 4 is not a row/],
  [
    'a row of an unknown table',
    (lines) => [...lines, '{"pg_class":{"id":1}}'],
    /is not a row of a table that the header lists/,
  ],
  ['a row without a column', replace('event', /"sticky":false,/, ''), /: the row of event lacks the column sticky/],
  ['a row with another column', replace('event', /"sticky"/, '"gluey":1,"sticky"'), /has the unknown column gluey/],
  [
    'an invalid value',
    replace('event', /"starts_at":"[^"]*"/, '"starts_at":"soon"'),
    /^Line \d+, event: .*timestamp.*soon/,
  ],
  [
    'a value that a constraint rejects',
    replace('venue', /"latitude":1/, '"latitude":91'),
    /^Line \d+, venue: .*venue_latitude/,
  ],
  [
    'a rejected row before a malformed line',
    (lines) => {
      const broken = replace('venue', /"latitude":1/, '"latitude":91')(lines)
      return broken.toSpliced(broken.findIndex((line) => line.startsWith('{"venue_text"')) + 1, 0, '{"venue_text":')
    },
    /^Line \d+, venue: .*venue_latitude/,
  ],
  [
    'a reference to a missing row',
    replace('content_slug', /"content_id":\d+/, '"content_id":99'),
    /^Line \d+, content_slug: .*99/,
  ],
  ['a missing parent', replace('event', /"parent_id":null/, '"parent_id":99'), /^Parents of event: .*99/],
  [
    'a duplicate row',
    (lines) =>
      lines.flatMap((line) => (line.startsWith('{"tag"') || line.startsWith('{"category"') ? [line, line] : [line])),
    /^Line \d+, category: .*duplicate/,
  ],
]

function replace(table: string, what: RegExp, by: string) {
  return (lines: string[]) => lines.map((line) => (line.startsWith(`{"${table}":`) ? line.replace(what, by) : line))
}

test.each(broken)('rejects %s and leaves nothing behind', async (_, change, expected) => {
  const path = join(folder, 'broken.ndjson')
  const lines = change(good.slice(0, -1))
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  cpSync(`${file}.images`, `${path}.images`, { recursive: true })
  await expect(importFile(path)).rejects.toThrow(expected)
  expect(await storedContent()).toEqual([])
})

test('rejects a missing or changed image and leaves nothing behind', async () => {
  const path = join(folder, 'pictures.ndjson')
  writeFileSync(path, good.join('\n'))
  await expect(importFile(path)).rejects.toThrow(/^The image folder .*pictures.ndjson.images is missing/)
  mkdirSync(`${path}.images`)
  await expect(importFile(path)).rejects.toThrow(/^The image .* is missing/)
  writeFileSync(join(`${path}.images`, pixelName), 'other')
  await expect(importFile(path)).rejects.toThrow(/was changed after the export/)
  expect(await storedContent()).toEqual([])
})

test('errors name the line number', async () => {
  const path = join(folder, 'line.ndjson')
  const number = lineOf('venue_text') + 1
  writeFileSync(path, good.map((line, n) => (n + 1 === number ? line.replace('"en"', 'null') : line)).join('\n'))
  cpSync(`${file}.images`, `${path}.images`, { recursive: true })
  await expect(importFile(path)).rejects.toThrow(new RegExp(`^Line ${number}, venue_text: .*language`))
  await expect(importFile(join(folder, 'none.ndjson'))).rejects.toThrow(/does not exist/)
})

/** The lines of an export to a stream. */
async function exportedLines(): Promise<string[]> {
  const stream = new PassThrough()
  const [written] = await Promise.all([
    text(stream),
    exportToStream(stream, { ...app, now: () => now }, { accounts: true }).finally(() => stream.end()),
  ])
  return written.split('\n').slice(0, -1)
}

const importLines = async (lines: readonly string[]) =>
  importExportedRows(await openExportStream(Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))])), {
    ...empty,
    settings: { ...app.settings, imagesDir: store() },
    now: () => now,
  })

const brokenStreams: readonly [what: string, change: (lines: string[]) => string[], expected: RegExp][] = [
  ['a stream that ends before its image', (lines) => lines.slice(0, -1), /incomplete: the image .*\.gif is missing/],
  [
    'a stream that ends within its image',
    ([...lines]) => [...lines, lines.pop()?.slice(0, 70) ?? ''],
    /the image is incomplete/,
  ],
  [
    'a stream with another image',
    (lines) => lines.map((line) => line.replace(/R0lGOD/, 'R0lGOC')),
    /was changed after the export/,
  ],
  [
    'a stream with an invalid image name',
    (lines) => lines.map((line) => line.replace('{"imageFile":{"name":"', '{"imageFile":{"name":"../')),
    /\.\.\/.* is not the name of an image/,
  ],
  [
    'a stream with a broken row after its image',
    (lines) => [...lines, '{"venue":{}}'],
    /: the row of venue lacks the column/,
  ],
  ['a stream whose images are in a folder', () => good.slice(0, -1), /Give the path of the file/],
]

test.each(brokenStreams)('rejects %s and leaves nothing behind', async (_, change, expected) => {
  await expect(importLines(change(await exportedLines()))).rejects.toThrow(expected)
  expect(await storedContent()).toEqual([])
  expect(existsSync(store())).toBe(false)
})

test('export requires an existing folder, and import an existing file', async () => {
  const session = { ...app, now: () => now }
  const absent = join(folder, 'absent')
  await expect(exportToFile(join(absent, 'x.ndjson'), session, { accounts: false })).rejects.toThrow(
    `The folder ${absent} does not exist. Create it, or give another file.`,
  )
  expect(existsSync(absent)).toBe(false)
  await expect(exportToFile(folder, session, { accounts: false })).rejects.toThrow(`${folder} is a folder. Give `)
  await expect(openExportFile(folder)).rejects.toThrow(`${folder} is a folder. Give `)
})

test('import rejects a database that is not empty', async () => {
  await expect(importFile(file, app)).rejects.toThrow('it contains 2 images, 1 venue, 1 category, 1 event.')
  expect(await app.db.event.count()).toBe(1)
})

test('export does not overwrite an existing file', async () => {
  await expect(exportToFile(file, { ...app, now: () => now }, { accounts: false })).rejects.toThrow(
    /good.ndjson already exists/,
  )
  expect(readFileSync(file, 'utf8')).toBe(good.join('\n'))
})

test('export rejects a database that is not set up', async () => {
  const path = join(folder, 'nothing.ndjson')
  const session = { ...empty, settings: app.settings, now: () => now }
  await expect(exportToFile(path, session, { accounts: false })).rejects.toThrow(/not set up/)
  expect(readdirSync(folder).filter((name) => name.startsWith('nothing'))).toEqual([])
})

test('commands do not create a missing database, and reject one that is in use', async () => {
  const databaseFolder = join(folder, 'held')
  const settings = readSettings({ DATABASE_URL: `pglite:${databaseFolder}` })
  const work = async () => {}
  await expect(withSiteDatabase(settings, work)).rejects.toThrow(/There is no database/)
  expect(existsSync(databaseFolder)).toBe(false)
  const unlock = lockFolder(databaseFolder)
  await expect(withNewDatabase(settings, work)).rejects.toThrow(
    /Another process uses the database folder .*held: stop it\.$/,
  )
  unlock()
  await expect(withNewDatabase(readSettings({ DATABASE_URL: 'pglite::memory:' }), work)).rejects.toThrow(
    /in-memory database/,
  )
})
