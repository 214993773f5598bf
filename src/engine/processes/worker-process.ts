// This process as a worker: what the supervisor sends it, and what it reports.
import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MessageToSupervisor, MessageToWorker, Metrics, StopReason, WorkerRole } from './messages.ts'

export interface WorkerProcess extends WorkerRole {
  /** Whether this worker does the work that runs once for each start of the service. */
  readonly isLeader: boolean
  /** Resolves when the supervisor allows this worker to serve requests. */
  readonly mayOpen: Promise<void>
  /** Calls `listener` when the supervisor stops this worker, or has ended. It replaces an earlier listener. */
  onStop(listener: (reason: StopReason) => void): void
  onMessage(listener: (message: MessageToWorker) => void): void
  send(message: MessageToSupervisor): Promise<void>
}

export function joinSupervisor(): WorkerProcess {
  const role: WorkerRole = JSON.parse(process.argv.at(-1) ?? '')
  const { promise: mayOpen, resolve: open } = Promise.withResolvers<void>()
  let stop: (reason: StopReason) => void = () => process.exit(0)
  process.on('message', (message: MessageToWorker) => {
    if (message.type === 'open') open()
    if (message.type === 'stop') stop(message.reason)
  })
  cluster.worker?.once('disconnect', () => {
    // Otherwise Node would end this process at once, with its requests.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    stop('orphaned')
  })
  // A message that cannot be sent because the supervisor has ended.
  cluster.worker?.on('error', () => {})
  // Sent to all processes of a terminal. The supervisor handles it.
  process.on('SIGHUP', () => {})
  return {
    ...role,
    isLeader: role.number === 1,
    mayOpen,
    onStop: (listener) => {
      stop = listener
    },
    onMessage: (listener) => process.on('message', listener),
    send,
  }
}

/** Resolves when the message is sent, or cannot be sent because the supervisor has ended. */
function send(message: MessageToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}

// Metrics of all workers: each one answers `/metrics` for all of them.

/** The metrics of all workers, as text for Prometheus. */
export interface SharedMetrics {
  readonly number: number
  collectMetrics(): Promise<string>
}

/** Adds the metrics of this worker to those that others collect, and collects theirs. */
export function joinMetrics(worker: WorkerProcess, registry: Registry): SharedMetrics {
  const pending = new Map<number, (metrics: readonly Metrics[]) => void>()
  let lastId = 0
  worker.onMessage((message) => {
    if (message.type === 'getMetrics') void sendMetrics(worker, registry, false)
    if (message.type !== 'collected') return
    pending.get(message.id)?.(message.metrics)
    pending.delete(message.id)
  })
  return {
    number: worker.number,
    async collectMetrics() {
      lastId += 1
      const { promise, resolve } = Promise.withResolvers<readonly Metrics[]>()
      pending.set(lastId, resolve)
      await worker.send({ type: 'collectMetrics', id: lastId })
      return AggregatorRegistry.aggregate([...(await promise)]).metrics()
    },
  }
}

/** Sends the metrics of this worker to the supervisor. */
export async function sendMetrics(worker: WorkerProcess, registry: Registry, isLast: boolean): Promise<void> {
  await worker.send({ type: 'metrics', metrics: await registry.getMetricsAsJSON(), isLast })
}
