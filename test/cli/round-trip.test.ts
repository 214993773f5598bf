// After export and import, the APIs return the same responses.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initializeSite } from '../../src/calendar/site/site.ts'
import { exportToFile } from '../../src/tools/transfer/export.ts'
import { importExportedRows, openExportFile } from '../../src/tools/transfer/import.ts'
import { omittedTables, readColumns, tables } from '../../src/tools/transfer/tables.ts'
import { type ApiClient, compared, now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'
import type { TestUser } from '../helpers/users.ts'
import { type ApiSnapshot, differences, takeSnapshot, unlimited } from './api-snapshot.ts'
import { makeUnusualRecords, password, pixel, pixelName } from './unusual-records.ts'

let folder: string
let app: TestApp
let editor: ApiClient & TestUser
let firstUnusualId: number
let before: { visitor: ApiSnapshot; editor: ApiSnapshot }
/** Reading all records takes minutes, so only `npm run test:full` does. */
const isExhaustive = process.env.EVERY_RECORD === 'on'
const everyEvent = isExhaustive ? 1 : 25
const single = (id: number) => isExhaustive || id >= firstUnusualId || id % 20 === 0 || id < 12

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-cli-'))
  app = await openTestApp({ ...unlimited, ...compared, IMAGES_DIR: join(folder, 'images') })
  editor = await app.signIn('editor')
  firstUnusualId = await makeUnusualRecords(app, editor, everyEvent)
  await makeChangedSeries(editor)
  const photographer = await app.signIn('author')
  await app.db.image.update({ where: { id: firstUnusualId }, data: { authorId: photographer.id } })
  // More rows than a batch of the export or of the import has.
  await app.database.pool.query(`
    INSERT INTO imported_record (site, kind, source_id, record_id, record_version, digest, is_complete)
    SELECT 'https://legacy.example', 'venue', id, id, '', '', false FROM generate_series(1, 1100) AS id`)
  const { authorization } = editor
  before = {
    visitor: await takeSnapshot({ app, single }),
    editor: await takeSnapshot({ app, authorization, single }),
  }
  expect(before.visitor.size).toBeGreaterThan(90)
  expect([...before.editor.values()].join()).toContain('Child')
  for (const name of ['all', 'content']) {
    await exportToFile(join(folder, `${name}.ndjson`), { ...app, now: () => now }, { accounts: name === 'all' })
  }
})
afterAll(async () => {
  await app?.close()
  rmSync(folder, { recursive: true })
})

const schedule = {
  timeZone: 'Europe/Paris',
  recurrences: [
    { startsLocal: '2027-01-05T19:00:00', endsLocal: '2027-01-05T21:00:00', rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=6' },
  ],
  extraDates: [{ startsLocal: '2027-01-06T10:00:00', endsLocal: '2027-01-06T11:00:00' }],
  excludedDates: ['2027-01-12'],
}

/** Makes a series with an extra date, one that was moved, one that is cancelled, one of its own, and a second series. */
async function makeChangedSeries({ graphql }: ApiClient): Promise<void> {
  const run = async (document: string, variables: object) => {
    const { body } = await graphql(document, { ...variables })
    expect([body.errors, body.data?.result.userErrors]).toEqual([undefined, []])
    return body.data.result
  }
  const { series } = await run(
    `mutation ($schedule: ScheduleInput!, $tickets: [TicketInput!]) {
      result: createEventSeries(input: { title: "Course", description: "Weekly", schedule: $schedule, tickets: $tickets }) {
        userErrors { message } series { events(first: 9) { nodes { databaseId } } } } }`,
    { schedule, tickets: [{ name: 'Seat', price: '3.50', currency: 'EUR' }] },
  )
  const [, , moved, cancelled, own, later] = series.events.nodes.map((node: { databaseId: number }) => node.databaseId)
  const update = (id: number, fields: object, scope = 'THIS') =>
    run(
      `mutation ($input: UpdateEventInput!) {
        result: updateEvent(input: $input) { userErrors { message } } }`,
      { input: { id, ...fields, scope } },
    )
  await update(moved, { startsLocal: '2027-01-20T18:00:00', endsLocal: '2027-01-20T20:00:00', dateLabel: 'Premiere' })
  await update(cancelled, { eventStatus: 'CANCELLED', dateNote: 'The teacher is ill.' })
  await update(own, { title: 'Course with a guest' })
  await update(later, { title: 'Course of spring' }, 'FOLLOWING')
}

/** A service on a new database with the imported content. `during` is called with the database while rows are inserted. */
async function importedApp(name: string, during = (_: TestDatabase) => {}): Promise<TestApp> {
  const file = join(folder, `${name}.ndjson`)
  const database = await openTestDatabase(app.settings.readEngine)
  const settings = { ...app.settings, imagesDir: join(folder, `${name}-images`) }
  const progress: number[] = []
  await importExportedRows(await openExportFile(file), { ...database, settings, now: () => now }, (done) => {
    if (progress.length === 0) during(database)
    progress.push(done)
  })
  expect(progress.at(-1)).toBe(statSync(file).size)
  return serve(database, { ...unlimited, ...compared, IMAGES_DIR: settings.imagesDir })
}

describe('every table', () => {
  test('is exported or listed as not exported', async () => {
    const { rows } = await app.database.pool.query<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    )
    const names = rows.map(({ name }) => name).filter((name) => name !== '_prisma_migrations')
    expect([...tables.map(({ name }) => name), ...omittedTables].sort()).toEqual(names.sort())
    const client = await app.database.pool.connect()
    const columns = await readColumns(client)
    client.release()
    expect(columns.get('event')).toContain('custom_fields')
    expect(columns.get('event')).not.toContain('live')
  })
})

describe('with accounts', () => {
  let other: TestApp
  let starting: ReturnType<typeof initializeSite>
  const seeded: string[] = []
  const load = async () => void seeded.push('sample')
  beforeAll(async () => {
    other = await importedApp('all', ({ db }) => {
      starting = initializeSite(db, app.settings, load)
    })
  })
  afterAll(() => other?.close())

  test('an instance that starts during an import waits, and neither it nor a later one loads the sample', async () => {
    expect(await starting).toEqual(app.site)
    await initializeSite(other.db, app.settings, load)
    expect(seeded).toEqual([])
  })
  test('anonymous readers get the same responses', async () => {
    expect(differences(before.visitor, await takeSnapshot({ app: other, single }))).toEqual([])
  })
  test('editors sign in with their credentials and get the same responses', async () => {
    const { authorization } = editor
    expect(differences(before.editor, await takeSnapshot({ app: other, authorization, single }))).toEqual([])
  })
  test('all rows are equal, and sequences continue', async () => {
    for (const { name, key } of tables.filter((table) => table.name !== 'site')) {
      const sql = `SELECT row_to_json(t)::text AS row FROM "${name}" t ORDER BY ${key}`
      const [one, two] = [await app.database.pool.query(sql), await other.database.pool.query(sql)]
      // The service updates this time occasionally.
      const rows = (list: { row: string }[]) => list.map(({ row }) => row.replace(/"last_used_at":[^,]*/, ''))
      expect(rows(two.rows), name).toEqual(rows(one.rows))
    }
    for (const kind of ['category', 'tag']) {
      const sql = `SELECT * FROM ${kind}_count WHERE events <> 0 ORDER BY ${kind}_id, published_at, password_key, author_id, part`
      expect((await other.database.pool.query(sql)).rows).toEqual((await app.database.pool.query(sql)).rows)
    }
    const indexes = 'SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname'
    expect((await other.database.pool.query(indexes)).rows).toEqual((await app.database.pool.query(indexes)).rows)
    const sequence = `SELECT last_value, is_called FROM post_id_seq`
    expect((await other.database.pool.query(sequence)).rows).toEqual((await app.database.pool.query(sequence)).rows)
  })
  test('record passwords still work', async () => {
    const url = '/cal/events/v1/events/by-slug/far'
    expect((await other.get(url)).body.description).not.toBe('Opened')
    const { body } = await other.get(`${url}?password=${encodeURIComponent(password)}`)
    expect(body.description).toContain('Opened')
  })
  test('images are served', async () => {
    expect((await other.app.inject({ url: `/images/${pixelName}` })).rawPayload).toEqual(pixel)
  })
  test('only the owner can read the file', () => {
    expect(statSync(join(folder, 'all.ndjson')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(folder, 'all.ndjson.partial'))).toBe(false)
  })
})

describe('without accounts, without the columns of the event state and of iCalendar, in other languages', () => {
  const columns = ['event_status', 'attendance_mode', 'online_url', 'previous_starts_at', 'uid', 'sequence']
  let file: string
  let other: TestApp
  beforeAll(async () => {
    const without = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))
    const lines = readFileSync(join(folder, 'content.ndjson'), 'utf8').split('\n')
    const old = lines.map((line, index) => {
      if (index > 0)
        return line.startsWith('{"event":') ? JSON.stringify({ event: without(JSON.parse(line).event) }) : line
      const header = JSON.parse(line)
      for (const table of header.tables) {
        table.columns = table.columns.filter((name: string) => table.name !== 'event' || !columns.includes(name))
      }
      return JSON.stringify(header)
    })
    file = join(folder, 'old.ndjson')
    writeFileSync(file, old.join('\n'))
    cpSync(join(folder, 'content.ndjson.images'), `${file}.images`, { recursive: true })
    const imagesDir = join(folder, 'de')
    const database = await openTestDatabase(app.settings.readEngine)
    const settings = { ...app.settings, languages: ['de', 'fr'], defaultLanguage: 'de', imagesDir }
    await importExportedRows(await openExportFile(file), { ...database, settings, now: () => now })
    other = await serve(database, { ...compared, IMAGES_DIR: imagesDir, LANGUAGES: 'de,fr', DEFAULT_LANGUAGE: 'de' })
  })
  afterAll(() => other?.close())

  test('events have the defaults of these columns, and texts are rebuilt', async () => {
    const { db } = other
    const events = await app.db.event.count()
    expect(await db.event.count()).toBe(events)
    const planned = {
      eventStatus: 'scheduled',
      attendanceMode: 'offline',
      onlineUrl: null,
      previousStartsAt: null,
      uid: null,
      sequence: 0,
    } as const
    expect(await db.event.count({ where: planned })).toBe(events)
    const site = await db.site.findUniqueOrThrow({ where: { id: 1 } })
    expect([site.languages, site.defaultLanguage]).toEqual([['de', 'fr'], 'de'])
    expect(site.passwordSalt).toEqual(app.site.passwordSalt)
    expect(await db.eventText.count({ where: { language: 'de' } })).toBe(events)
  })
  test('a series has its dates, with their labels', async () => {
    const { body } = await other.graphql(`{ events(filter: { search: "Course" }, first: 9) { nodes {
      title startsLocal occurrence dateLabel series { words } } } }`)
    type Node = Record<'title' | 'startsLocal' | 'occurrence' | 'dateLabel', string> & { series?: { words: string } }
    const dates = body.data.events.nodes.flatMap(({ title, startsLocal, occurrence, dateLabel, series }: Node) =>
      title.startsWith('Course') ? [[startsLocal.slice(0, 13), title, occurrence, dateLabel, series?.words]] : [],
    )
    const words = 'every Tuesday, 5 times, except 12 January and 2 February, also on 6 January'
    expect(dates).toEqual([
      ['2027-01-05T19', 'Course', 'REGULAR', null, words],
      ['2027-01-06T10', 'Course', 'EXTRA', null, words],
      ['2027-01-20T18', 'Course', 'CHANGED', 'Premiere', words],
      ['2027-01-26T19', 'Course', 'CHANGED', null, words],
      ['2027-02-02T19', 'Course with a guest', 'SINGLE', null, undefined],
      ['2027-02-09T19', 'Course of spring', 'REGULAR', null, 'every Tuesday, once'],
    ])
  })
  test('all else is equal', async () => {
    const differing = new Set(['site', 'user', 'credential'])
    for (const { name, key } of tables.filter(
      (table) => !differing.has(table.name) && !/_(text|slug)$/.test(table.name),
    )) {
      const sql = `SELECT to_jsonb(t) - '{${columns}}'::text[] AS row FROM "${name}" t ORDER BY ${key}`
      expect((await other.database.pool.query(sql)).rows, name).toEqual((await app.database.pool.query(sql)).rows)
    }
  })
  test('written texts are equal', async () => {
    const written = (kind: string) =>
      `SELECT ${kind}_id, language, name, description FROM ${kind}_text WHERE language = 'fr' AND source = 'fr' ORDER BY 1`
    for (const kind of ['event', 'venue', 'organizer', 'category', 'tag']) {
      const [one, two] = [app, other].map(({ database }) => database.pool.query(written(kind)))
      expect((await two)?.rows, kind).toEqual((await one)?.rows)
    }
  })
  test('authors keep only ID and name, and cannot sign in', async () => {
    const content = readFileSync(file, 'utf8')
    expect(content).toContain(
      `{"user":{"id":${editor.id},"login":"author-${editor.id}","name":"The editor","role":"subscriber"}}`,
    )
    expect(content).not.toContain(editor.login)
    expect(content).not.toContain('{"credential"')
    const authors = ({ db }: TestApp) =>
      db.event.findMany({ select: { author: { select: { id: true, name: true } } }, orderBy: { id: 'asc' } })
    expect(await authors(other)).toEqual(await authors(app))
    const reply = await other.graphql('{ viewer { login } }', {}, '', { authorization: editor.authorization })
    expect(reply.status).toBe(401)
  })
})
