// What the service prints at `npm start`, and how much memory it holds then, without settings of Node. test/full/memory.test.ts
// has longer loads.
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

test('the first start with the sample says first what it does, and the service holds little memory', async () => {
  const creating = `Creating the database in ${join(folder, 'data')} and loading sample events. This first start takes up to a minute.`
  const loading = inject('server') ? 'Loading sample events.' : creating
  running = await npmStart(env)
  expect(running.printed.slice(0, 2)).toEqual([loading, 'The first administrator, shown only now:'])
  await sendMixed(running.url, 14)
  expect(await running.memory()).toBeLessThan(limit)
})
