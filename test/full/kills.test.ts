// KILLS=1000 npx vitest run --mode full test/full/kills.test.ts: as often as wanted.
import { expect, test } from 'vitest'
import { killWhileWriting } from '../helpers/kill.ts'

const kills = Number(process.env.KILLS ?? 100)

test(`what was acknowledged is there after ${kills} kills, and nothing is half-written`, {
  timeout: kills * 60_000,
}, async () => {
  const killed = await killWhileWriting(kills)
  console.log(`${kills} kills, ${killed.acknowledged} writes, slowest start ${killed.slowestStart} ms`)
  expect(killed.acknowledged).toBeGreaterThanOrEqual(kills * 20)
})
