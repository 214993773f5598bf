// The worker's side of the messages between supervisor and worker.
import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MessageToSupervisor, MessageToWorker, Metrics, StopReason, WorkerRole } from './messages.ts'

export interface WorkerProcess extends WorkerRole {
  /** Whether this worker does the work that only one of the workers does, such as removing unused images. */
  readonly isLeader: boolean
  /** Resolves when the supervisor allows this worker to serve requests. */
  readonly mayOpen: Promise<void>
  /** Calls `listener` when the supervisor stops this worker, or has ended. Replaces an earlier listener. */
  onStop(listener: (reason: StopReason) => void): void
  onMessage(listener: (message: MessageToWorker) => void): void
  send(message: MessageToSupervisor): Promise<void>
}

/** Starts to exchange messages with the supervisor of this worker process. */
export function joinSupervisor(): WorkerProcess {
  const role: WorkerRole = JSON.parse(process.argv.at(-1) ?? '')
  const { promise: mayOpen, resolve: open } = Promise.withResolvers<void>()
  let stop: (reason: StopReason) => void = () => process.exit(0)
  process.on('message', (message: MessageToWorker) => {
    if (message.type === 'open') open()
    if (message.type === 'stop') stop(message.reason)
  })
  cluster.worker?.once('disconnect', () => {
    // Otherwise Node would end this process, and its running requests, as soon as the supervisor disconnects.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    stop('orphaned')
  })
  // Ignores the error of a message that cannot be sent because the supervisor has ended.
  cluster.worker?.on('error', () => {})
  // Ignored, because a terminal sends SIGHUP to all its processes, and the supervisor handles SIGHUP.
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

// Metrics: each worker responds to `/metrics` with the metrics of all workers.

/** Access to the metrics of all workers. */
export interface SharedMetrics {
  readonly number: number
  collectMetrics(): Promise<string>
}

/** Sends the metrics of this worker on request, and returns the access to the metrics of all workers. */
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
