// What service processes print about accounts. test/process/announcements.test.ts has what one prints and logs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'
import { basic } from '../helpers/users.ts'

let folder: string
let running: Service[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-accounts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => stopAll())

async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService({ SEED: 'off', LOG_LEVEL: 'trace', ...env })
  running.push(service)
  return service
}

async function stopAll(): Promise<void> {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  running = []
}

async function roleOf({ url }: Service, login: string, password: string): Promise<unknown> {
  const headers = { authorization: basic(login, password) }
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent('{ viewer { role } }')}`, { headers })
  return response.ok ? ((await response.json()) as { data: { viewer: { role: string } } }).data.viewer.role : undefined
}

const printed = (service: Service) => /login +(\S+)\n +password +(\S+)/.exec(service.output())

test.runIf(inject('server'))('of instances that start together, one tells it, and it is good at all', async () => {
  const { url: DATABASE_URL, drop } = await emptyDatabaseUrl(folder)
  const services = await Promise.all([1, 2, 3].map(() => start({ DATABASE_URL })))
  await Promise.all(services.map((service) => service.ready()))
  const results = services.map(printed).filter((match) => match !== null)
  expect(results).toHaveLength(1)
  const [, login = '', password = ''] = results[0] ?? []
  for (const service of services) expect(await roleOf(service, login, password)).toBe('ADMINISTRATOR')
  await stopAll()
  await drop()
})
