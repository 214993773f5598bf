// The modules that a start loads: loading them takes most of its time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-loading-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints what is loaded. */
const hooks = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + ' '), next(url, context)) })`

type Prepared = Awaited<ReturnType<typeof migratedDatabaseUrl>>

/** The packages and modules that a process loads on a database until `reached` is resolved. */
async function loadedByStart({ url, drop }: Prepared, reached: (service: Service) => Promise<void>): Promise<string> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`
  const service = await startService({ DATABASE_URL: url, SEED: 'off', NODE_OPTIONS })
  try {
    await reached(service)
  } finally {
    service.child.kill('SIGKILL')
    await service.ended
    await drop()
  }
  return service.output()
}

async function listAnswered(service: Service): Promise<void> {
  await service.ready()
  expect((await fetch(`${service.url}/cal/events/v1/events`)).status).toBe(200)
}

test('a start on an existing database does not load modules that few requests need', async () => {
  const rare = ['undici', 'jose', 'sanitize-html', 'sharp', 'swagger-ui', '@fastify/ajv-compiler', 'commander']
  const again = await loadedByStart(await migratedDatabaseUrl(join(folder, 'migrated')), listAnswered)
  expect(again).toMatch(/postgres\/migrate\.ts.*node_modules\/fastify\//s)
  for (const name of rare) expect(again).not.toMatch(new RegExp(`loaded \\S*(src/db|node_modules)/${name}`))
})
