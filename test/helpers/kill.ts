// Kills a service during writes, restarts it, and checks the database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { migratedDatabaseUrl } from './db.ts'
import { startService } from './process.ts'
import { type Ledger, openLedger } from './write-ledger.ts'

const writers = 10
const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`

/** Creates events until the service is killed. */
async function write(ledger: Ledger, url: string, writer: string): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      await ledger.write(url, authorization, `${writer} ${n}`)
    } catch (error) {
      if (isUnanswered(error)) return
      throw error
    }
  }
}

/** Errors of `fetch` for a refused or lost connection, also during a response. */
const isUnanswered = (error: unknown) => error instanceof TypeError || error instanceof SyntaxError

export interface Killed {
  readonly acknowledged: number
  /** The slowest start until the service was ready, in milliseconds. */
  readonly slowestStart: number
}

/** Expects that acknowledged writes are stored after `kills` kills, and that no write is partial. */
export async function killWhileWriting(kills: number): Promise<Killed> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-writes-'))
  const { url: DATABASE_URL, drop } = await migratedDatabaseUrl(join(folder, 'db'))
  const env = { DATABASE_URL, SEED: 'off', ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
  const ledger = openLedger()
  const starts: number[] = []
  const start = async () => {
    const begun = Date.now()
    const service = await startService(env)
    await service.ready()
    starts.push(Date.now() - begun)
    return service
  }
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await start()
    const before = ledger.stored()
    const writing = Promise.all(
      Array.from({ length: writers }, (_, index) => write(ledger, service.url, `${kill}.${index}`)),
    )
    const enough = async () => {
      while (ledger.stored() < before + 2 * writers) await setTimeout(10)
    }
    await Promise.race([enough(), writing])
    await setTimeout((kill * 37) % 400)
    service.child.kill('SIGKILL')
    await writing
    await service.ended
  }
  const service = await start()
  await ledger.expectStored(service.url)
  service.child.kill('SIGKILL')
  await service.ended
  await drop()
  rmSync(folder, { recursive: true })
  return { acknowledged: ledger.stored(), slowestStart: Math.max(...starts) }
}
