// Queue of password checks, which run one after another, so that each failure counts before the next check.
import { tooBusyError } from '../../basics/errors.ts'
import { networkOf } from './login-throttle.ts'

interface QueuedJob {
  readonly network: string
  /** The job with the lowest priority number runs first. */
  readonly priority: number
  readonly enqueuedAt: number
  start(): void
  reject(error: Error): void
}

const defaultMaxJobs = 500

/** Creates a queue. `maxWait` is the maximum time, in milliseconds, that a job may wait. */
export function createHashQueue(maxWait: number, maxJobs = defaultMaxJobs) {
  /** Waiting jobs, sorted by priority, then by arrival. */
  const queue: QueuedJob[] = []
  let runningNetwork: string | undefined

  const enqueue = (network: string, failures: number) =>
    new Promise<void>((start, reject) => {
      const queued = queue.filter((job) => job.network === network).length
      const priority = failures + queued + (runningNetwork === network ? 1 : 0)
      const index = queue.findLastIndex((job) => job.priority <= priority) + 1
      queue.splice(index, 0, { network, priority, enqueuedAt: performance.now(), start, reject })
      if (queue.length > maxJobs) queue.pop()?.reject(tooBusyError())
    })

  const startNext = () => {
    for (;;) {
      const job = queue.shift()
      runningNetwork = job?.network
      if (!job) return
      if (performance.now() - job.enqueuedAt <= maxWait) return job.start()
      job.reject(tooBusyError())
    }
  }

  return {
    /**
     * Queues `work`. Jobs of networks with few recent `failures` and few waiting jobs run first. Throws tooBusyError when the job
     * waits too long or the queue is full.
     */
    async run<Result>(address: string, failures: number, work: () => Promise<Result>): Promise<Result> {
      const network = networkOf(address)
      if (runningNetwork === undefined) runningNetwork = network
      else await enqueue(network, failures)
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}
