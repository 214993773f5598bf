// Starts WORKERS processes that share the address, and replaces those that end. Serves no requests itself.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Settings } from '../basics/env.ts'
import { migrateSite } from '../calendar/site/migrate-site.ts'
import { openDatabase } from '../engine/postgres/open-database.ts'
import { prepareServer } from '../engine/postgres/prepare-server.ts'
import { replaced } from '../service/http/operations.ts'
import { announce, migratingText } from './announce.ts'
import { closePendingAtExit } from './close-pending.ts'
import { logAddresses } from './log-addresses.ts'
import type { StopReason, ToSupervisor, ToWorker, WorkerRole } from './messages.ts'
import { createMetricsCollector } from './metrics-collector.ts'

/** Milliseconds. A worker that ran for longer is replaced without a pause. */
const stableAge = 10_000

/** Milliseconds. The longest pause before a worker is replaced that ended again and again soon after its start. */
const maxPause = 30_000

/** Milliseconds after which the workers are killed. They end by themselves before. */
const stopTimeout = 9800

/** Milliseconds beyond REQUEST_TIMEOUT after which a worker that was replaced is killed. It ends by itself before. */
const replaceTime = 10_000

/** A worker and its replacements, which have its number. There are WORKERS of them. */
interface Slot {
  readonly number: number
  worker: Worker | undefined
  /** Workers in a row that ended soon after their start. */
  failures: number
  /** Settles when the worker that SIGHUP started is the one of the slot, or could not start. */
  replacement: Promise<void> | undefined
}

/** Resolves when all workers serve requests. Throws an error if one cannot start. */
export async function supervise(settings: Settings): Promise<void> {
  // As 'advanced' keeps values such as NaN, which metrics can be.
  cluster.setupPrimary({ serialization: 'advanced' })
  const slots: Slot[] = Array.from({ length: settings.workers }, (_, index) => ({
    number: index + 1,
    worker: undefined,
    failures: 0,
    replacement: undefined,
  }))
  const collector = createMetricsCollector()
  let isStopping = false
  // Until the start is complete, a request to replace the workers waits.
  let isRolling = true
  let isRequested = false

  const stop = async (signal: 'SIGTERM' | 'SIGINT') => {
    if (isStopping) return
    isStopping = true
    await stopWorkers(signal)
    process.exit(0)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  process.on('SIGHUP', () => {
    isRequested = true
    if (!isRolling) void roll()
  })

  const fork = (slot: Slot, role: Partial<WorkerRole> = {}): Started => {
    const started = startWorker({ number: slot.number, isLeader: slot.number === 1, listensEarly: false, ...role })
    collector.add(started.worker)
    return started
  }

  /** Makes the worker the one of the slot, and replaces it when it ends. */
  const keep = (slot: Slot, { worker, message }: Started): void => {
    const startedAt = performance.now()
    slot.worker = worker
    worker.once('exit', async (code: number | null, signal: string | null) => {
      if (slot.worker !== worker || isStopping) return
      slot.worker = undefined
      slot.failures = performance.now() - startedAt < stableAge ? slot.failures + 1 : 0
      const pause = slot.failures === 0 ? 0 : Math.min(maxPause, 250 * 2 ** (slot.failures - 1))
      const reason = message() ?? describeEnd(code, signal)
      console.error(`Worker ${slot.number} (process ${worker.process.pid}): ${reason} It is replaced in ${pause} ms.`)
      await setTimeout(pause)
      await slot.replacement?.catch(() => {})
      if (isStopping || slot.worker) return
      const next = fork(slot)
      keep(slot, next)
      next.ready.then(() => console.log(`Worker ${slot.number} was replaced by process ${next.worker.process.pid}.`))
      send(next.worker, { type: 'open' })
    })
  }

  const first = slots.map((slot) => fork(slot, { listensEarly: slot.number === 1 }))
  const [leader, ...others] = first
  try {
    const failed = Promise.race(first.map(({ ended }) => ended))
    const open = async () => {
      await applyMigrations(settings)
      for (const { worker, ready } of [leader, ...others].filter((each) => each !== undefined)) {
        send(worker, { type: 'open' })
        // The leader prepares the database for the others.
        if (worker === leader?.worker) await ready
      }
      await Promise.all(first.map(({ ready }) => ready))
    }
    await Promise.race([open(), failed])
  } catch (error) {
    if (isStopping) return
    isStopping = true
    // No request has been served.
    for (const worker of runningWorkers()) worker.process.kill('SIGKILL')
    throw error
  }
  for (const [index, slot] of slots.entries()) {
    const started = first[index]
    if (started) keep(slot, started)
  }
  logAddresses(settings)
  void roll()

  /** Replaces all workers, one after the other, as often as it is requested. */
  async function roll(): Promise<void> {
    isRolling = true
    while (isRequested && !isStopping) {
      isRequested = false
      try {
        await applyMigrations(settings)
        for (const slot of slots) if (!isStopping) await replace(slot)
        console.log('All workers were replaced.')
      } catch (error) {
        const reason = error instanceof Error ? error.message : error
        if (!isStopping) console.error(`The remaining workers were not replaced: ${reason}`)
      }
    }
    isRolling = false
  }

  async function replace(slot: Slot): Promise<void> {
    const old = slot.worker
    // It ended a moment ago, and is being replaced already.
    if (!old) return
    const next = fork(slot)
    send(next.worker, { type: 'open' })
    slot.replacement = Promise.race([next.ready, next.ended]).then(() => {
      slot.failures = 0
      keep(slot, next)
    })
    await slot.replacement.finally(() => {
      slot.replacement = undefined
    })
    if (old.isDead()) return
    const ended = once(old, 'exit')
    send(old, { type: 'stop', reason: replaced })
    await Promise.race([ended, setTimeout(settings.requestTimeout + replaceTime, undefined, { ref: false })])
    // Only a process that does not respond is still there.
    if (!old.isDead()) old.process.kill('SIGKILL')
  }
}

interface Started {
  readonly worker: Worker
  /** Resolves when it serves requests. */
  readonly ready: Promise<void>
  /** Rejects when the process ends, with the reason. */
  readonly ended: Promise<never>
  /** Why it could not start, as it reported. */
  message(): string | undefined
}

function startWorker(role: WorkerRole): Started {
  const worker = cluster.fork()
  // node:cluster could not send a message because the worker has ended. `ended` reports that the process was not created.
  worker.on('error', () => {})
  closePendingAtExit(worker)
  let failure: string | undefined
  const ready = Promise.withResolvers<void>()
  worker.on('message', (message: ToSupervisor) => {
    if (message.type === 'ready') ready.resolve()
    if (message.type === 'failed') failure = message.message
  })
  const ended = once(worker, 'exit').then(([code, signal]) => {
    throw new Error(failure ?? `Worker ${role.number}: ${describeEnd(code, signal)}`)
  })
  // After the start, `keep` handles the end.
  ended.catch(() => {})
  send(worker, { type: 'role', role })
  return { worker, ready: ready.promise, ended, message: () => failure }
}

/** A worker that has ended meanwhile does not get the message. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => {})
}

const describeEnd = (code: number | null, signal: string | null) =>
  signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`

async function applyMigrations(settings: Settings): Promise<void> {
  const { databaseUrl, durability, databaseDirectUrl } = settings
  const database = await openDatabase(databaseUrl, 1, durability, databaseDirectUrl)
  try {
    await prepareServer(database, settings)
    await migrateSite(database, (count) => announce(settings, migratingText(count)))
  } finally {
    await database.close()
  }
}

const runningWorkers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

async function stopWorkers(reason: StopReason): Promise<void> {
  const workers = runningWorkers()
  const all = Promise.all(workers.map((worker) => (worker.isDead() ? undefined : once(worker, 'exit'))))
  for (const worker of workers) send(worker, { type: 'stop', reason })
  await Promise.race([all, setTimeout(stopTimeout, undefined, { ref: false })])
  for (const worker of workers) worker.process.kill('SIGKILL')
}
