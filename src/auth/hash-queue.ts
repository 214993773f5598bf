// Slow hashes for strangers, one after the other, so that each guess is counted before the next is tried.
import { tooBusy } from '../errors.ts'
import { network } from './login-throttle.ts'

export interface Turns {
  /**
   * Runs `work` when it is its turn: the fewer failures of the address lately and the fewer of its requests wait already, the
   * earlier. Throws tooBusy when it has to wait too long, or when too many wait whose turn comes earlier.
   */
  take<Result>(address: string, failures: number, work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  readonly place: string
  readonly rank: number
  readonly since: number
  start(): void
  refuse(error: Error): void
}

const defaultMost = 500

/** `patience` is how many milliseconds anybody waits. */
export function createTurns(patience: number, most = defaultMost): Turns {
  /** By rank; among equals, who came first goes first. */
  const waiting: Waiting[] = []
  let running: string | undefined

  const enqueue = (place: string, failures: number) =>
    new Promise<void>((start, refuse) => {
      const before = waiting.filter((other) => other.place === place).length + (running === place ? 1 : 0)
      const rank = failures + before
      const index = waiting.findLastIndex((other) => other.rank <= rank) + 1
      waiting.splice(index, 0, { place, rank, since: performance.now(), start, refuse })
      if (waiting.length > most) waiting.pop()?.refuse(tooBusy())
    })

  const next = () => {
    for (;;) {
      const first = waiting.shift()
      running = first?.place
      if (!first) return
      if (performance.now() - first.since <= patience) return first.start()
      first.refuse(tooBusy())
    }
  }

  return {
    async take(address, failures, work) {
      const place = network(address)
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
