// A short fuzz test of every parameter and argument. The long one is in test/full.
import { afterAll, beforeAll, test } from 'vitest'
import { fuzzGraph, fuzzRest, openFuzzed } from '../helpers/fuzz-run.ts'

let fuzzed: Awaited<ReturnType<typeof openFuzzed>>
beforeAll(async () => {
  fuzzed = await openFuzzed()
})
afterAll(() => fuzzed?.app.close())

test('every random REST request of a visitor gets a documented response', () => fuzzRest(() => fuzzed.app, 60))
test('every random REST request of an editor gets a documented response', () => fuzzRest(() => fuzzed.editor, 60))
test('no random GraphQL request of a visitor causes an internal error', () => fuzzGraph(() => fuzzed.app, 60))
test('no random GraphQL request of an editor causes an internal error', () => fuzzGraph(() => fuzzed.editor, 60))
