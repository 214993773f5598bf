// How much one client may ask of the service in a minute.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Viewer } from '../content/rights.ts'
import type { Settings } from '../env.ts'
import { tooManyRequests } from '../errors.ts'
import { network } from '../failures.ts'

/** Who asks: somebody who is signed in, or an address. */
export interface Client {
  readonly viewer: Viewer | undefined
  readonly address: string
}

export interface Rates {
  /** Throws tooManyRequests for who wrote too much lately. */
  write(client: Client, times?: number): Promise<void>
  /** The same for reading; what is not a query of its own costs as much as a usual one. */
  read(client: Client, cost?: number): Promise<void>
}

const duration = 60
const usualCost = 100

/** As many writes in a minute as RATE_LIMIT says, and reading that costs as much as so many of the costliest queries. */
export function createRates({ rateLimit, queryCostMax }: Pick<Settings, 'rateLimit' | 'queryCostMax'>): Rates {
  if (rateLimit === 0) return { write: async () => {}, read: async () => {} }
  const writes = new RateLimiterMemory({ points: rateLimit, duration })
  const reads = new RateLimiterMemory({ points: rateLimit * Math.max(queryCostMax, usualCost), duration })
  return {
    write: (client, times = 1) => consume(writes, client, times, 'written'),
    read: (client, cost = usualCost) => consume(reads, client, cost, 'asked'),
  }
}

async function consume(limiter: RateLimiterMemory, client: Client, points: number, verb: string): Promise<void> {
  const { viewer, address } = client
  try {
    await limiter.consume(viewer ? `viewer ${viewer.id}` : network(address), points)
  } catch (state) {
    const { msBeforeNext } = state as { msBeforeNext?: number }
    if (msBeforeNext === undefined) throw state
    throw tooManyRequests(verb, Math.max(1, Math.ceil(msBeforeNext / 1000)))
  }
}
