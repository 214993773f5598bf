// KILLS=1000 npx vitest run --mode full test/full/kills.test.ts sets the number of kills.
import { expect, test } from 'vitest'
import { killWhileWriting } from '../helpers/kill.ts'

const kills = Number(process.env.KILLS ?? 100)

test(`acknowledged writes are stored after ${kills} kills, and no write is partial`, {
  timeout: kills * 60_000,
}, async () => {
  const killed = await killWhileWriting(kills)
  console.log(`${kills} kills, ${killed.acknowledged} writes, slowest start ${killed.slowestStart} ms`)
  expect(killed.acknowledged).toBeGreaterThanOrEqual(kills * 20)
})
