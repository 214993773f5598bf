import { DomainError } from '../../errors.ts'

interface Wait {
  readonly maxWait: number
  readonly signal?: AbortSignal | undefined
}

interface Queue {
  /**
   * Runs `work` after all work before it, unless the signal is aborted meanwhile. Throws UNAVAILABLE if it would wait longer
   * than `maxWait` milliseconds.
   */
  run<Result>(options: Wait, work: () => Promise<Result>): Promise<Result>
}

/** Runs work one after another. */
export function createQueue({ maxWaiting }: { readonly maxWaiting: number }): Queue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async run({ maxWait, signal }, work) {
      if (waiting >= maxWaiting) throw tooMany()
      const start = performance.now()
      waiting += 1
      const turn = last.then(() => {
        waiting -= 1
        signal?.throwIfAborted()
        if (performance.now() - start > maxWait) throw tooMany()
        return work()
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

const tooMany = () =>
  new DomainError('UNAVAILABLE', 'Too many images are being processed. Retry in 10 seconds.', { retryAfter: 10 })
