// An instance with a response cache returns the same as one without, whatever is written and however time passes.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, now } from '../helpers/app.ts'
import { ask, type NamedRequest, together } from '../helpers/cached-compare.ts'
import { writtenKinds } from '../helpers/cached-input.ts'
import { type Coordinate, graphqlRequests } from '../helpers/cached-operations.ts'
import { essence, restRequests } from '../helpers/cached-requests.ts'
import {
  type Draw,
  drawingFrom,
  languages,
  openCachedStage,
  requestsOf,
  revive,
  type Stage,
  schedule,
  schema,
} from '../helpers/cached-stage.ts'
import { mutationWrites, restWrites, statements, type Write } from '../helpers/cached-writes.ts'
import { partOf } from '../helpers/runs.ts'

let stage: Stage
let editors: readonly ApiClient[]

beforeAll(async () => {
  stage = await openCachedStage()
  const editor = await stage.cached.signIn('administrator')
  editors = [editor, stage.plain.as(editor)]
})
afterAll(() => stage?.cached.close())

/** Arguments and parameters that change no response to a visitor. */
const inert: Readonly<Record<string, string>> = {
  '@inContext(forEditing)': 'opens locked records to those who may change them',
  '/?context': 'has no meaning',
  'Query.event(dayNumber)': 'no series of the stage has two dates on a day',
  '/doc?translation_language': 'the documentation is in one language',
  '/events/{id}?context': 'opens locked records to those who may change them',
  '/events/by-slug/{slug}?context': 'opens locked records to those who may change them',
}

/** Values as `fc.sample` returns them. Most are not needed, and drawing one takes as long as a request. */
function* samples<Value>(values: fc.Arbitrary<Value>, most: number): Generator<Value> {
  let drawn = 0
  for (let count = 2; drawn < most; count = Math.min(count * 3, most)) {
    yield* fc.sample(values, { numRuns: count, seed: 1 }).slice(drawn)
    drawn = count
  }
}

/** Whether some of the requests that differ in it alone get different responses. */
async function matters({ variants }: Coordinate): Promise<boolean> {
  for (const [first, ...others] of samples(variants, 60)) {
    const responseTo = async (request: NamedRequest | undefined) =>
      request && (await ask(stage.plain, request)).response
    const firstResponse = await responseTo(first)
    for (const other of others) {
      const otherResponse = await responseTo(other)
      if (
        firstResponse?.status !== otherResponse?.status ||
        essence(firstResponse?.body ?? '') !== essence(otherResponse?.body ?? '')
      )
        return true
    }
  }
  return false
}

test('every field of an input has values', async () => {
  const content = await stage.readContent()
  const draw = drawingFrom(1)
  for (const write of [...all, ...statements]) expect(draw(write.draw(content, now)).name).toBeTruthy()
})

const all: readonly Write[] = [...mutationWrites(schema), ...restWrites]
/** Each mutation and route; of those with many fields, with a third of them, others in each run. */
const requests = [...Map.groupBy(all, ({ by }) => by).values()].flatMap((some, index) =>
  partOf(some, some.length > 5 ? 3 : 1, index),
)
const writes: readonly Write[] = [...requests, ...statements]
const taken = new Set<string>()
const tally = { requests: 0, hits: 0 }

/** Does these writes; returns their names. */
async function writeSome(some: readonly Write[], draw: Draw): Promise<string[]> {
  const names: string[] = []
  let content = await stage.readContent()
  for (const write of some) {
    // Some are refused: a record is gone by now, a category would be a part of itself.
    for (let times = 1; times <= 20; times++) {
      const act = draw(write.draw(content, stage.cached.clock.now))
      names.push(act.name)
      if (await act.run(stage.cached.db, draw(fc.constantFrom(...editors)))) {
        taken.add(write.by)
        break
      }
      if (times % 4 === 0) content = await stage.readContent()
    }
  }
  return names
}

/** Sends requests to the instance with a cache; a cached response must equal that of the instance without one. */
async function compare(reads: readonly NamedRequest[], happened: readonly string[]): Promise<void> {
  await stage.cached.cache.waitForChanges()
  await together(reads, async (request) => {
    const { isHit, response } = await ask(stage.cached, request)
    tally.requests += 1
    if (!isHit) return
    tally.hits += 1
    const { response: uncached } = await ask(stage.plain, request)
    expect({ request: request.name, happened, response }).toEqual({
      request: request.name,
      happened,
      response: uncached,
    })
  })
}

const isDeep = process.env.TRUTH_RUNS !== undefined
const passes = Number(process.env.TRUTH_RUNS ?? 1)
/** A twentieth of the requests, another one with each seed; with TRUTH_RUNS all of them. */
const share = isDeep ? 1 : 20
/** Writes of a kind between two comparisons: few writes leave more responses cached, many change more records. */
const groups = isDeep ? [2, 8, Number.POSITIVE_INFINITY] : [3, Number.POSITIVE_INFINITY]

// The second test changes nearly every record.
describe('requests to a stage', { shuffle: false }, () => {
  test('every argument and every parameter changes some response', async () => {
    const content = await stage.readContent()
    const all = [...graphqlRequests(schema, content).coordinates, ...restRequests(content, languages)]
    const names = new Set(all.map(({ name }) => name))
    expect(Object.keys(inert).filter((name) => !names.has(name))).toEqual([])
    const others = all.filter(({ name, isRepeated }) => !inert[name] && !isRepeated)
    // Lists by cursor and lists by page have the same filters and orders: one of both is tried, and others in each run.
    const alike = Map.groupBy(others, ({ name }) => name.replace('Page(', '('))
    const tried = partOf([...alike.values()], 6).flatMap((some, index) => partOf(some, some.length, index))
    const without = await together(tried, async (coordinate) => ((await matters(coordinate)) ? [] : [coordinate.name]))
    expect(without.flat()).toEqual([])
  })

  test('cached responses equal uncached ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const draw = drawingFrom(seed)
        const remaining = new Map(
          writtenKinds.map((kind) => {
            const some = draw(shuffled(requests.filter((each) => each.kind === kind)))
            // What is gone takes its links with it, which changes other records too: that comes last.
            return [kind, [...some.filter(({ by }) => !deletes(by)), ...some.filter(({ by }) => deletes(by))]]
          }),
        )
        const order = draw(shuffled(requestsOf(await stage.readContent()).map((_, index) => index)))
        for (const [part, size] of groups.entries()) {
          stage.setClock(now.getTime())
          await revive(stage)
          const all = requestsOf(await stage.readContent())
          const reads = order
            .filter((_, index) => index % (groups.length * share) === part)
            .flatMap((index) => all[index] ?? [])
            .map(draw)
          await compare(reads, [])
          for (const kind of draw(shuffled(writtenKinds))) {
            const some = [
              ...statements.filter((each) => each.kind === kind),
              ...(remaining.get(kind)?.splice(0, size) ?? []),
            ]
            await compare(reads, await writeSome(draw(shuffled(some)), draw))
          }
          await revive(stage)
          const moments = await schedule(stage, await stage.readContent(), draw)
          await compare(reads, [])
          for (const { name, time } of moments) {
            stage.setClock(time)
            await compare(reads, [name])
          }
        }
      }),
      { numRuns: passes, endOnFailure: true },
    )
    expect(writes.filter(({ by }) => !taken.has(by)).map(({ by }) => by)).toEqual([])
    expect(tally.hits).toBeGreaterThan(tally.requests / 4)
  })
})

const deletes = (by: string) => /^delete/i.test(by)

const shuffled = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })
