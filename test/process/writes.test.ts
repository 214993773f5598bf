import { expect, test } from 'vitest'
import { killWhileWriting } from '../helpers/kill.ts'

test('acknowledged writes survive two kills, and no write is partial', async () => {
  expect((await killWhileWriting(2)).acknowledged).toBeGreaterThanOrEqual(40)
})
