// On the sample, no request takes the database more than ten times the work of the default list for its cost. Work is the number
// of blocks that its statements read. Without caches: each request reads all that its response needs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../prisma/seed/random.ts'
import { unverified } from '../helpers/app.ts'
import { type Priced, type WorkMeter, workMeterOf, workPerCost } from '../helpers/database-work.ts'
import { findDearest } from '../helpers/dearest-documents.ts'
import { withoutStatistics } from '../helpers/planner-statistics.ts'
import { ns } from '../helpers/rest.ts'
import { partOf, runs } from '../helpers/runs.ts'
import { openRealApp, type SampleApp } from '../helpers/sample.ts'
import { readCost, searchedFields, searchedUrls, shortSearch } from '../helpers/short-searches.ts'

const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Without statistics, the planner joins tables row by row: each event with each of the venues that a search finds. */
const [maxRatio, maxRatioWithoutStatistics] = [10, 150]

const usualFields = `title url startsAt endsAt image { url } venues { name city } organizers { name } categories { name }`
const defaultLists = { rest: `${ns}/events`, graphql: `{ eventsPage { total totalPages items { ${usualFields} } } }` }

let app: SampleApp
let meter: WorkMeter

beforeAll(async () => {
  app = await openRealApp({ CACHE_BYTES: '0', ...unverified })
  meter = workMeterOf(app)
})
afterAll(() => app?.close())

/** Blocks for each unit of cost that a request may read. */
async function limits(ratio = maxRatio) {
  const [list, page] = [await ofUrl(defaultLists.rest), await ofDocument(defaultLists.graphql)]
  expect(Math.min(list.work.blocks, page.work.blocks)).toBeGreaterThan(50)
  return { rest: ratio * workPerCost(list), graphql: ratio * workPerCost(page) }
}

async function ofUrl(url: string): Promise<Priced> {
  const { result, work } = await meter.measure(() => app.app.inject({ url }))
  expect([200, 400, 404], `${url} ${result.payload.slice(0, 300)}`).toContain(result.statusCode)
  return { cost: readCost(result), work }
}

async function ofDocument(query: string, variables: Record<string, unknown> = {}): Promise<Priced> {
  const { cost, errors, work } = await meter.graphql(app, query, variables)
  expect(errors, `${query} ${JSON.stringify(variables)}`).toBeUndefined()
  return { cost: cost ?? 0, work }
}

function expectWithin(limit: number, name: string, { cost, work }: Priced): void {
  if (work.blocks <= limit * cost) return
  const { text, values, blocks } = work.largest
  expect.fail(
    `${name} reads ${work.blocks} blocks at a cost of ${cost}; at most ${Math.floor(limit * cost)} are allowed. ` +
      `${blocks} of them are read by\n${text}\n${JSON.stringify(values)}\n(seed ${seed})`,
  )
}

/** One search in each list. */
const everywhere = searchedUrls.length + searchedFields.length

/** In rotation over all lists, from another one in each run. */
async function searchEverywhere(count: number, ratio = maxRatio): Promise<void> {
  const random = createRandom(seed)
  const { rest, graphql } = await limits(ratio)
  for (let n = 0; n < count; n += 1) {
    const search = shortSearch(random)
    const index = (seed + n) % everywhere
    const urlOf = searchedUrls[index]
    const field = searchedFields[index - searchedUrls.length]
    if (urlOf) expectWithin(rest, urlOf(search), await ofUrl(urlOf(search)))
    if (!field) continue
    const query = `query ($search: String!) { ${field} }`
    expectWithin(graphql, `${query} for ${JSON.stringify(search)}`, await ofDocument(query, { search }))
  }
}

// What a search reads depends on the list much more than on its letters.
test('random short searches in every list of every API', () => searchEverywhere(runs(18 * everywhere, 18)))

test('pairs of letters in the list of events by REST', async () => {
  const { rest } = await limits()
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  for (const pair of partOf(pairs, 25)) {
    const url = `${ns}/events?search=${pair}`
    expectWithin(rest, url, await ofUrl(url))
  }
})

test('the dearest documents that a search over the schema finds', async () => {
  const { graphql } = await limits()
  const dearest = runs(60, 2)
  const found = await findDearest(app, meter, { seed, count: runs(900, 8), dearest })
  expect(found).toHaveLength(dearest)
  for (const document of found) expectWithin(graphql, document.text, document)
})

test('events without coordinates in categories', async () => {
  const query = `{ events(filter: { located: false, categories: ["1", "16"] }, first: 16) { nodes { excerpt } totalCount } }`
  expectWithin((await limits()).graphql, query, await ofDocument(query))
})

test('random short searches before the planner has statistics', () =>
  withoutStatistics(app.database.pool, () => searchEverywhere(runs(3 * everywhere, 9), maxRatioWithoutStatistics)))

test.each([
  ['twenty searches in `any`', `{ events(filter: { any: [${'{ search: "e o" }'.repeat(20)}] }) { totalCount } }`],
  [
    'nineteen aliases of a search',
    `{ ${Array.from({ length: 19 }, (_, n) => `a${n}: events(filter: { search: "${'abcdefghijklmnopqrs'[n]}" }) { totalCount }`).join(' ')} }`,
  ],
])('%s cost too much', async (_name, query) => {
  const { result, work } = await meter.measure(() => app.graphql(query))
  expect([result.status, result.body.errors[0].extensions.code, work.blocks]).toEqual([400, 'QUERY_TOO_COSTLY', 0])
})

test('one search in a list, its facets and a month, and suggestions may be one request', async () => {
  const query = `query ($search: String!) {
    eventsPage(filter: { search: $search }, perPage: 20, orderBy: { field: RELEVANCE }) {
      total totalPages searchMatch items { ${usualFields} } }
    eventFacets(filter: { search: $search }) {
      totalCount categories { category { name } count } cities { city count } months { month count } prices { price count } }
    eventCalendar(from: "2026-11-01", to: "2026-11-30", filter: { search: $search }) {
      days { date totalCount events(first: 3) { title url } } }
    searchSuggestions(prefix: $search) { text kind url } }`
  const { cost } = await ofDocument(query, { search: 'jazz' })
  expect(cost).toBeLessThan(0.9 * app.settings.queryCostMax)
})
