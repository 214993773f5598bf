// What an import of a legacy site removes, downloads, and would do.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyRecord, RecordImportOutcome, TargetOptions } from '../../src/tools/import-site/source-records.ts'
import { createImportTarget } from '../../src/tools/import-site/target.ts'
import { createOperations, type Operations } from '../../src/tools/operations.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeTag } from '../helpers/make.ts'
import {
  databaseRows,
  sourceEvent,
  sourceOrganizer,
  sourceTerm,
  sourceText,
  sourceVenue,
} from '../helpers/source-records.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVQImWNQckmDIAY4CwAuTATJnqlZXQAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let operations: Operations
let folder: string
let pictures: Server
let host: string
/** Paths that were requested from the image server, and those that it responds to with 404. */
const requested: string[] = []
const missing = new Set<string>()

beforeAll(async () => {
  pictures = createServer(({ url = '' }, response) => {
    requested.push(url)
    if (missing.has(url)) response.writeHead(404).end()
    else response.setHeader('content-type', 'image/png').end(png)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => pictures.once('listening', resolve))
  host = `127.0.0.1:${(pictures.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'calendar-import-'))
  app = await openTestApp({ IMAGES_DIR: folder, IMAGE_PRIVATE_HOSTS: host })
  operations = await createOperations({ ...app, now: () => app.clock.now })
})
beforeEach(async () => {
  await truncate(app.db)
  requested.length = 0
  missing.clear()
})
afterAll(async () => {
  await app.close()
  pictures.close()
  rmSync(folder, { recursive: true })
})

const options: TargetOptions = {
  site: 'https://legacy.example/wp-json/tribe/events/v1',
  keepIds: undefined,
  dryRun: false,
  overwrite: false,
  authors: new Map(),
}

const open = (values: Partial<TargetOptions> = {}) => createImportTarget(operations, { ...options, ...values })

async function run(records: readonly AnyRecord[], values: Partial<TargetOptions> = {}): Promise<RecordImportOutcome[]> {
  const target = await open(values)
  return Promise.all(records.map((record) => target.write(record)))
}

const outcomes = (results: readonly RecordImportOutcome[]) => results.map(({ outcome }) => outcome)

describe('images', () => {
  const file = (name: string) => ({
    url: `http://${host}/${name}`,
    ...{ width: 30, height: 20, fileSize: 999, mimeType: 'image/png' },
  })
  const image = (name: string, id?: number) => ({ id, ...file(name), sizes: [] })
  const stored = () => app.db.image.findMany({ orderBy: { id: 'asc' } })

  test('are downloaded once per URL, and keep their IDs', async () => {
    const records = [
      sourceEvent(1, { image: image('a.png', 20) }),
      sourceVenue(2, { image: image('a.png', 20) }),
      sourceOrganizer(3, { image: image('b.png', 1) }),
    ]
    expect(outcomes(await run(records))).toEqual(['created', 'created', 'created'])
    expect(await stored()).toMatchObject([
      { id: 20, sourceUrl: image('a.png').url, width: 3, height: 2, fileSize: png.length, authorId: null },
      { id: 1_000_000, sourceUrl: image('b.png').url, mimeType: 'image/png' },
    ])
    expect(requested.sort()).toEqual(['/a.png', '/b.png'])
    const { body } = await app.graphql(
      '{ event(id: 1) { image { databaseId } } venue(id: 2) { image { databaseId } } }',
    )
    expect(body.data).toEqual({ event: { image: { databaseId: 20 } }, venue: { image: { databaseId: 20 } } })
    const before = await databaseRows(app)
    expect(outcomes(await run(records))).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(await databaseRows(app)).toEqual(before)
    expect(requested).toHaveLength(2)
  })

  test('come with their smaller versions', async () => {
    missing.add('/gone.png')
    const sizes = ['small', 'gone', 'a'].map((name) => ({ name, ...file(`${name}.png`) }))
    await run([sourceEvent(1, { image: { ...image('a.png', 20), sizes } })])
    const { body } = await app.graphql('{ event(id: 1) { image { url width sizes { name url width fileSize } } } }')
    const url = expect.stringMatching(/^http:\/\/calendar\.test\/images\//)
    const measures = { url, width: 3, fileSize: png.length }
    expect(body.data).toEqual({
      event: {
        image: {
          url,
          width: 3,
          sizes: [
            { name: 'small', ...measures },
            { name: 'a', ...measures },
          ],
        },
      },
    })
    expect(requested.sort()).toEqual(['/a.png', '/gone.png', '/small.png'])
  })

  test('that cannot be downloaded stay on their site, and the next import tries again', async () => {
    missing.add('/late.png')
    const sizes = [{ name: 'small', ...file('small.png') }]
    const record = sourceEvent(1, { image: { ...image('late.png', 9), sizes } })
    const [first] = await run([record])
    expect(first).toEqual({
      ...{ outcome: 'created', id: 1 },
      notes: [expect.stringMatching(/late\.png stays on its site .*status 200/)],
    })
    expect(await stored()).toMatchObject([{ id: 9, sourceUrl: null, ...file('late.png'), sizes }])
    const { modifiedAt } = record
    expect((await open()).isCurrent('event', 1, modifiedAt)).toBe(false)
    const before = await databaseRows(app)
    expect(outcomes(await run([record]))).toEqual(['unchanged'])
    expect(await databaseRows(app)).toEqual(before)
    missing.clear()
    expect(await run([record])).toEqual([{ outcome: 'updated', id: 1, notes: [] }])
    expect(await stored()).toMatchObject([{ id: 9, sourceUrl: file('late.png').url, width: 3, sizes: [{ width: 3 }] }])
    expect((await open()).isCurrent('event', 1, modifiedAt)).toBe(true)
    expect((await app.db.event.findUniqueOrThrow({ where: { id: 1 } })).modifiedAt).toEqual(modifiedAt)
    missing.add('/new.png')
    const changed = { ...record, image: image('new.png'), modifiedAt: new Date('2026-04-01T10:00:00Z') }
    expect(outcomes(await run([changed]))).toEqual(['updated'])
    expect(await app.db.event.findUniqueOrThrow({ where: { id: 1 }, include: { image: true } })).toMatchObject({
      image: { url: file('new.png').url },
    })
    expect(outcomes(await run([{ ...changed, image: undefined }]))).toEqual(['updated'])
    expect((await app.db.event.findUniqueOrThrow({ where: { id: 1 } })).imageId).toBe(null)
  })

  test('of private addresses are not requested', async () => {
    const url = `http://localhost:${host.split(':')[1]}/a`
    const [outcome] = await run([sourceEvent(1, { image: { ...image('a', 5), url } })])
    expect(outcome).toMatchObject({ outcome: 'created', notes: [expect.stringContaining('public address')] })
    expect(requested).toEqual([])
  })
})

test('a server that does not respond is tried three times', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const privateApp = { ...app, settings: { ...app.settings, imagePrivateHosts: [`127.0.0.1:${port}`] } }
  const privateOperations = await createOperations({ ...privateApp, now: () => app.clock.now })
  const target = await createImportTarget(privateOperations, options)
  const notes: string[] = []
  for (const id of [1, 2, 3, 4]) {
    const image = { ...unusedImage, url: `http://127.0.0.1:${port}/${id}.png` }
    const result = await target.write(sourceEvent(id, { image }))
    if (result.outcome === 'created') notes.push(...result.notes)
  }
  expect(notes.map((note) => note.split(': ').at(-1))).toEqual([
    ...Array(3).fill('The image could not be downloaded. Check its URL, or upload the file.'),
    'Its server failed 3 times in a row.',
  ])
})

const unusedImage = {
  ...{ id: 30, url: 'http://127.0.0.1/unused.png', sizes: [] },
  ...{ width: undefined, height: undefined, fileSize: undefined, mimeType: undefined },
}

describe('prune', () => {
  const site = [
    sourceTerm('category', 1),
    sourceTerm('category', 2, { parent: 1 }),
    sourceTerm('tag', 3, { ids: { en: 3, fr: 4 }, texts: { en: sourceText('Tag'), fr: sourceText('Étiquette') } }),
    sourceVenue(10),
    sourceOrganizer(11),
    sourceEvent(12, { categories: [1, 2], tags: [3], venues: [10] }),
    sourceEvent(13),
  ]
  const empty = new Map(
    (['event', 'venue', 'organizer', 'category', 'tag'] as const).map((kind) => [kind, new Set<number>()]),
  )
  const all = new Map([...empty].map(([kind]) => [kind, new Set([1, 3, 10, 11, 12, 13])]))

  test('trashes posts and deletes terms that the site lacks, and nothing else', async () => {
    await run(site)
    await makeEvent(app.db, 'Of this site')
    await makeTag(app.db, 'Of this site')
    await run([sourceEvent(12)], { site: 'https://other.example' })
    const target = await open()
    expect(await target.prune(new Map())).toEqual([])
    expect(await target.prune(all)).toEqual([{ kind: 'category', id: 2, name: 'category 2' }])
    expect(await target.prune(new Map([['tag', new Set([4])]]))).toEqual([])
    expect(await target.prune(empty)).toEqual([
      { kind: 'event', id: 12, name: 'Event 12' },
      { kind: 'event', id: 13, name: 'Event 13' },
      { kind: 'venue', id: 10, name: 'Venue 10' },
      { kind: 'organizer', id: 11, name: 'Organizer 11' },
      { kind: 'category', id: 1, name: 'category 1' },
      { kind: 'tag', id: 3, name: 'Tag' },
    ])
    const events = await app.db.event.findMany({ orderBy: { id: 'asc' }, select: { status: true } })
    expect(events.map(({ status }) => status)).toEqual(['trash', 'trash', 'publish', 'publish'])
    expect([await app.db.category.count(), await app.db.tag.count()]).toEqual([0, 1])
    expect(await (await open()).prune(empty)).toEqual([])
  })

  test('leaves a term alone that was here before the import', async () => {
    const id = await makeTag(app.db, 'Music')
    const tag = sourceTerm('tag', 5, { texts: { en: sourceText('Music') } })
    expect(outcomes(await run([tag]))).toEqual(['unchanged'])
    expect(await (await open()).prune(empty)).toEqual([])
    expect(await app.db.tag.findMany({ select: { id: true } })).toEqual([{ id }])
  })

  test('what the site has again is restored', async () => {
    await run(site)
    await (await open()).prune(empty)
    const target = await open()
    expect(target.isCurrent('event', 12, sourceEvent(12).modifiedAt)).toBe(false)
    expect(outcomes(await run(site))).toEqual([
      'created',
      'created',
      'created',
      'updated',
      'updated',
      'updated',
      'updated',
    ])
    expect((await app.db.event.findUniqueOrThrow({ where: { id: 12 } })).status).toBe('publish')
    expect((await app.db.eventSlug.findMany({ orderBy: { slug: 'asc' } })).map(({ slug }) => slug)).toEqual([
      'event-12',
      'event-13',
    ])
  })

  test('keeps what was edited here, unless it overwrites', async () => {
    const editor = await app.signIn('editor')
    await run(site)
    const edit = `mutation { updateEvent(input: { id: 12, title: "Edited" }) { userErrors { message } }
      updateTag(input: { id: 3, name: "Edited" }) { userErrors { message } } }`
    expect((await editor.graphql(edit)).body.errors).toBeUndefined()
    const seen = new Map([
      ['event', new Set([13])],
      ['tag', new Set<number>()],
    ] as const)
    const kept = expect.stringMatching(/edited in this service.*--overwrite/)
    expect(await (await open()).prune(seen)).toEqual([
      { kind: 'event', id: 12, name: 'Edited', kept },
      { kind: 'tag', id: 3, name: 'Edited', kept },
    ])
    expect(await (await open({ overwrite: true })).prune(seen)).toEqual([
      { kind: 'event', id: 12, name: 'Edited' },
      { kind: 'tag', id: 3, name: 'Edited' },
    ])
  })
})

describe('a dry run', () => {
  const site = [
    sourceTerm('category', 1),
    sourceTerm('category', 2, { parent: 1 }),
    sourceTerm('tag', 3),
    sourceVenue(10, { author: 1, image: unusedImage }),
    sourceEvent(12, { categories: [1, 2], tags: [3], venues: [10], parent: 13 }),
    sourceEvent(13, { venues: [99] }),
    sourceEvent(14, { timeZone: 'Mars/Olympus' }),
  ]
  const note = (text: string) => [expect.stringContaining(text)]

  test('reports what would happen, and writes nothing', async () => {
    const before = await databaseRows(app)
    expect(await run(site, { dryRun: true })).toEqual([
      ...[1, 2, 3, 10].map((id) => ({ outcome: 'created', id, notes: [] })),
      { outcome: 'created', id: 12, notes: note('event 13 is not linked') },
      { outcome: 'created', id: 13, notes: note('venue 99 is not linked') },
      { outcome: 'skipped', reason: expect.stringContaining('timeZone') },
    ])
    expect(await databaseRows(app)).toEqual(before)
    expect(requested).toEqual([])
  })

  test('of a repeated import tells what changed, and what would be removed', async () => {
    const records = site.filter(({ kind }) => kind !== 'venue').slice(0, -1)
    await run(records)
    // Links the event to its parent, which comes after it.
    await run(records)
    const before = await databaseRows(app)
    const [first, ...others] = records
    const changed = [{ ...first, texts: { en: sourceText('Changed') } } as AnyRecord, ...others, sourceEvent(15)]
    expect(outcomes(await run(changed, { dryRun: true }))).toEqual([
      ...['updated', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'created'],
    ])
    const target = await open({ dryRun: true })
    const seen = new Map([
      ['event', new Set([12])],
      ['tag', new Set<number>()],
    ] as const)
    expect(await target.prune(seen)).toEqual([
      { kind: 'event', id: 13, name: 'Event 13' },
      { kind: 'tag', id: 3, name: 'tag 3' },
    ])
    expect(await databaseRows(app)).toEqual(before)
  })
})

test('two sites do not mix', async () => {
  await run([sourceVenue(1), sourceEvent(2, { venues: [1], author: 1 })])
  const other = { site: 'https://other.example' }
  const [venue, event] = await run([sourceVenue(1, { phone: '1' }), sourceEvent(2, { venues: [1], author: 1 })], other)
  expect([venue, event]).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }])
  const { body } = await app.graphql('{ events(first: 5) { nodes { slug venues { slug } author { name } } } }')
  expect(body.data.events.nodes).toEqual([
    { slug: 'event-2', venues: [{ slug: 'venue-1' }], author: { name: 'author-1' } },
    { slug: 'event-2-2', venues: [{ slug: 'venue-1-2' }], author: { name: 'author-1-2' } },
  ])
})
