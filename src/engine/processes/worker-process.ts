// This process as a worker: what the supervisor sends it, and what it reports.
import cluster from 'node:cluster'
import type { StopReason, ToSupervisor, ToWorker, WorkerRole } from './messages.ts'

export interface WorkerProcess extends WorkerRole {
  /** Whether it does what runs once for each start. */
  readonly isLeader: boolean
  /** Resolves when this worker may serve requests. */
  readonly mayOpen: Promise<void>
  /** Calls `listener` when the supervisor stops this worker, or has ended. It replaces an earlier listener. */
  onStop(listener: (reason: StopReason) => void): void
  onMessage(listener: (message: ToWorker) => void): void
  send(message: ToSupervisor): Promise<void>
}

export function joinSupervisor(): WorkerProcess {
  const role: WorkerRole = JSON.parse(process.argv.at(-1) ?? '')
  const { promise: mayOpen, resolve: open } = Promise.withResolvers<void>()
  let stop: (reason: StopReason) => void = () => process.exit(0)
  process.on('message', (message: ToWorker) => {
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
function send(message: ToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}
