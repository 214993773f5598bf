// Sends every filter alone and in pairs, with random values, and compares the responses with the oracle.
import fc from 'fast-check'
import { expect } from 'vitest'
import { type ApiClient, compared, openTestApp, serve, type TestApp } from './app.ts'
import { type Kind, type OracleQuery, queryAllByCursor, queryGraphqlPage, queryRest } from './oracle-client.ts'
import { expectedIds, pageOf } from './oracle-expect.ts'
import { languages, type Reader, type World } from './oracle-facts.ts'
import { saveWorld, type Users } from './oracle-save.ts'
import type { Calendar } from './oracle-time.ts'
import { seed } from './oracle-world.ts'
import { type Role, roles } from './permissions.ts'
import { partOf } from './runs.ts'

/** Runs of all files together; `npm run test:full` sets 20,000. */
const totalRuns = Number(process.env.ORACLE_RUNS ?? 330)
/** The number of runs for a share of 2,000. */
const runs = (share: number) => Math.max(1, Math.ceil((share * totalRuns) / 2000))

export interface OracleSite {
  readonly app: TestApp
  readonly world: World
  readonly users: Users
  readonly calendar: Calendar
  readonly fallback: boolean
}

const env = { ...compared, PER_PAGE_MAX: '100' }

/** Stores the generated data in a new database. */
export async function openOracleSite(): Promise<OracleSite> {
  const app = await openTestApp(env)
  const calendar = { siteZone: 'UTC', oneZone: false, cutoff: 0 }
  return { app, ...(await saveWorld(app)), calendar, fallback: true }
}

/** The same data on a site with other settings. */
export async function withSettings(site: OracleSite, settings: Readonly<Record<string, string>>): Promise<OracleSite> {
  const app = await serve(site.app, { ...env, ...settings })
  const {
    siteTimeZone: siteZone,
    showInSiteTimeZone: oneZone,
    endOfDayCutoff,
    languageFallback: fallback,
  } = app.settings
  const [hours, minutes] = endOfDayCutoff.split(':').map(Number)
  const cutoff = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000
  return { ...site, app, fallback, calendar: { siteZone, oneZone, cutoff } }
}

export type Draws = Readonly<Record<string, fc.Arbitrary<unknown>>>

export interface Trial {
  readonly kind: Kind
  /** True: the REST API; false: GraphQL. */
  readonly legacy: boolean
  readonly draws: Draws
  readonly orders?: readonly string[]
  /** Orders without cursors. */
  readonly byNumber?: readonly string[]
  /** Runs of each combination of filters. */
  readonly each: number
}

/** No filter, each filter alone, and a sixth of the pairs, others in each run: most queries have a third filter, too. */
function combinations(names: readonly string[]): [seed: number, names: string[]][] {
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]))
  const all = [[], ...names.map((name) => [name]), ...pairs].map((some, index): [number, string[]] => [
    seed + index,
    some,
  ])
  return [...all.slice(0, 1 + names.length), ...partOf(all.slice(1 + names.length), 6)]
}

type RandomQuery = Omit<OracleQuery, 'kind'> & {
  readonly role: Role
  readonly forward: boolean
  readonly walks: boolean
}

function randomQueries(
  { legacy, draws, orders = [], kind }: Trial,
  names: readonly string[],
): fc.Arbitrary<RandomQuery> {
  const others = Object.keys(draws).filter((name) => !names.includes(name))
  const third = names.length === 2 && others.length > 0 ? fc.option(fc.constantFrom(...others), { freq: 4 }) : none
  const values = third.chain((extra) =>
    fc.record(Object.fromEntries([...names, ...(extra ? [extra] : [])].map((name) => [name, draws[name] ?? none]))),
  )
  const order = fc.record(
    { field: fc.constantFrom(...orders, 'none'), direction: fc.constantFrom('ASC' as const, 'DESC' as const) },
    { requiredKeys: ['field'] },
  )
  const terms = kind === 'categories' || kind === 'tags'
  return fc.record({
    values,
    order: order.map((drawn) => (drawn.field === 'none' ? undefined : drawn)),
    role: fc.constantFrom(...roles),
    language: fc.constantFrom(...languages),
    root: fc.boolean(),
    page: fc.constantFrom(1, 1, 1, 2, 3),
    perPage: fc.constantFrom(1, 3, 7, legacy ? 15 : 100),
    // Passwords do not change the lists of terms.
    opens: terms ? fc.constant(false) : rarely,
    mustExist: legacy ? fc.constant(false) : rarely,
    ...{ forward: fc.boolean(), walks: rarely },
  })
}

const none = fc.constant(null)
const rarely = fc.integer({ min: 0, max: 5 }).map((number) => number === 0)

/** The filter that an order requires. */
const requiredFilters: Readonly<Record<string, string>> = { DISTANCE: 'near', INCLUDE: 'include', RELEVANCE: 'search' }

function withoutImpossibleOrder(query: RandomQuery): RandomQuery {
  const need = requiredFilters[query.order?.field ?? '']
  return need && query.values[need] === undefined ? { ...query, order: undefined } : query
}

/** Runs all combinations, and checks that enough of them had results. */
export async function check(site: OracleSite, trial: Trial): Promise<void> {
  let queryCount = 0
  let withResults = 0
  const all = combinations(Object.keys(trial.draws))
  for (const [seed, names] of all) {
    const property = fc.asyncProperty(randomQueries(trial, names).map(withoutImpossibleOrder), async (query) => {
      queryCount += 1
      if (await compare(site, trial, query)) withResults += 1
    })
    await fc.assert(property, { numRuns: runs(trial.each), seed })
  }
  expect(queryCount).toBe(all.length * runs(trial.each))
  expect(withResults).toBeGreaterThan(queryCount / 10)
}

/** Returns whether the query had results. */
async function compare(site: OracleSite, { kind, legacy, byNumber = [] }: Trial, query: RandomQuery): Promise<boolean> {
  const { role, forward, walks, ...rest } = query
  const oracleQuery: OracleQuery = { kind, ...rest }
  const { app, users, calendar, world, fallback } = site
  const client: ApiClient = role === 'visitor' ? app : app.as(users[role])
  const reader: Reader = { role, language: oracleQuery.language, opens: oracleQuery.opens, fallback }
  if (oracleQuery.order?.field === 'RELEVANCE') return comparePermuted(client, oracleQuery, site, reader)
  const expected = expectedIds(oracleQuery, legacy, calendar, world, reader)
  const sendQuery = legacy ? queryRest : queryGraphqlPage
  expect(await sendQuery(client, oracleQuery)).toEqual(pageOf(expected, oracleQuery, legacy))
  if (!legacy && walks && !byNumber.includes(oracleQuery.order?.field ?? ''))
    expect(await queryAllByCursor(client, oracleQuery, forward)).toEqual(expected)
  return expected.length > 0 && typeof expected !== 'string'
}

/** The oracle does not compute relevance: compares the results without their order. */
async function comparePermuted(
  client: ApiClient,
  oracleQuery: OracleQuery,
  { calendar, world }: OracleSite,
  reader: Reader,
): Promise<boolean> {
  const fullPage = { ...oracleQuery, page: 1, perPage: 100 }
  const actual = await queryGraphqlPage(client, fullPage)
  const expected = expectedIds({ ...fullPage, order: undefined }, false, calendar, world, reader)
  const sorted = (ids: readonly number[]) => [...ids].sort((one, other) => one - other)
  if (typeof expected === 'string' || typeof actual === 'string') expect(actual).toBe(expected)
  else expect(sorted(actual.ids)).toEqual(sorted(expected))
  return expected.length > 0 && typeof expected !== 'string'
}
