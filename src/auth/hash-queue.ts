// Slow hashes for strangers, one after the other, so that each guess is counted before the next is tried.
import { tooBusy } from '../errors.ts'
import { networkOf } from './login-throttle.ts'

export interface HashQueue {
  /**
   * Runs `work` when it is its turn: the fewer failures of the address lately and the fewer of its requests wait already, the
   * earlier. Throws tooBusy when it has to wait too long, or when too many wait whose turn comes earlier.
   */
  run<Result>(address: string, failures: number, work: () => Promise<Result>): Promise<Result>
}

interface QueuedJob {
  readonly network: string
  readonly priority: number
  readonly enqueuedAt: number
  start(): void
  reject(error: Error): void
}

const defaultMaxJobs = 500

/** `patience` is how many milliseconds anybody waits. */
export function createHashQueue(maxWait: number, maxJobs = defaultMaxJobs): HashQueue {
  /** By rank; among equals, who came first goes first. */
  const queue: QueuedJob[] = []
  let running: string | undefined

  const enqueue = (place: string, failures: number) =>
    new Promise<void>((start, refuse) => {
      const before = queue.filter((other) => other.network === place).length + (running === place ? 1 : 0)
      const rank = failures + before
      const index = queue.findLastIndex((other) => other.priority <= rank) + 1
      queue.splice(index, 0, { network: place, priority: rank, enqueuedAt: performance.now(), start, reject: refuse })
      if (queue.length > maxJobs) queue.pop()?.reject(tooBusy())
    })

  const next = () => {
    for (;;) {
      const first = queue.shift()
      running = first?.network
      if (!first) return
      if (performance.now() - first.enqueuedAt <= maxWait) return first.start()
      first.reject(tooBusy())
    }
  }

  return {
    async run(address, failures, work) {
      const place = networkOf(address)
      if (running === undefined) running = place
      else await enqueue(place, failures)
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}
