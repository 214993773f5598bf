// Searches for words of more than a thousand events, whose texts each statement compares instead of getting the IDs of the events.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { copyRows } from '../../bench/copy-rows.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { workMeterOf } from '../helpers/database-work.ts'
import { makeEvent } from '../helpers/make.ts'

const copies = 1100
const ns = '/cal/events/v1'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  const { db } = app
  const start = '2026-12-01T10:00:00'
  const original = await makeEvent(
    db,
    { en: { name: 'Zeppelin', description: 'Ballooning over green fields' } },
    { start },
  )
  const shift = (column: string) => ({ [column]: `t.${column} + k * 1000` })
  await copyRows(db, 'event', copies, shift('id'), `t.id = ${original}`)
  const slug = `t.slug || '-' || k`
  await copyRows(db, 'content_text', copies, { ...shift('content_id'), slug }, `t.content_id = ${original}`)
  const other = await makeEvent(db, { en: 'Rowing' }, { start: '2026-11-30T10:00:00' })
  const later = (column: string) => ({ [column]: `t.${column} + k * 1000 + 500` })
  await copyRows(db, 'event', 3 * copies, later('id'), `t.id = ${other}`)
  await copyRows(db, 'content_text', 3 * copies, { ...later('content_id'), slug }, `t.content_id = ${other}`)
  await db.$executeRaw`ANALYZE`
  const passwordKey = 'x'
  await makeEvent(db, { en: { name: 'Sealed zeppelin', description: 'Ballooning' } }, { start, passwordKey })
  await makeEvent(db, { en: { name: 'Zeppelins at night', description: 'Ballooning, silent' } }, { start, passwordKey })
  await makeEvent(db, { en: { name: 'Silent zeppelin', description: 'Ballooning' } }, { start })
  await makeEvent(db, { en: { name: 'Fields', description: 'Over fields, green; ballooning' } }, { start })
})
afterAll(() => app?.close())
beforeEach(() => {
  app.statements.length = 0
})

const legacyTotal = async (search: string): Promise<number> =>
  (await app.get(`${ns}/events?search=${encodeURIComponent(search)}&per_page=1`)).body.total

const page = async (search: string, selection: string) => {
  const query = `query($search: String!) { list: eventsPage(filter: { search: $search }, perPage: 2) { ${selection} } }`
  const { body } = await app.graphql(query, { search })
  expect(body.errors).toBeUndefined()
  return body.data.list
}

test.each([
  ['zeppelin', copies + 4],
  ['ballooning', copies + 3],
  ['zeppelin ballooning', copies + 2],
  ['zeppelin -silent', copies + 3],
  ['ballooning -silent', copies + 2],
  ['zeppelin -sealed', copies + 3],
  ['"over green fields"', copies + 1],
  ['"zeppelins at night"', 1],
])('finds all events with %s', async (search, total) => {
  expect(await legacyTotal(search)).toBe(total)
})

test('finds other forms and similar words of many events', async () => {
  expect(await page('balloons', 'total searchMatch')).toEqual({ total: copies + 3, searchMatch: 'EXACT' })
  expect(await page('zeppellin', 'total searchMatch')).toEqual({ total: copies + 4, searchMatch: 'SIMILAR' })
})

test('a page far down does not compare the texts of all events before it', async () => {
  const meter = workMeterOf(app)
  const blocksOf = async (page: number, selection: string) => {
    const query = `{ eventsPage(filter: { search: "zeppelin" }, page: ${page}, perPage: 50) { ${selection} } }`
    const { work, errors } = await meter.graphql(app, query)
    expect(errors).toBeUndefined()
    return work.blocks
  }
  const ofTotal = await blocksOf(1, 'total')
  expect(await blocksOf(20, 'items { id }')).toBeLessThan(1.5 * ofTotal)
  expect(await blocksOf(20, 'items { id venues { name } }')).toBeLessThan(1.5 * ofTotal)
})

test.each([
  'eventsPage(FILTER, perPage: 2) { items { id }',
  'events(FILTER, first: 2) { nodes { id }',
  'eventCalendar(FILTER, from: "2026-12-01", to: "2026-12-02") { totalCount',
])('the match of %s takes no statement beside the events', async (list) => {
  const statements = async (selection: string) => {
    const query = `{ list: ${list.replace('FILTER', 'filter: { search: "zeppellin" }')} ${selection} } }`
    app.statements.length = 0
    const { body } = await app.graphql(query)
    return [body.data.list.searchMatch, app.statements.length]
  }
  // The first search finds out that the words are frequent.
  await statements('')
  const [, without] = await statements('')
  expect(await statements('searchMatch')).toEqual(['SIMILAR', without])
})

test('a search finds the events that have a frequent word now', async () => {
  const { db } = app
  expect(await legacyTotal('green fields')).toBe(copies + 2)
  const where = { id: { gt: 1000 } }
  onTestFinished(async () => {
    await db.event.updateMany({ where, data: { status: 'publish' } })
  })
  await db.event.updateMany({ where, data: { status: 'draft' } })
  expect(await legacyTotal('green fields')).toBe(2)
  const id = await makeEvent(db, { en: { name: 'New', description: 'green fields' } }, { start: '2026-12-02T10:00:00' })
  expect(await legacyTotal('green fields')).toBe(3)
  await db.event.delete({ where: { id } })
})
