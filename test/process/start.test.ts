import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { inside, openToOthers } from '../helpers/file-modes.ts'
import { type Service, startCli, startService } from '../helpers/process.ts'

let folder: string
let running: Service[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-process-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  for (const service of running) service.child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  running = []
})

async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService(env)
  running.push(service)
  return service
}

async function totals(url: string): Promise<Record<string, { totalCount: number }>> {
  const query = '{ events { totalCount } venues { totalCount } organizers { totalCount } tags { totalCount } }'
  const response = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`)
  return ((await response.json()) as { data: Record<string, { totalCount: number }> }).data
}

/** A request that the service has begun to read. Calling `end` completes it. */
async function beginRequest({ url }: Service): Promise<{ end(): Promise<number | undefined> }> {
  const body = JSON.stringify({ query: '{ events(first: 50) { nodes { title } } }' })
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const pending = request(`${url}/graphql`, { method: 'POST', headers })
  const responded = once(pending, 'response')
  pending.flushHeaders()
  await once(pending, 'continue')
  return {
    end: async () => {
      pending.end(body)
      const [response] = (await responded) as [IncomingMessage]
      response.resume()
      return response.statusCode
    },
  }
}

/** Waits until the process is live, then until it is ready or has reported `steps` times that it is not. */
async function followStart({ url }: Service, steps: number): Promise<void> {
  const status = async (path: string) => (await fetch(`${url}${path}`).catch(() => undefined))?.status
  while ((await status('/health/live')) !== 200) await setTimeout(20)
  for (let step = 0; step < steps && (await status('/health/ready')) === 503; step += 1) await setTimeout(50)
}

async function untilExists(path: string): Promise<void> {
  while (!existsSync(path)) await setTimeout(10)
}

describe('a service process', () => {
  test('starts completely after being killed during setup, loads the sample events once, has its folder alone, removes the access of other users to it, and works after a crash of the database', async () => {
    const place = join(folder, 'killed')
    const { url: DATABASE_URL, drop } = await emptyDatabaseUrl(place)
    const env = { DATABASE_URL, IMAGES_DIR: join(place, 'images'), SEED: 'on' }
    const killed: Service[] = []
    // Before the embedded database has tables; a server has no such folder.
    const moments = inject('server')
      ? [0, 25, 50].map((steps) => (service: Service) => followStart(service, steps))
      : [() => untilExists(join(place, 'pg'))]
    // What is left of a database that was being created.
    mkdirSync(join(place, 'pg.new', 'base'), { recursive: true })
    for (const reached of moments) {
      const service = await start(env)
      await reached(service)
      service.child.kill('SIGKILL')
      await service.ended
      killed.push(service)
    }
    const loaded = {
      events: { totalCount: 43 },
      venues: { totalCount: 10 },
      organizers: { totalCount: 8 },
      tags: { totalCount: 15 },
    }
    const first = await start({ ...env, NODE_OPTIONS: '--import ./test/helpers/break-database.ts' })
    await first.ready()
    expect(await totals(first.url)).toEqual(loaded)
    expect(first.output()).toContain(`${first.url.replace('127.0.0.1', 'localhost')}/graphql`)
    expect(first.output()).toContain(`${first.url.replace('127.0.0.1', 'localhost')}/docs`)
    // A process may have been killed after it had loaded the sample events. Only on a server it says that it loads them.
    const loading = 'Loading sample events.'
    if (inject('server') && !first.output().includes(loading))
      expect(killed.map((service) => service.output()).join('')).toContain(loading)
    else expect(first.output()).toContain('To remove them:\n  npm run -s cli -- sample remove\n')

    if (inject('server')) {
      first.child.kill('SIGKILL')
      await first.ended
    } else {
      const other = await start(env)
      expect(await other.ended).toBe(1)
      expect(other.output()).toMatch(/folder .*killed is in use by another process/)
      first.child.kill('SIGUSR2')
      expect(await first.ended).toBe(1)
      expect(first.output()).toContain('The embedded database has stopped')
      mkdirSync(join(place, 'images', 'a', 'b'), { recursive: true })
      writeFileSync(join(place, 'images', 'a', 'b', 'image.png'), '')
      for (const path of inside(place)) chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666)
    }

    const removed = 'Removed 43 events, 10 venues, 8 organizers, 11 categories, 15 tags, 40 images\n'
    expect(await startCli(env, 'sample', 'remove').done).toEqual({ code: 0, out: removed, err: '' })
    const last = await start(env)
    await last.ready()
    expect((await totals(last.url)).events?.totalCount).toBe(0)
    await expect.poll(() => last.output()).toMatch(/^No administrator has a password.*The calendar is open:/s)
    expect(last.output()).not.toContain('sample')
    if (!inject('server')) expect(openToOthers(place)).toEqual([])

    const underWay = await beginRequest(last)
    last.child.kill('SIGTERM')
    expect(await underWay.end()).toBe(200)
    expect(await last.ended).toBe(0)
    if (!inject('server')) expect(openToOthers(place)).toEqual([])
    await drop()
  })

  test.runIf(inject('server'))('starts together with others on one new database', async () => {
    const { url: DATABASE_URL, drop } = await emptyDatabaseUrl(folder)
    const services = await Promise.all([1, 2, 3].map(() => start({ DATABASE_URL, SEED: 'on' })))
    await Promise.all(services.map((service) => service.ready()))
    for (const { url } of services) expect((await totals(url)).events?.totalCount).toBe(43)
    for (const { child, ended } of services) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    await drop()
  })

  test('names PORT if it is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const service = await start({ DATABASE_URL: `pglite:${join(folder, 'port')}`, PORT: String(port) })
    expect(await service.ended).toBe(1)
    expect(service.output()).toBe(
      `PORT ${port} on 127.0.0.1 is in use by another process. Stop that process, or set PORT to another port, such as ${port + 1}.\n`,
    )
    other.close()
  })

  test('reports an invalid setting in one line', async () => {
    const service = await start({ DATABASE_URL: 'mysql://secret@host', PER_PAGE_MAX: 'many' })
    expect(await service.ended).toBe(1)
    const lines = service.output().trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(service.output()).toContain('PER_PAGE_MAX is "many"')
    expect(service.output()).not.toContain('secret')
  })
})
