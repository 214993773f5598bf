// The supervisor process: starts worker processes that share a TCP port, and replaces workers that end. It serves no requests.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  type MessageToSupervisor,
  type MessageToWorker,
  replacedByNewWorker,
  type StopReason,
  type WorkerRole,
} from './messages.ts'
import { createMetricsCollector } from './metrics-collector.ts'

export interface SupervisorOptions {
  /** Number of worker processes. */
  readonly workers: number
  /** Milliseconds after which a replaced worker is killed if it has not ended by itself. */
  readonly replaceTimeoutMs: number
  /** Called before the workers start, and before all workers are replaced. Prepares what they need. */
  prepare(): Promise<void>
  /** Called when all workers serve requests. */
  onReady(): void
}

/** Milliseconds that a worker must have run to be replaced without a pause after it ended. */
const stableAge = 10_000

/** Longest pause, in milliseconds, before the replacement of a worker that repeatedly ended soon after its start. */
const maxPause = 30_000

/** Milliseconds after which a stopping worker is killed if it has not ended by itself. */
const stopTimeout = 9800

/** A numbered place for a worker. When a worker ends, its replacement takes the same place. */
interface Slot {
  readonly number: number
  worker: Worker | undefined
  /** Number of consecutive workers in this place that ended soon after their start. */
  failures: number
  /** Set while SIGHUP replaces the worker. Settles when the new worker has taken over, or could not start. */
  replacement: Promise<void> | undefined
}

/** Starts the workers, and resolves when all of them serve requests. Throws an error if a worker cannot start. */
export async function superviseWorkers({
  workers,
  replaceTimeoutMs,
  prepare,
  onReady,
}: SupervisorOptions): Promise<void> {
  const collectFrom = createMetricsCollector()
  let isStopping = false
  // True during the start, so that a SIGHUP waits until the start is complete.
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

  const fork = (number: number, listensEarly = false): Started => {
    const started = startWorker({ number, listensEarly })
    collectFrom(started.worker)
    return started
  }

  /** Makes the worker the current one of its slot, and replaces it when its process ends. */
  const keep = (slot: Slot, { worker, ended }: Started): void => {
    const startedAt = performance.now()
    slot.worker = worker
    ended.catch(async ({ message }: Error) => {
      if (slot.worker !== worker || isStopping) return
      slot.worker = undefined
      slot.failures = performance.now() - startedAt < stableAge ? slot.failures + 1 : 0
      const pause = slot.failures === 0 ? 0 : Math.min(maxPause, 250 * 2 ** (slot.failures - 1))
      console.error(
        `Worker ${slot.number} (process ${worker.process.pid}): ${message} A new process replaces the worker in ${pause} ms.`,
      )
      await setTimeout(pause)
      await slot.replacement?.catch(() => {})
      if (isStopping || slot.worker) return
      const next = fork(slot.number)
      keep(slot, next)
      next.ready.then(() => console.log(`Worker ${slot.number} was replaced by process ${next.worker.process.pid}.`))
      send(next.worker, { type: 'open' })
    })
  }

  /** Starts the first worker before the others, because the first worker also adds initial data to the database. */
  const startAll = async (): Promise<Started[]> => {
    const all = Array.from({ length: workers }, (_, index) => fork(index + 1, index === 0))
    const open = async () => {
      await prepare()
      for (const [index, { worker, ready }] of all.entries()) {
        send(worker, { type: 'open' })
        if (index === 0) await ready
      }
      await Promise.all(all.map(({ ready }) => ready))
    }
    await Promise.race([open(), ...all.map(({ ended }) => ended)])
    return all
  }

  /** Replaces all workers, one after the other, as often as it is requested. */
  const roll = async (): Promise<void> => {
    isRolling = true
    while (isRequested && !isStopping) {
      isRequested = false
      try {
        await prepare()
        for (const slot of slots) if (!isStopping) await replace(slot)
        console.log('All workers were replaced.')
      } catch (error) {
        const reason = error instanceof Error ? error.message : error
        if (!isStopping) console.error(`The remaining workers were not replaced: ${reason}`)
      }
    }
    isRolling = false
  }

  const replace = async (slot: Slot): Promise<void> => {
    const old = slot.worker
    // Without a worker in this place, its replacement is already starting.
    if (!old) return
    const next = fork(slot.number)
    send(next.worker, { type: 'open' })
    slot.replacement = Promise.race([next.ready, next.ended]).then(() => {
      slot.failures = 0
      keep(slot, next)
    })
    await slot.replacement.finally(() => {
      slot.replacement = undefined
    })
    await end([old], replacedByNewWorker, replaceTimeoutMs)
  }

  const slots: Slot[] = []
  try {
    for (const started of await startAll()) {
      const slot = { number: slots.length + 1, worker: undefined, failures: 0, replacement: undefined }
      slots.push(slot)
      keep(slot, started)
    }
  } catch (error) {
    if (isStopping) return
    isStopping = true
    // Workers can be killed, because the start failed before any request was served.
    for (const worker of runningWorkers()) worker.process.kill('SIGKILL')
    throw error
  }
  onReady()
  void roll()
}

interface Started {
  readonly worker: Worker
  /** Resolves when the worker serves requests. */
  readonly ready: Promise<void>
  /** Rejects with the reason when the process of the worker ends. */
  readonly ended: Promise<never>
}

function startWorker(role: WorkerRole): Started {
  // Serialization 'advanced' keeps NaN, which metrics can contain, and JSON would not.
  cluster.setupPrimary({ args: [JSON.stringify(role)], serialization: 'advanced' })
  const worker = cluster.fork()
  // node:cluster could not send a message because the worker has ended. `ended` reports that the process was not created.
  worker.on('error', () => {})
  let failure: string | undefined
  const ready = Promise.withResolvers<void>()
  worker.on('message', (message: MessageToSupervisor) => {
    if (message.type === 'ready') ready.resolve()
    if (message.type === 'failed') failure = message.message
  })
  const ended = once(worker, 'exit').then(([code, signal]) => {
    throw new Error(
      failure ?? (signal ? `The process was ended by ${signal}.` : `The process ended with exit code ${code}.`),
    )
  })
  // Handled here, because not every caller waits for `ended`, and Node would report an unhandled rejection.
  ended.catch(() => {})
  return { worker, ready: ready.promise, ended }
}

/** Sends a message to a worker, unless the worker has ended. */
function send(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => {})
}

const runningWorkers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const stopWorkers = (reason: StopReason) => end(runningWorkers(), reason, stopTimeout)

/** Stops workers, and kills those that do not respond. */
async function end(workers: readonly Worker[], reason: StopReason, timeoutMs: number): Promise<void> {
  const running = workers.filter((worker) => !worker.isDead())
  const all = Promise.all(running.map((worker) => once(worker, 'exit')))
  for (const worker of running) send(worker, { type: 'stop', reason })
  await Promise.race([all, setTimeout(timeoutMs, undefined, { ref: false })])
  for (const worker of running) if (!worker.isDead()) worker.process.kill('SIGKILL')
}
