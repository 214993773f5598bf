// No list reads a growing table from end to end: every documented filter and order goes by an index. Here sequential
// scans are disabled, since the planner prefers them for small tables; test/full enables them with 100,000 events.
import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType } from 'graphql'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { grow } from '../../bench/grow.ts'
import { findSampleRecords, type SampleRecords } from '../../bench/sample-records.ts'
import { createRestRoutes } from '../../src/apis/rest/routes.ts'
import { now, openTestApp, type TestApp, unverified } from '../helpers/app.ts'
import { astray, unexplained } from '../helpers/large-exceptions.ts'
import { type List, lists, requestsFor } from '../helpers/large-lists.ts'
import { recorderOf } from '../helpers/large-plans.ts'
import { readsOf } from '../helpers/large-reads.ts'

// With fewer venues and organizers, the planner of a server rightly reads an index of all of them.
const events = inject('server') ? 2000 : 260

let app: TestApp
let named: SampleRecords

beforeAll(async () => {
  app = await openTestApp(unverified)
  await grow(app.db, events, { now })
  // So few tickets that reading all of them is cheapest would hide a list that does so always.
  await app.db.$executeRaw`
    INSERT INTO content_ticket (content_id, position, name, price, currency)
    SELECT id, 1 + position, 'Seat', 12, 'EUR' FROM content, generate_series(0, 9) AS position WHERE id % 3 = 0`
  await app.db.$executeRaw`ANALYZE content_ticket`
  named = await findSampleRecords(app.db, now)
})
afterAll(() => app?.close())

test('every filter and order uses an index', async () => {
  const recorder = recorderOf(app)
  const reads = await readsOf({ app, recorder, named, withoutScans: true })
  expect(unexplained(reads)).toEqual([])
  expect(astray(reads, events)).toEqual([])
})

function parametersOf(list: List): string[] {
  const routes = createRestRoutes({ languages: ['en'], legacyAddresses: false })
  const { params = {} } = routes.find(({ path, action }) => path === `/${list}` && action === 'read') ?? {}
  // A followed list is read in the order of IDs, with statements of its own.
  return Object.keys(params).filter((name) => name !== 'translation_language' && name !== 'sync_token')
}

test('every REST parameter is covered by a query', () => {
  const urls = requestsFor('visitor', named).flatMap(({ url }) => url ?? [])
  for (const list of lists) {
    const covered = urls
      .filter((url) => url.includes(`/${list}?`))
      .flatMap((url) => [...new URLSearchParams(url.split('?')[1]).keys()])
    const parameters = parametersOf(list)
    expect(parameters).toContain('per_page')
    expect(
      parameters.filter((name) => !covered.includes(name)),
      list,
    ).toEqual([])
  }
})

const kindOf = {
  events: 'Event',
  venues: 'Venue',
  organizers: 'Organizer',
  categories: 'Category',
  tags: 'Tag',
} as const

test('every field of the filters and every order is covered by a query', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const allQueries = [...requestsFor('visitor', named), ...requestsFor('editor', named)]
  const queries = allQueries.flatMap(({ query }) => query ?? [])
  for (const list of lists) {
    const requested = queries.filter((query) => query.includes(`${list}Page`)).join('\n')
    const filter = schema.getType(`${kindOf[list]}Filter`)
    const order = schema.getType(`${kindOf[list]}OrderField`)
    if (!isInputObjectType(filter)) throw new Error(`No filter of ${list}`)
    const orders = isEnumType(order) ? order.getValues().map(({ name }) => `field: ${name},`) : []
    const missing = [...Object.keys(filter.getFields()).map((name) => `${name}:`), ...orders].filter(
      (text) => !requested.includes(text),
    )
    expect(missing, list).toEqual([])
  }
})
