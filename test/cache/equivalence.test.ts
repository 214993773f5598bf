// An instance with a response cache returns the same as one without, whatever is written and however time passes.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, now } from '../helpers/app.ts'
import { ask, type Question, together } from '../helpers/cached-compare.ts'
import { writtenKinds } from '../helpers/cached-input.ts'
import { type Coordinate, graphQuestions } from '../helpers/cached-questions.ts'
import { essence, restQuestions } from '../helpers/cached-requests.ts'
import {
  type Draw,
  drawingFrom,
  languages,
  openCachedStage,
  questionsOf,
  revive,
  type Stage,
  schedule,
  schema,
} from '../helpers/cached-stage.ts'
import { mutationWrites, restWrites, statements, type Write } from '../helpers/cached-writes.ts'

let stage: Stage
let editors: readonly ApiClient[]

beforeAll(async () => {
  stage = await openCachedStage()
  const editor = await stage.kept.signIn('administrator')
  editors = [editor, stage.plain.as(editor)]
})
afterAll(() => stage?.kept.close())

/** Arguments and parameters that change no answer to a visitor. */
const inert: Readonly<Record<string, string>> = {
  '@inContext(forEditing)': 'opens locked records to those who may change them',
  '/?context': 'has no meaning',
  '/doc?translation_language': 'the documentation is in one language',
  '/events/{id}?context': 'opens locked records to those who may change them',
  '/events/by-slug/{slug}?context': 'opens locked records to those who may change them',
}

test('every argument and every parameter changes some response', async () => {
  const known = await stage.known()
  const all = [...graphQuestions(schema, known).coordinates, ...restQuestions(known, languages)]
  const names = new Set(all.map(({ name }) => name))
  expect(Object.keys(inert).filter((name) => !names.has(name))).toEqual([])
  const others = all.filter(({ name }) => !inert[name])
  const without = await together(others, async (coordinate) => ((await matters(coordinate)) ? [] : [coordinate.name]))
  expect(without.flat()).toEqual([])
})

/** Whether some of the questions that differ in it alone are answered differently. */
async function matters({ variants }: Coordinate): Promise<boolean> {
  for (const [first, ...others] of fc.sample(variants, { numRuns: 60, seed: 1 })) {
    const answer = async (question: Question | undefined) => question && (await ask(stage.plain, question)).answer
    const told = await answer(first)
    for (const other of others) {
      const differs = await answer(other)
      if (told?.status !== differs?.status || essence(told?.body ?? '') !== essence(differs?.body ?? '')) return true
    }
  }
  return false
}

test('every field of an input has values', async () => {
  const known = await stage.known()
  const draw = drawingFrom(1)
  for (const write of writes) expect(draw(write.draw(known, now)).name).toBeTruthy()
})

const requests: readonly Write[] = [...mutationWrites(schema), ...restWrites]
const writes: readonly Write[] = [...requests, ...statements]
const taken = new Set<string>()
const tally = { asked: 0, kept: 0 }

/** Does these writes; returns their names. */
async function writeSome(some: readonly Write[], draw: Draw): Promise<string[]> {
  const names: string[] = []
  let known = await stage.known()
  for (const write of some) {
    // Some are refused: a record is gone by now, a category would be a part of itself.
    for (let times = 1; times <= 5; times++) {
      const act = draw(write.draw(known, stage.kept.clock.now))
      names.push(act.name)
      if (await act.run(stage.kept.db, draw(fc.constantFrom(...editors)))) {
        taken.add(write.by)
        break
      }
      known = await stage.known()
    }
  }
  return names
}

/** Asks the instance that keeps answers; where it answers from memory, the other has to say the same. */
async function compare(questions: readonly Question[], happened: readonly string[]): Promise<void> {
  await stage.kept.cache.waitForChanges()
  await together(questions, async (question) => {
    const { isHit, answer } = await ask(stage.kept, question)
    tally.asked += 1
    if (!isHit) return
    tally.kept += 1
    const { answer: read } = await ask(stage.plain, question)
    expect({ question: question.name, happened, answer }).toEqual({ question: question.name, happened, answer: read })
  })
}

const passes = Number(process.env.TRUTH_RUNS ?? 1)
/** Of the questions every second one, another half in each run; TRUTH_RUNS asks all of them. */
const share = process.env.TRUTH_RUNS === undefined ? 2 : 1
/** Writes of a kind between two times that everything is asked: few leave more answers in memory, many do more. */
const groups = [2, 8, Number.POSITIVE_INFINITY]

test('cached responses equal uncached ones', { timeout: 1_800_000 * passes }, async () => {
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
      const order = draw(shuffled(questionsOf(await stage.known(), draw).map((_, index) => index)))
      for (const [part, size] of groups.entries()) {
        stage.setClock(now.getTime())
        await revive(stage)
        const all = questionsOf(await stage.known(), draw)
        const questions = order
          .filter((_, index) => index % (groups.length * share) === part)
          .flatMap((index) => all[index] ?? [])
        await compare(questions, [])
        for (const kind of draw(shuffled(writtenKinds))) {
          const some = [
            ...statements.filter((each) => each.kind === kind),
            ...(remaining.get(kind)?.splice(0, size) ?? []),
          ]
          await compare(questions, await writeSome(draw(shuffled(some)), draw))
        }
        await revive(stage)
        const moments = await schedule(stage, await stage.known(), draw)
        await compare(questions, [])
        for (const { name, time } of moments) {
          stage.setClock(time)
          await compare(questions, [name])
        }
      }
    }),
    { numRuns: passes, endOnFailure: true },
  )
  expect(writes.filter(({ by }) => !taken.has(by)).map(({ by }) => by)).toEqual([])
  expect(tally.kept).toBeGreaterThan(tally.asked / 4)
})

const deletes = (by: string) => /^delete/i.test(by)

const shuffled = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })
