// With 100,000 events, lists go by indexes, also with the generic plans that PostgreSQL may choose for a prepared statement
// from the sixth execution on, and searches read no more than the texts, a few times.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSampleRecords, type SampleRecords } from '../../bench/sample-records.ts'
import { searchRequests } from '../../bench/search-requests.ts'
import { now, serve, type TestApp } from '../helpers/app.ts'
import { openLarge } from '../helpers/large.ts'
import { astray, unexplained } from '../helpers/large-exceptions.ts'
import { type ListRequest, requestsFor } from '../helpers/large-lists.ts'
import { blocksOf, explain, isRead, type Plan, type Recorder, recorderOf } from '../helpers/large-plans.ts'
import { readsOf } from '../helpers/large-reads.ts'

const events = 100_000
const executions = 20
/** Allowed ratio of the fastest of the last executions to the fastest of the first. */
const maxRatio = 1.5

let app: TestApp
let recorder: Recorder
let named: SampleRecords

beforeAll(async () => {
  app = await serve(await openLarge(events, { connections: 1 }), { CACHE_BYTES: '0', QUERY_COST_MAX: '100000' })
  recorder = recorderOf(app)
  named = await findSampleRecords(app.db, now)
})
afterAll(() => app?.close())

test('every filter and order uses an index', async () => {
  const reads = await readsOf({ app, recorder, named, withoutScans: false })
  expect(unexplained(reads)).toEqual([])
  expect(astray(reads, events)).toEqual([])
})

async function milliseconds({ url, query = '' }: ListRequest): Promise<number> {
  const start = performance.now()
  const { status, body } = await (url === undefined ? app.graphql(query) : app.get(url))
  const duration = performance.now() - start
  expect([status, body.errors]).toEqual([200, undefined])
  return duration
}

/** The fastest of several executions, since other processes can only slow them down. */
const fastest = (times: readonly number[]) => Math.min(...times)

test('no list becomes slower in 20 executions on one connection', {
  timeout: 1_800_000,
}, async () => {
  const slower: string[] = []
  for (const request of requestsFor('visitor', named)) {
    const times: number[] = []
    for (let n = 0; n < executions; n += 1) times.push(await milliseconds(request))
    const first = fastest(times.slice(0, 5))
    let last = fastest(times.slice(-5))
    for (let n = 0; n < executions && last > first * maxRatio; n += 1)
      last = Math.min(last, await milliseconds(request))
    if (last > first * maxRatio) slower.push(`${request.name}: ${first.toFixed(1)} ms, then ${last.toFixed(1)} ms`)
  }
  expect(slower).toEqual([])
})

/** How many times as many blocks as the table of texts has a search may read: each event is looked up, too. */
const maxReads = 8
/** Facets of several words compare each word with the texts of all events that have the others. */
const maxFacetReads = 16

test('no search reads the texts of all events often', async () => {
  const rows = await app.db.$queryRaw<{ blocks: number }[]>`
    SELECT (pg_relation_size('content_text') / current_setting('block_size')::int)::int AS blocks`
  const all = rows[0]?.blocks ?? 0
  const excessive: string[] = []
  for (const { name, root = '', url, query = '' } of searchRequests()) {
    const statements = await recorder.record(async () => {
      const { status, body } = await (url === undefined ? app.graphql(query, {}, root) : app.get(root + url))
      expect([name, status, body.errors]).toEqual([name, 200, undefined])
    })
    const blocks = await blocksOf(app.database.pool, statements.filter(isRead))
    const max = all * (name.endsWith(': facets') ? maxFacetReads : maxReads)
    if (blocks > max) excessive.push(`${name}: ${blocks} of ${max}`)
  }
  expect(excessive).toEqual([])
})

const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
const range = `from: "${day(6)}", to: "${day(47)}"`
const listOf = (selection: string) => `{ events(first: 10, filter: { when: UPCOMING }) { nodes { ${selection} } } }`

const questions = {
  'a month view': `{ eventCalendar(${range}) { days { date totalCount events(first: 3) { title } } } }`,
  'all facets of a month': `{ eventFacets(filter: { between: { ${range} } }) {
    totalCount categories { category { name } count } tags { tag { name } count } venues { venue { name } count }
    organizers { organizer { name } count } cities { city count } months { month count } languages { language count }
    prices { price count } } }`,
  'a list of a common word': '{ eventsPage(filter: { search: "festival" }) { total items { title } } }',
  'a list of a part of many words': '{ eventsPage(filter: { search: "on" }) { total items { title } } }',
  'a month view of a common word': `{ eventCalendar(${range}, filter: { search: "festival" }) { totalCount } }`,
  'suggestions for a letter': '{ searchSuggestions(prefix: "c") { text } }',
  'suggestions for three letters': '{ searchSuggestions(prefix: "con") { text } }',
  'suggestions for six letters': '{ searchSuggestions(prefix: "concer") { text } }',
  'events related to ten events': listOf('title related(first: 6) { title }'),
} as const

/** Tables with one row or more per event that a plan reads completely. */
function scannedTables({ 'Node Type': type, 'Relation Name': table = '', Plans = [] }: Plan): string[] {
  return [...(type === 'Seq Scan' && /^event/.test(table) ? [table] : []), ...Plans.flatMap(scannedTables)]
}

test.each(Object.entries(questions))('%s scans no table of events', async (_name, query) => {
  const statements = await recorder.record(async () => {
    const { body } = await app.graphql(query)
    expect(body.errors).toBeUndefined()
  })
  // Whether any event matches a common word is known after a few rows, so that scan stops there.
  const reads = statements.filter((statement) => isRead(statement) && !statement.text.startsWith('SELECT EXISTS'))
  expect(reads).not.toEqual([])
  const plans = await explain(app.database.pool, reads, false)
  expect(plans.flatMap(({ page, count }) => [...page, ...count].flatMap(scannedTables))).toEqual([])
})

/** How a plan reads the texts of events. */
const textScans = ({ 'Node Type': type, 'Relation Name': table, Plans = [] }: Plan): string[] => [
  ...(table === 'content_text' ? [type] : []),
  ...Plans.flatMap(textScans),
]

test.each([
  ['with the filter translatedInto', { filter: 'translatedInto: [FR]', fallback: 'on' }],
  ['with the filter missingTranslation', { filter: 'missingTranslation: [ES]', fallback: 'on' }],
  ['without language fallback', { filter: 'when: UPCOMING', fallback: 'off' }],
])('the total %s is counted from an index of the texts', async (_name, { filter, fallback }) => {
  const site = await serve(app, { CACHE_BYTES: '0', LANGUAGE_FALLBACK: fallback })
  const statements = await recorder.record(async () => {
    const { body } = await site.graphql(`{ eventsPage(filter: { ${filter} }) { total } }`)
    expect(body.data.eventsPage.total).toBeGreaterThan(10_000)
  })
  await site.app.close()
  const plans = await explain(app.database.pool, statements.filter(isRead), false)
  const scans = plans.flatMap(({ page, count }) => [...page, ...count].flatMap(textScans))
  expect(new Set(scans)).toEqual(new Set(['Index Only Scan']))
})
