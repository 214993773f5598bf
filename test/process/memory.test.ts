// How much memory the service holds after `npm start`, without settings of Node. test/full/memory.test.ts has longer loads.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { npmStart, type StartedByNpm, sendMixed } from '../helpers/npm-start.ts'

/** Megabytes. */
const limit = inject('server') ? 400 : 600

let folder: string
let drop: () => Promise<void>
let env: Record<string, string>
let running: StartedByNpm | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-memory-'))
  const empty = await emptyDatabaseUrl(join(folder, 'data'))
  drop = empty.drop
  env = { DATABASE_URL: empty.url, SEED: 'on', IMAGES_DIR: join(folder, 'images') }
})
afterAll(async () => {
  await running?.stop()
  await drop()
  rmSync(folder, { recursive: true })
})

test('the service holds little memory after its first start with the sample, and after the next one', async () => {
  for (const _start of ['first', 'next']) {
    running = await npmStart(env)
    await sendMixed(running.url, 14)
    expect(await running.memory()).toBeLessThan(limit)
    await running.stop()
    running = undefined
  }
})
