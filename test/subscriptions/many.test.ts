// Many subscriptions that are opened at once, in a process that has just started.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { startService } from '../helpers/process.ts'
import { subscribe } from '../helpers/subscribe.ts'

/** The most that one client may open, in total and of different ones. */
const [total, different] = [1000, 200]

test('none of 1,000 that a client opens at once is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-many-'))
  const { url: DATABASE_URL, drop } = await migratedDatabaseUrl(join(folder, 'db'))
  const service = await startService({ DATABASE_URL, SEED: 'off', REQUEST_TIMEOUT: '600000' })
  await service.ready()
  const streams = await Promise.all(
    Array.from({ length: total }, (_, index) =>
      subscribe(service.url, { variables: { filter: { authors: [1 + (index % different)] } } }),
    ),
  )
  expect(streams.filter(({ status }) => status !== 200).map(({ results }) => results)).toEqual([])
  expect(streams.filter(({ isComplete }) => isComplete())).toEqual([])
  for (const { close } of streams) close()
  service.child.kill('SIGTERM')
  await service.ended
  await drop()
  rmSync(folder, { recursive: true })
})
