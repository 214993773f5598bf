// Bounds how many bytes all operations hold at once: an operation waits until there is room for its bytes.
import { DomainError } from '../errors.ts'

export interface ByteSemaphore {
  /** Resolves when there is room. Throws after `patience` milliseconds without. */
  acquire(bytes: number, patience: number): Promise<void>
  /** More for a holder, without waiting: others may wait for what it holds. */
  add(bytes: number): void
  release(bytes: number): void
}

interface Waiting {
  readonly bytes: number
  start(): void
}

export function createByteSemaphore(max: number): ByteSemaphore {
  const waiting: Waiting[] = []
  let held = 0

  const startNext = () => {
    for (;;) {
      const [first] = waiting
      // What is larger than all the room starts when it is alone.
      if (!first || (held > 0 && held + first.bytes > max)) return
      waiting.shift()
      held += first.bytes
      first.start()
    }
  }

  return {
    acquire: (bytes, patience) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(tooManyLongTexts())
          startNext()
        }
        const timer = setTimeout(giveUp, patience)
        const start = () => {
          clearTimeout(timer)
          resolve()
        }
        const entry: Waiting = { bytes, start }
        waiting.push(entry)
        startNext()
      }),
    add(bytes) {
      held += bytes
    },
    release(bytes) {
      held -= bytes
      startNext()
    },
  }
}

const tooManyLongTexts = () =>
  new DomainError('UNAVAILABLE', 'Too many answers with long texts are under way; try again in 5 s.', { retryAfter: 5 })
