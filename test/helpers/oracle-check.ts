// Puts every filter alone and in pairs to a door, each combination with several draws, and compares with the oracle.
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Doors, serve, type TestApp } from './app.ts'
import { type Asked, askLegacy, askPage, type Kind, walk } from './oracle-doors.ts'
import { expectedIds, pageOf } from './oracle-expect.ts'
import { languages, type Reader, type World } from './oracle-facts.ts'
import { saveWorld, type Users } from './oracle-save.ts'
import type { Calendar } from './oracle-time.ts'
import { seed } from './oracle-world.ts'
import { type Role, roles } from './permissions.ts'

/** Runs of all files together; `npm run test:full` wants 20,000. */
const wanted = Number(process.env.ORACLE_RUNS ?? 1000)
/** Of 2,000 runs so many. */
const runs = (share: number) => Math.max(1, Math.ceil((share * wanted) / 2000))

export interface Stage {
  readonly app: TestApp
  readonly world: World
  readonly users: Users
  readonly calendar: Calendar
  readonly fallback: boolean
}

const env = { PER_PAGE_MAX: '100' }

/** The world in a database of its own. */
export async function openStage(app: TestApp): Promise<Stage> {
  const calendar = { siteZone: 'UTC', oneZone: false, cutoff: 0 }
  return { app, ...(await saveWorld(app)), calendar, fallback: true }
}

/** The same world, shown by a site that is set otherwise. */
export async function stageWith(stage: Stage, settings: Readonly<Record<string, string>>): Promise<Stage> {
  const app = await serve(stage.app, { ...env, ...settings })
  const {
    siteTimeZone: siteZone,
    showInSiteTimeZone: oneZone,
    endOfDayCutoff,
    languageFallback: fallback,
  } = app.settings
  const [hours, minutes] = endOfDayCutoff.split(':').map(Number)
  const cutoff = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000
  return { ...stage, app, fallback, calendar: { siteZone, oneZone, cutoff } }
}

export type Draws = Readonly<Record<string, fc.Arbitrary<unknown>>>

export interface Trial {
  readonly kind: Kind
  /** The contract's, or GraphQL's. */
  readonly legacy: boolean
  readonly draws: Draws
  readonly orders?: readonly string[]
  /** Orders that have no cursors. */
  readonly byNumber?: readonly string[]
  /** Draws of each combination. */
  readonly each: number
}

/** None, each alone, and each with each other. */
function combinations(names: readonly string[]): string[][] {
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]))
  return [[], ...names.map((name) => [name]), ...pairs]
}

type Question = Omit<Asked, 'kind'> & { readonly role: Role; readonly forward: boolean; readonly walks: boolean }

function questions({ legacy, draws, orders = [], kind }: Trial, names: readonly string[]): fc.Arbitrary<Question> {
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
    // Terms are counted alike for everybody.
    opens: terms ? fc.constant(false) : rarely,
    mustExist: legacy ? fc.constant(false) : rarely,
    ...{ forward: fc.boolean(), walks: rarely },
  })
}

const none = fc.constant(null)
const rarely = fc.integer({ min: 0, max: 5 }).map((number) => number === 0)

/** What an order needs: without it, the question is another. */
const needed: Readonly<Record<string, string>> = { DISTANCE: 'near', INCLUDE: 'include', RELEVANCE: 'search' }

function answerable(question: Question): Question {
  const need = needed[question.order?.field ?? '']
  return need && question.values[need] === undefined ? { ...question, order: undefined } : question
}

/** Checks that there were as many questions as there should be, and that enough of them found something. */
export async function check(stage: Stage, trial: Trial): Promise<void> {
  let asked = 0
  let fruitful = 0
  const all = combinations(Object.keys(trial.draws))
  for (const [index, names] of all.entries()) {
    const property = fc.asyncProperty(questions(trial, names).map(answerable), async (question) => {
      asked += 1
      if (await compare(stage, trial, question)) fruitful += 1
    })
    await fc.assert(property, { numRuns: runs(trial.each), seed: seed + index })
  }
  expect(asked).toBe(all.length * runs(trial.each))
  expect(fruitful).toBeGreaterThan(asked / 10)
}

/** Returns whether there was something to find. */
async function compare(stage: Stage, { kind, legacy, byNumber = [] }: Trial, question: Question): Promise<boolean> {
  const { role, forward, walks, ...rest } = question
  const asked: Asked = { kind, ...rest }
  const { app, users, calendar, world, fallback } = stage
  const doors: Doors = role === 'visitor' ? app : app.as(users[role])
  const reader: Reader = { role, language: asked.language, opens: asked.opens, fallback }
  if (asked.order?.field === 'RELEVANCE') return comparePermuted(doors, asked, stage, reader)
  const expected = expectedIds(asked, legacy, calendar, world, reader)
  const answer = legacy ? askLegacy : askPage
  expect(await answer(doors, asked)).toEqual(pageOf(expected, asked, legacy))
  if (!legacy && walks && !byNumber.includes(asked.order?.field ?? ''))
    expect(await walk(doors, asked, forward)).toEqual(expected)
  return expected.length > 0 && typeof expected !== 'string'
}

/** How well a text fits is not the oracle's to say, but each record is there once. */
async function comparePermuted(
  doors: Doors,
  asked: Asked,
  { calendar, world }: Stage,
  reader: Reader,
): Promise<boolean> {
  const whole = { ...asked, page: 1, perPage: 100 }
  const found = await askPage(doors, whole)
  const expected = expectedIds({ ...whole, order: undefined }, false, calendar, world, reader)
  const sorted = (ids: readonly number[]) => [...ids].sort((one, other) => one - other)
  if (typeof expected === 'string' || typeof found === 'string') expect(found).toBe(expected)
  else expect(sorted(found.ids)).toEqual(sorted(expected))
  return expected.length > 0 && typeof expected !== 'string'
}
