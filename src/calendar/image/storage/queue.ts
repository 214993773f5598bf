import PQueue from 'p-queue'
import { DomainError } from '../../../basics/errors.ts'

export interface QueuedWork {
  /** Whom the work is for, such as the ID of a user. */
  readonly client?: unknown
  readonly maxWaitMs: number
  readonly signal?: AbortSignal | undefined
}

interface Limits {
  /** Beyond, only the work of clients that have none in the queue is accepted. */
  readonly maxWaiting: number
  /** Including what is running. */
  readonly maxOfClient: number
}

/**
 * Runs work one after another. The first work of each client comes before the second of any other, so that a client with much
 * work delays others by one piece.
 */
export function createQueue({ maxWaiting, maxOfClient }: Limits) {
  const queue = new PQueue({ concurrency: 1 })
  const counts = new Map<unknown, number>()
  return {
    /**
     * Runs `work` when its turn comes, unless the signal is aborted meanwhile. Throws UNAVAILABLE if it would wait longer than
     * `maxWaitMs`, or if too much is waiting.
     */
    async run<Result>({ client, maxWaitMs, signal }: QueuedWork, work: () => Promise<Result>): Promise<Result> {
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
