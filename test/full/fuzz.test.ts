// Many more requests at random: FUZZ_RUNS says how many of each sort.
import { afterAll, beforeAll, test } from 'vitest'
import { fuzzGraph, fuzzRest, openFuzzed } from '../helpers/fuzz-run.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 3000)
const timeout = 60_000 + runs * 100
let fuzzed: Awaited<ReturnType<typeof openFuzzed>>
beforeAll(async () => {
  fuzzed = await openFuzzed()
})
afterAll(() => fuzzed?.app.close())

test('REST, a visitor', () => fuzzRest(() => fuzzed.app, runs), timeout)
test('REST, an editor', () => fuzzRest(() => fuzzed.editor, runs), timeout)
test('GraphQL, a visitor', () => fuzzGraph(() => fuzzed.app, runs), timeout)
test('GraphQL, an editor', () => fuzzGraph(() => fuzzed.editor, runs), timeout)
