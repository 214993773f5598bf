// Many random requests. FUZZ_RUNS sets the number of each kind.
import { afterAll, beforeAll, test } from 'vitest'
import { fuzzGraph, fuzzRest, openFuzzed } from '../helpers/fuzz-run.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 3000)
const timeout = 60_000 + runs * 100
let fuzzed: Awaited<ReturnType<typeof openFuzzed>>
beforeAll(async () => {
  fuzzed = await openFuzzed()
})
afterAll(() => fuzzed?.app.close())

test('REST as an anonymous user', () => fuzzRest(() => fuzzed.app, runs), timeout)
test('REST as an editor', () => fuzzRest(() => fuzzed.editor, runs), timeout)
test('GraphQL as an anonymous user', () => fuzzGraph(() => fuzzed.app, runs), timeout)
test('GraphQL as an editor', () => fuzzGraph(() => fuzzed.editor, runs), timeout)
