// Rate limits per client and minute.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Settings } from '../../basics/env.ts'
import { tooManyRequestsError } from '../../basics/errors.ts'
import { type CounterStore, countingPeriodSeconds } from '../../engine/postgres/rate-limit-counters.ts'
import { networkOf } from '../auth/login-throttle.ts'
import type { Client, RateLimits } from '../context.ts'

const defaultCost = 100

/** Parts of a limit. A process reports what a client consumed to the other processes when it consumed one more part. */
const parts = 20

/**
 * Allows RATE_LIMIT writes a minute, and reads whose total cost is that of RATE_LIMIT queries of the highest cost. With
 * `shared` counters, processes that share them allow it together.
 */
export function createRateLimits(
  { rateLimit, queryCostMax }: Pick<Settings, 'rateLimit' | 'queryCostMax'>,
  shared?: CounterStore,
): RateLimits {
  if (rateLimit === 0) return { write: async () => {}, read: async () => {} }
  const writes = createLimit('writes', rateLimit, shared)
  const reads = createLimit('reads', rateLimit * Math.max(queryCostMax, defaultCost), shared)
  return {
    write: (client, times = 1) => writes(rateLimitKey(client), times),
    read: (client, cost = defaultCost) => reads(rateLimitKey(client), cost),
  }
}

function createLimit(limited: 'reads' | 'writes', points: number, shared: CounterStore | undefined) {
  const limiter = new RateLimiterMemory({ points, duration: countingPeriodSeconds })
  const total = shared?.(limited, points)
  const part = Math.max(1, points / parts)

  /** Blocks the client in this process if all processes together have reached the limit. */
  const report = async (key: string, consumed: number): Promise<void> => {
    const state = await total?.penalty(key, consumed)
    if (state && state.consumedPoints >= points) await limiter.block(key, Math.max(1, state.msBeforeNext) / 1000)
  }

  return async (key: string, count: number): Promise<void> => {
    try {
      const { consumedPoints } = await limiter.consume(key, count)
      const newParts = Math.floor(consumedPoints / part) - Math.floor((consumedPoints - count) / part)
      // Not awaited, so that requests do not wait for the database.
      if (total && newParts > 0) report(key, newParts * part).catch(() => {})
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      throw tooManyRequestsError(limited, Math.max(1, Math.ceil(state.msBeforeNext / 1000)))
    }
  }
}

/** Returns the key of a client: of the signed-in user, or else of the network of the IP address. */
export const rateLimitKey = ({ viewer, address }: Client): string =>
  viewer ? `viewer ${viewer.id}` : networkOf(address)
