// What export and import refuse, and that nothing of it stays.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exportTo, exportToStream } from '../../src/cli/export.ts'
import { importFrom, openFile, openStream } from '../../src/cli/import.ts'
import { withNew, withSite } from '../../src/cli/session.ts'
import { tables } from '../../src/cli/tables.ts'
import { lockFolder } from '../../src/db/pglite/folder-lock.ts'
import { readSettings } from '../../src/env.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'
import { pixel, pixelName } from './oddities.ts'

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
  const { saveImage } = await import('../../src/content/image/files.ts')
  await saveImage(app.settings.imagesDir, pixel, 'gif')
  await makeCategory(app.db, 'Music')
  await makeVenue(app.db, 'Hall', { latitude: 1, longitude: 2 })
  await makeEvent(app.db, 'One')
  file = join(folder, 'good.ndjson')
  const report = await exportTo(file, { ...app, now: () => now }, { accounts: true })
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

const take = async (path: string, database: TestDatabase = empty) =>
  importFrom(await openFile(path), { ...database, settings: { ...app.settings, imagesDir: store() }, now: () => now })

/** What is in the tables of the database that is imported into, and in its store of images. */
async function left(): Promise<unknown[]> {
  const found: unknown[] = existsSync(store()) ? readdirSync(store(), { recursive: true, withFileTypes: true }) : []
  for (const { name } of tables) found.push(...(await empty.database.pool.query(`SELECT * FROM "${name}"`)).rows)
  return (found as { isFile?(): boolean }[]).filter((entry) => entry.isFile?.() ?? true)
}

const lineOf = (start: string) => good.findIndex((line) => line.startsWith(`{"${start}"`))

const broken: readonly [what: string, change: (lines: string[]) => string[], says: RegExp][] = [
  ['an empty file', () => [], /no header/],
  ['another file', () => ['{"hello":1}'], /no header/],
  ['a later version', ([head = '', ...rest]) => [head.replace('"version":1', '"version":2'), ...rest], /version 2/],
  [
    'a header without languages',
    ([head = '', ...rest]) => [head.replace('"languages"', '"other"'), ...rest],
    /languages/,
  ],
  ['an unknown column', ([head = '', ...rest]) => [head.replace('"sticky"', '"gluey"'), ...rest], /no gluey of event/],
  ['a file cut off', (lines) => lines.slice(0, -3), /not whole: of event_\w+ it should have/],
  ['half a line', (lines) => lines.map((line, n) => (n === 3 ? line.slice(0, 40) : line)), /^Line 4 is not a row/],
  ['a row of what is no table', (lines) => [...lines, '{"pg_class":{"id":1}}'], /is not a row of a table/],
  ['a row without a column', replace('event', /"sticky":false,/, ''), /: the row of event lacks sticky/],
  ['a row with another column', replace('event', /"sticky"/, '"gluey":1,"sticky"'), /has an unknown gluey/],
  [
    'a wrong value',
    replace('event', /"starts_at":"[^"]*"/, '"starts_at":"soon"'),
    /^Line \d+, event: .*timestamp.*soon/,
  ],
  ['what a rule forbids', replace('venue', /"latitude":1/, '"latitude":91'), /^Line \d+, venue: .*venue_latitude/],
  [
    'the earlier of two lines, when the later one is read while the earlier is stored,',
    (lines) => {
      const broken = replace('venue', /"latitude":1/, '"latitude":91')(lines)
      return broken.toSpliced(broken.findIndex((line) => line.startsWith('{"venue_text"')) + 1, 0, '{"venue_text":')
    },
    /^Line \d+, venue: .*venue_latitude/,
  ],
  ['a link to nothing', replace('event_slug', /"event_id":\d+/, '"event_id":99'), /^Line \d+, event_slug: .*99/],
  ['a parent that is not there', replace('event', /"parent_id":null/, '"parent_id":99'), /^Parents of event: .*99/],
  [
    'a row twice',
    (lines) =>
      lines.flatMap((line) => (line.startsWith('{"tag"') || line.startsWith('{"category"') ? [line, line] : [line])),
    /^Line \d+, category: .*duplicate/,
  ],
]

function replace(table: string, what: RegExp, by: string) {
  return (lines: string[]) => lines.map((line) => (line.startsWith(`{"${table}":`) ? line.replace(what, by) : line))
}

test.each(broken)('%s is refused, and nothing stays', async (_, change, says) => {
  const path = join(folder, 'broken.ndjson')
  const lines = change(good.slice(0, -1))
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  cpSync(`${file}.images`, `${path}.images`, { recursive: true })
  await expect(take(path)).rejects.toThrow(says)
  expect(await left()).toEqual([])
})

test('a picture that is missing or another is refused, and nothing stays', async () => {
  const path = join(folder, 'pictures.ndjson')
  writeFileSync(path, good.join('\n'))
  await expect(take(path)).rejects.toThrow(/^The image folder .*pictures.ndjson.images is missing/)
  mkdirSync(`${path}.images`)
  await expect(take(path)).rejects.toThrow(/^The image .* is missing/)
  writeFileSync(join(`${path}.images`, pixelName), 'other')
  await expect(take(path)).rejects.toThrow(/not what it was/)
  expect(await left()).toEqual([])
})

test('lines are told by their number', async () => {
  const path = join(folder, 'line.ndjson')
  const number = lineOf('venue_text') + 1
  writeFileSync(path, good.map((line, n) => (n + 1 === number ? line.replace('"en"', 'null') : line)).join('\n'))
  cpSync(`${file}.images`, `${path}.images`, { recursive: true })
  await expect(take(path)).rejects.toThrow(new RegExp(`^Line ${number}, venue_text: .*language`))
  await expect(take(join(folder, 'none.ndjson'))).rejects.toThrow(/There is no file/)
})

/** The lines of an export to stdout. */
async function streamed(): Promise<string[]> {
  const stream = new PassThrough()
  const [written] = await Promise.all([
    text(stream),
    exportToStream(stream, { ...app, now: () => now }, { accounts: true }).finally(() => stream.end()),
  ])
  return written.split('\n').slice(0, -1)
}

const takeStream = async (lines: readonly string[]) =>
  importFrom(await openStream(Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))])), {
    ...empty,
    settings: { ...app.settings, imagesDir: store() },
    now: () => now,
  })

const brokenStreams: readonly [what: string, change: (lines: string[]) => string[], says: RegExp][] = [
  ['a stream that ends before its image', (lines) => lines.slice(0, -1), /not whole: the image .*\.gif is missing/],
  [
    'a stream that ends within its image',
    ([...lines]) => [...lines, lines.pop()?.slice(0, 70) ?? ''],
    /not a whole im/,
  ],
  ['a stream with another image', (lines) => lines.map((line) => line.replace(/R0lGOD/, 'R0lGOC')), /not what it was/],
  [
    'a stream with an image of no name that images have',
    (lines) => lines.map((line) => line.replace('{"imageFile":{"name":"', '{"imageFile":{"name":"../')),
    /No image is named \.\.\//,
  ],
  ['a stream with a broken row after its image', (lines) => [...lines, '{"venue":{}}'], /: the row of venue lacks/],
  ['what was a file with images in a folder', () => good.slice(0, -1), /import the file by its name/],
]

test.each(brokenStreams)('%s is refused, and nothing stays', async (_, change, says) => {
  await expect(takeStream(change(await streamed()))).rejects.toThrow(says)
  expect(await left()).toEqual([])
  expect(existsSync(store())).toBe(false)
})

test('an export goes into a folder that exists, and an import comes from a file that exists', async () => {
  const session = { ...app, now: () => now }
  const absent = join(folder, 'absent')
  await expect(exportTo(join(absent, 'x.ndjson'), session, { accounts: false })).rejects.toThrow(
    `There is no folder ${absent}: create it, or name another file.`,
  )
  expect(existsSync(absent)).toBe(false)
  await expect(exportTo(folder, session, { accounts: false })).rejects.toThrow(`${folder} is a folder: name a file`)
  await expect(openFile(folder)).rejects.toThrow(`${folder} is a folder: name a file`)
})

test('a database that is not empty is left as it is', async () => {
  await expect(take(file, app)).rejects.toThrow('it holds 2 images, 1 venue, 1 category, 1 event:')
  expect(await app.db.event.count()).toBe(1)
})

test('a file that exists is not written over', async () => {
  await expect(exportTo(file, { ...app, now: () => now }, { accounts: false })).rejects.toThrow(/good.ndjson exists/)
  expect(readFileSync(file, 'utf8')).toBe(good.join('\n'))
})

test('a database that was never set up has nothing to export', async () => {
  const path = join(folder, 'nothing.ndjson')
  const session = { ...empty, settings: app.settings, now: () => now }
  await expect(exportTo(path, session, { accounts: false })).rejects.toThrow(/never set up/)
  expect(readdirSync(folder).filter((name) => name.startsWith('nothing'))).toEqual([])
})

test('where there is no database none is made, and one that is held says so', async () => {
  const place = join(folder, 'held')
  const settings = readSettings({ DATABASE_URL: `pglite:${place}` })
  const work = async () => {}
  await expect(withSite(settings, work)).rejects.toThrow(/There is no database/)
  expect(existsSync(place)).toBe(false)
  const unlock = lockFolder(place)
  await expect(withNew(settings, work)).rejects.toThrow(
    /A running process holds the database folder .*held: stop it first\.$/,
  )
  unlock()
  await expect(withNew(readSettings({ DATABASE_URL: 'pglite::memory:' }), work)).rejects.toThrow(/in memory/)
})
