// Runs work one after another, so that a client with much work delays others little.
import PQueue from 'p-queue'
import type { DomainError } from './errors.ts'

interface QueuedTask {
  /** Identifies the client, such as by user ID or network. */
  readonly client?: unknown
  /** Counts like queued work of the client, such as a number of recent failures. */
  readonly penalty?: number
  readonly maxWaitMs: number
  readonly signal?: AbortSignal | undefined
}

interface Limits {
  /** Maximum length of the queue; twice as much for clients without work and penalty. */
  readonly maxWaiting: number
  /** Maximum queued and running work of one client. */
  readonly maxOfClient?: number
  readonly tooMany: () => DomainError
}

/** Creates a queue in which the first task of each client comes before the second task of any client. */
export function createFairQueue({ maxWaiting, maxOfClient = Number.POSITIVE_INFINITY, tooMany }: Limits) {
  const queue = new PQueue({ concurrency: 1 })
  const counts = new Map<unknown, number>()
  return {
    /** Runs `work` when its turn comes, unless the signal is aborted meanwhile. Throws `tooMany` if the queue is full, or the turn comes too late. */
    async run<Result>(
      { client, penalty = 0, maxWaitMs, signal }: QueuedTask,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const own = counts.get(client) ?? 0
      const limit = own + penalty > 0 ? maxWaiting : 2 * maxWaiting
      if (own >= maxOfClient || queue.size >= limit) throw tooMany()
      const start = performance.now()
      const turn = () => {
        signal?.throwIfAborted()
        if (performance.now() - start > maxWaitMs) throw tooMany()
        return work()
      }
      counts.set(client, own + 1)
      try {
        return await queue.add(turn, { priority: -own - penalty })
      } finally {
        const left = (counts.get(client) ?? 1) - 1
        if (left > 0) counts.set(client, left)
        else counts.delete(client)
      }
    },
  }
}
