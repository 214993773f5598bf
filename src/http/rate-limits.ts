// Rate limits per client and minute.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOf } from '../auth/login-throttle.ts'
import type { Client, RateLimits } from '../context.ts'
import type { Settings } from '../env.ts'
import { tooManyRequests } from '../errors.ts'

const duration = 60
const defaultCost = 100

/** Allows RATE_LIMIT writes a minute, and reads whose total cost is that of RATE_LIMIT queries of the highest cost. */
export function createRateLimits({
  rateLimit,
  queryCostMax,
}: Pick<Settings, 'rateLimit' | 'queryCostMax'>): RateLimits {
  if (rateLimit === 0) return { write: async () => {}, read: async () => {} }
  const writes = new RateLimiterMemory({ points: rateLimit, duration })
  const reads = new RateLimiterMemory({ points: rateLimit * Math.max(queryCostMax, defaultCost), duration })
  return {
    write: (client, times = 1) => consume('writes', writes, client, times),
    read: (client, cost = defaultCost) => consume('reads', reads, client, cost),
  }
}

async function consume(
  limited: 'reads' | 'writes',
  limiter: RateLimiterMemory,
  client: Client,
  points: number,
): Promise<void> {
  try {
    await limiter.consume(clientKey(client), points)
  } catch (state) {
    const { msBeforeNext } = state as { msBeforeNext?: number }
    if (msBeforeNext === undefined) throw state
    throw tooManyRequests(limited, Math.max(1, Math.ceil(msBeforeNext / 1000)))
  }
}

/** Who a limit applies to: a signed-in user, or the network of an address. */
export const clientKey = ({ viewer, address }: Client): string => (viewer ? `viewer ${viewer.id}` : networkOf(address))
