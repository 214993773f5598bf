import { expect, test } from 'vitest'
import { killWhileWriting } from '../helpers/kill.ts'

test('acknowledged writes survive a kill, and no write is partial', async () => {
  expect((await killWhileWriting(1)).acknowledged).toBeGreaterThanOrEqual(20)
})
