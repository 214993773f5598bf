import { expect, test } from 'vitest'
import { killWhileWriting } from '../helpers/kill.ts'

test('what was acknowledged is there after two kills, and nothing is half-written', async () => {
  expect((await killWhileWriting(2)).acknowledged).toBeGreaterThanOrEqual(40)
})
