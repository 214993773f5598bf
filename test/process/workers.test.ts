// WORKERS starts several processes that share the address.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'
import { getAlone, isRunning, keepRequesting, killWorker, workerPids } from '../helpers/workers.ts'

test('the embedded database serves one process, and a start with more says so', async () => {
  const service = await startService({ DATABASE_URL: 'pglite::memory:', WORKERS: '2' })
  expect(await service.ended).toBe(1)
  expect(service.output()).toBe(
    'WORKERS is "2"; expected 1, because DATABASE_URL is the embedded database, which serves one process\n',
  )
})

// Two processes need PostgreSQL.
describe.runIf(inject('server'))('two workers', () => {
  let env: Record<string, string>
  let drop: () => Promise<void>
  let service: Service
  beforeEach(async () => {
    const { url, drop: dropDatabase } = await migratedDatabaseUrl('')
    drop = dropDatabase
    env = { DATABASE_URL: url, WORKERS: '2', DATABASE_POOL: '3', LOG_LEVEL: 'info' }
  })
  afterEach(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    await drop()
  })

  /** Waits until the addresses are printed, when all workers serve requests. */
  async function start(more: Record<string, string> = {}): Promise<void> {
    service = await startService({ ...env, ...more })
    await expect.poll(() => service.output()).toContain('The calendar is open')
  }

  const tags = () => getAlone(`${service.url}/cal/events/v1/tags`)
  const isAnswered = (line: string, text: string) => new RegExp(`^${line} (\\d+)$`, 'm').exec(text)?.[1]
  const countTags = async () => {
    const { body } = await getAlone(`${service.url}/metrics`)
    return Number(isAnswered('http_requests_total{method="GET",route="/cal/events/v1/tags",status="200"}', body))
  }

  test('share the requests, are replaced when one is killed and on SIGHUP without a lost request, and count together, wrong passwords too', async () => {
    await start()
    expect(service.output().match(/The first administrator/g)).toHaveLength(1)
    const first = workerPids(service)
    expect(first).toHaveLength(2)
    for (let n = 0; n < 10; n += 1) expect((await tags()).status).toBe(200)
    for (let n = 0; n < 2; n += 1) expect(await countTags()).toBe(10)
    const { body } = await getAlone(`${service.url}/metrics`)
    expect(isAnswered('database_connections_max', body)).toBe('6')
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('/cal/events/v1/tags'))
    const logged = lines.map((line) => JSON.parse(line) as { worker: number; pid: number })
    expect(new Set(logged.map(({ worker }) => worker))).toEqual(new Set([1, 2]))
    expect(new Set(logged.map(({ pid }) => pid))).toEqual(new Set(first))

    const wrong = { authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` }
    const attempts: (number | undefined)[] = []
    for (let n = 0; n < 12; n += 1)
      attempts.push((await getAlone(`${service.url}/graphql?query={site{name}}`, wrong)).status)
    expect(attempts).toEqual([...Array(10).fill(401), 429, 429])

    const [killed = 0, other = 0] = first
    await killWorker(service, killed)
    const second = workerPids(service)
    expect(second).toHaveLength(2)
    expect(second).toContain(other)
    expect(service.output()).toContain(`Worker 1 (process ${killed}): The process was ended by SIGKILL.`)
    for (let n = 0; n < 10; n += 1) expect((await tags()).status).toBe(200)
    expect(await countTags()).toBe(20)

    const load = keepRequesting(`${service.url}/cal/events/v1/tags`)
    service.child.kill('SIGHUP')
    await expect.poll(() => service.output()).toContain('All workers were replaced.')
    expect(await load.stop()).toEqual([])
    const third = workerPids(service)
    expect(third).toHaveLength(2)
    expect(third.filter((pid) => second.includes(pid))).toEqual([])
    expect(await countTags()).toBeGreaterThan(20)

    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(third.filter(isRunning)).toEqual([])
  })

  test('are replaced after a SIGHUP during the start, and stay two when one ends while it is replaced', async () => {
    service = await startService(env)
    await expect.poll(() => workerPids(service)).toHaveLength(2)
    const first = workerPids(service)
    service.child.kill('SIGHUP')
    const isReplaced = (times: number) => service.output().split('All workers were replaced.').length === times + 1
    await expect.poll(() => isReplaced(1)).toBe(true)
    const second = workerPids(service)
    expect(second).toHaveLength(2)
    expect(second.filter((pid) => first.includes(pid))).toEqual([])

    service.child.kill('SIGHUP')
    await expect.poll(() => workerPids(service)).toHaveLength(3)
    const [replacedNow = 0] = second
    process.kill(replacedNow, 'SIGKILL')
    await expect.poll(() => isReplaced(2)).toBe(true)
    expect(workerPids(service)).toHaveLength(2)
  })

  test('end when their supervisor is killed', async () => {
    await start()
    const pids = workerPids(service)
    service.child.kill('SIGKILL')
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
  })

  test('do not start if one cannot, and print the reason once', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    service = await startService({ ...env, PORT: String(port) })
    expect(await service.ended).toBe(1)
    expect(service.output()).toBe(
      `PORT ${port} on 127.0.0.1 is in use by another process. Stop that process, or set PORT to another port, such as ${port + 1}.\n`,
    )
    other.close()
  })
})
