// A semaphore that limits the bytes that all operations hold at a time. Operations wait until enough are released.
import { DomainError } from '../errors.ts'

export interface ByteSemaphore {
  /** Resolves when the bytes are reserved. Throws UNAVAILABLE after `maxWait` milliseconds. */
  acquire(bytes: number, maxWait: number): Promise<void>
  /** Reserves more bytes for a holder without waiting: two waiting holders would block each other. */
  add(bytes: number): void
  release(bytes: number): void
}

interface QueuedRequest {
  readonly bytes: number
  start(): void
}

export function createByteSemaphore(max: number): ByteSemaphore {
  const queue: QueuedRequest[] = []
  let reserved = 0

  const startNext = () => {
    for (;;) {
      const [first] = queue
      // A request for more than `max` starts when nothing else is reserved.
      if (!first || (reserved > 0 && reserved + first.bytes > max)) return
      queue.shift()
      reserved += first.bytes
      first.start()
    }
  }

  return {
    acquire: (bytes, maxWait) =>
      new Promise((resolve, reject) => {
        const rejectLate = () => {
          queue.splice(queue.indexOf(entry), 1)
          reject(tooManyLongTexts())
          startNext()
        }
        const timer = setTimeout(rejectLate, maxWait)
        const start = () => {
          clearTimeout(timer)
          resolve()
        }
        const entry: QueuedRequest = { bytes, start }
        queue.push(entry)
        startNext()
      }),
    add(bytes) {
      reserved += bytes
    },
    release(bytes) {
      reserved -= bytes
      startNext()
    },
  }
}

const tooManyLongTexts = () =>
  new DomainError('UNAVAILABLE', 'Too many responses with long texts are in progress. Retry in 5 seconds.', {
    retryAfter: 5,
  })
