// How much one client may ask of the service in a minute.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOf } from '../auth/login-throttle.ts'
import type { Client, RateLimits } from '../context.ts'
import type { Settings } from '../env.ts'
import { tooManyRequests } from '../errors.ts'

const duration = 60
const defaultCost = 100

/** As many writes in a minute as RATE_LIMIT says, and reading that costs as much as so many of the costliest queries. */
export function createRateLimits({
  rateLimit,
  queryCostMax,
}: Pick<Settings, 'rateLimit' | 'queryCostMax'>): RateLimits {
  if (rateLimit === 0) return { write: async () => {}, read: async () => {} }
  const writes = new RateLimiterMemory({ points: rateLimit, duration })
  const reads = new RateLimiterMemory({ points: rateLimit * Math.max(queryCostMax, defaultCost), duration })
  return {
    write: (client, times = 1) => consume(writes, client, times, 'written'),
    read: (client, cost = defaultCost) => consume(reads, client, cost, 'asked'),
  }
}

async function consume(limiter: RateLimiterMemory, client: Client, points: number, verb: string): Promise<void> {
  const { viewer, address } = client
  try {
    await limiter.consume(viewer ? `viewer ${viewer.id}` : networkOf(address), points)
  } catch (state) {
    const { msBeforeNext } = state as { msBeforeNext?: number }
    if (msBeforeNext === undefined) throw state
    throw tooManyRequests(verb, Math.max(1, Math.ceil(msBeforeNext / 1000)))
  }
}
