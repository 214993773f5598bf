// A short fuzz test of every parameter and argument. The long one is in test/full.
import { afterAll, beforeAll, test } from 'vitest'
import { fuzzGraph, fuzzRest, openFuzzed } from '../helpers/fuzz-run.ts'

let fuzzed: Awaited<ReturnType<typeof openFuzzed>>
beforeAll(async () => {
  fuzzed = await openFuzzed()
})
afterAll(() => fuzzed?.app.close())

test('whatever a visitor sends by REST is answered as documented', () => fuzzRest(() => fuzzed.app, 150))
test('whatever an editor sends by REST is answered as documented', () => fuzzRest(() => fuzzed.editor, 150))
test('whatever a visitor asks the graph is no fault of ours', () => fuzzGraph(() => fuzzed.app, 100))
test('whatever an editor asks the graph is no fault of ours', () => fuzzGraph(() => fuzzed.editor, 150))
