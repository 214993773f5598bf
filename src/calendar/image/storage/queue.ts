import PQueue from 'p-queue'
import { DomainError } from '../../../basics/errors.ts'

export interface QueuedTask {
  /** Identifies the client, such as by user ID. */
  readonly client?: unknown
  readonly maxWaitMs: number
  readonly signal?: AbortSignal | undefined
}

interface Limits {
  /** Length of the queue. When it is full, only clients without queued work can add work. */
  readonly maxWaiting: number
  /** Maximum queued and running work of one client. */
  readonly maxOfClient: number
}

/**
 * Runs tasks one after another. The first task of each client comes before the second task of any client, so that a client with
 * many tasks delays others by one task.
 */
export function createFairQueue({ maxWaiting, maxOfClient }: Limits) {
  const queue = new PQueue({ concurrency: 1 })
  const counts = new Map<unknown, number>()
  return {
    /**
     * Runs `work` when its turn comes, unless the signal is aborted meanwhile. Throws UNAVAILABLE if it would wait longer than
     * `maxWaitMs`, or if too much is waiting.
     */
    async run<Result>({ client, maxWaitMs, signal }: QueuedTask, work: () => Promise<Result>): Promise<Result> {
      const own = counts.get(client) ?? 0
      if (own >= maxOfClient || (own > 0 && queue.size >= maxWaiting)) throw tooMany()
      const start = performance.now()
      const turn = () => {
        signal?.throwIfAborted()
        if (performance.now() - start > maxWaitMs) throw tooMany()
        return work()
      }
      counts.set(client, own + 1)
      try {
        return await queue.add(turn, { priority: -own })
      } finally {
        const left = (counts.get(client) ?? 1) - 1
        if (left > 0) counts.set(client, left)
        else counts.delete(client)
      }
    },
  }
}

const tooMany = () =>
  new DomainError('UNAVAILABLE', 'Too many images are being processed. Retry in 10 seconds.', { retryAfter: 10 })
