// How often somebody may send a wrong secret. Successes don't count: only guessing is slowed down.
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { tooManyFailures } from '../errors.ts'

/** Who tries: from where, as whom where that is said, or to open which records. */
export interface Attempt {
  readonly address: string
  readonly login?: string | undefined
  readonly records?: readonly string[]
}

export interface LoginThrottle {
  /** Throws tooManyFailures for who failed too often in the last minute. */
  check(attempt: Attempt): Promise<void>
  countFailure(attempt: Attempt, points?: number): Promise<void>
  /** The points that count against the address now. */
  recentFailures(address: string): Promise<number>
}

const duration = 60

export function createLoginThrottle(perTarget = 10, perAddress = 50): LoginThrottle {
  const perTargetLimiter = new RateLimiterMemory({ points: perTarget, duration })
  const perAddressLimiter = new RateLimiterMemory({ points: perAddress, duration })
  const limitersOf = ({ address, login, records = [] }: Attempt) => {
    const place = networkOf(address)
    const targets = login === undefined ? records : [login]
    return [
      { limiter: perAddressLimiter, key: place },
      ...targets.map((target) => ({ limiter: perTargetLimiter, key: `${place} ${target}` })),
    ]
  }
  return {
    async check(attempt) {
      for (const { limiter, key } of limitersOf(attempt)) {
        const state = await limiter.get(key)
        if (state && state.consumedPoints >= limiter.points) throw tooManyFailures(Math.ceil(state.msBeforeNext / 1000))
      }
    },
    async countFailure(attempt, points = 1) {
      for (const { limiter, key } of limitersOf(attempt)) await limiter.penalty(key, points)
    },
    recentFailures: async (address) => (await perAddressLimiter.get(networkOf(address)))?.consumedPoints ?? 0,
  }
}

/** What one sender can't change at will: of an IPv6 address only the first half. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
