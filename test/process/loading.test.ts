// What a start loads: modules are most of the time it takes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { startService } from '../helpers/process.ts'

let folder: string
let database: Awaited<ReturnType<typeof emptyDatabaseUrl>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-loading-'))
  database = await emptyDatabaseUrl(join(folder, 'db'))
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Prints what is loaded. */
const hooks = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + ' '), next(url, context)) })`

/** The packages and modules that a process loads until it has answered a list. */
async function loadedByStart(): Promise<string> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`
  const service = await startService({ DATABASE_URL: database.url, SEED: 'off', NODE_OPTIONS })
  try {
    await service.ready()
    expect((await fetch(`${service.url}/cal/events/v1/events`)).status).toBe(200)
  } finally {
    service.child.kill('SIGKILL')
    await service.ended
  }
  return service.output()
}

test('a start on a database that is there loads no engine of migrations, and nothing that few requests need', async () => {
  const rare = ['schema-engine', 'undici', 'jose', 'sanitize-html', 'swagger-ui', '@fastify/ajv-compiler', 'commander']
  expect(await loadedByStart()).toMatch(/db\/schema-engine\.ts/)
  const again = await loadedByStart()
  expect(again).toMatch(/db\/migrate\.ts.*node_modules\/fastify\//s)
  for (const name of rare) expect(again).not.toMatch(new RegExp(`loaded \\S*(src/db|node_modules)/${name}`))
})
