// Kills and replaces workers while clients read and write. KILLS=100 sets the number of kills.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'
import { getAlone, isRunning, keepRequesting, killWorker, workerPids } from '../helpers/workers.ts'
import { type Ledger, openLedger } from '../helpers/write-ledger.ts'

const kills = Number(process.env.KILLS ?? 10)
const writers = 8
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`

describe.runIf(inject('server'))('workers', () => {
  let service: Service
  let drop: () => Promise<void>
  beforeAll(async () => {
    const { url, drop: dropDatabase } = await migratedDatabaseUrl('')
    drop = dropDatabase
    const administrator = { ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
    service = await startService({ DATABASE_URL: url, WORKERS: '2', ...administrator })
    while (!service.output().includes('The calendar is open')) await setTimeout(50)
  })
  afterAll(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    await drop()
  })

  /** Writes until `isOver`. Returns the number of requests without a response, which a killed worker leaves. */
  async function write(ledger: Ledger, name: string, isOver: () => boolean): Promise<number> {
    let unanswered = 0
    for (let n = 0; !isOver(); n += 1) {
      try {
        const late = setTimeout(30_000, undefined, { ref: false }).then(() => {
          throw new Error('There was no response within 30 s.')
        })
        await Promise.race([ledger.write(service.url, authorization, `${name} ${n}`), late])
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
        unanswered += 1
        await setTimeout(20)
      }
    }
    return unanswered
  }

  test(`acknowledged writes are stored after ${kills} kills of workers, and all other requests are answered`, {
    timeout: kills * 60_000 + 120_000,
  }, async () => {
    const ledger = openLedger()
    let over = false
    const writing = Array.from({ length: writers }, (_, n) => write(ledger, `writer ${n}`, () => over))
    for (let kill = 0; kill < kills; kill += 1) {
      const pids = workerPids(service)
      const [killed = 0] = pids.slice(kill % pids.length)
      await setTimeout((kill * 37) % 400)
      await killWorker(service, killed)
      const before = ledger.stored()
      while (ledger.stored() < before + 3 * writers) await setTimeout(20)
    }
    over = true
    const unanswered = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0)
    console.log(`${kills} kills, ${ledger.stored()} writes, ${unanswered} without a response`)
    await ledger.expectStored(service.url)
    // Each writer has at most one request at a worker.
    expect(unanswered).toBeLessThanOrEqual(kills * writers)
  })

  test('no request is lost while all workers are replaced three times', async () => {
    const ledger = openLedger()
    let over = false
    const events = `${service.url}/cal/events/v1/events`
    const reading = Array.from({ length: 4 }, () => keepRequesting(events))
    // These keep their connections open between requests.
    const writing = Array.from({ length: writers }, (_, n) => write(ledger, `replaced ${n}`, () => over))
    for (let round = 0; round < 3; round += 1) {
      const before = workerPids(service)
      const times = service.output().split('All workers were replaced.').length
      service.child.kill('SIGHUP')
      await expect.poll(() => service.output().split('All workers were replaced.').length).toBe(times + 1)
      expect(workerPids(service).filter((pid) => before.includes(pid))).toEqual([])
    }
    over = true
    expect(await Promise.all(writing)).toEqual(Array(writers).fill(0))
    expect((await Promise.all(reading.map((each) => each.stop()))).flat()).toEqual([])
    expect(ledger.stored()).toBeGreaterThan(writers)
  })

  test('a worker that does not respond is replaced too', async () => {
    const before = workerPids(service)
    const times = service.output().split('All workers were replaced.').length
    process.kill(before[0] ?? 0, 'SIGSTOP')
    service.child.kill('SIGHUP')
    await expect.poll(() => service.output().split('All workers were replaced.').length).toBe(times + 1)
    expect(before.filter(isRunning)).toEqual([])
  })

  test('requests in progress are answered when the supervisor is killed', async () => {
    const pids = workerPids(service)
    const pending = Promise.allSettled(
      Array.from({ length: 20 }, () => getAlone(`${service.url}/cal/events/v1/events?per_page=50`)),
    )
    await setTimeout(20)
    service.child.kill('SIGKILL')
    const statuses = (await pending).map((each) => (each.status === 'fulfilled' ? each.value.status : 0))
    // Connections that the supervisor had not passed on are lost, those of workers are not.
    expect(new Set(statuses.filter((status) => status !== 0))).toEqual(new Set([200]))
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
  })
})
