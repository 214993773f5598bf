// A semaphore that limits the bytes that all operations hold at a time. Operations wait until enough are released.
import { startDeadline } from '../../basics/deadline.ts'
import { DomainError } from '../../basics/errors.ts'

export interface ByteSemaphore {
  /**
   * Resolves when the bytes are reserved for the operation. Throws UNAVAILABLE after `maxWait` milliseconds. Operations that
   * hold bytes come first, and the oldest of them never waits: if all waited for each other, none would release any.
   */
  acquire(operation: object, bytes: number, maxWait: number): Promise<void>
  /** Releases all bytes of the operation. */
  release(operation: object): void
}

interface QueuedRequest {
  readonly operation: object
  readonly bytes: number
  start(): void
}

export function createByteSemaphore(max: number): ByteSemaphore {
  const queue: QueuedRequest[] = []
  /** Bytes by operation, the oldest first. */
  const held = new Map<object, number>()
  let reserved = 0

  const canStart = ({ operation, bytes }: QueuedRequest) => {
    const [oldest = operation] = held.keys()
    return operation === oldest || reserved + bytes <= max
  }

  const findNext = (): QueuedRequest | undefined => {
    const ofHolders = queue.filter(({ operation }) => held.has(operation))
    return (ofHolders.length > 0 ? ofHolders : queue.slice(0, 1)).find(canStart)
  }

  const startNext = () => {
    for (let next = findNext(); next; next = findNext()) {
      queue.splice(queue.indexOf(next), 1)
      reserved += next.bytes
      held.set(next.operation, (held.get(next.operation) ?? 0) + next.bytes)
      next.start()
    }
  }

  return {
    acquire: (operation, bytes, maxWait) =>
      new Promise((resolve, reject) => {
        const rejectLate = () => {
          queue.splice(queue.indexOf(entry), 1)
          reject(tooManyLongTexts())
          startNext()
        }
        const cancel = startDeadline(maxWait, rejectLate)
        const start = () => {
          cancel()
          resolve()
        }
        const entry: QueuedRequest = { operation, bytes, start }
        queue.push(entry)
        startNext()
      }),
    release(operation) {
      reserved -= held.get(operation) ?? 0
      held.delete(operation)
      startNext()
    },
  }
}

const tooManyLongTexts = () =>
  new DomainError('UNAVAILABLE', 'Too many responses with long texts are in progress. Retry in 5 seconds.', {
    retryAfter: 5,
  })
