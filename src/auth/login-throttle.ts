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

export interface Failures {
  /** Throws tooManyFailures for who failed too often in the last minute. */
  check(attempt: Attempt): Promise<void>
  count(attempt: Attempt, points?: number): Promise<void>
  /** The points that count against the address now. */
  recent(address: string): Promise<number>
}

const duration = 60

export function createFailures(perTarget = 10, perAddress = 50): Failures {
  const byTarget = new RateLimiterMemory({ points: perTarget, duration })
  const byAddress = new RateLimiterMemory({ points: perAddress, duration })
  const applied = ({ address, login, records = [] }: Attempt) => {
    const place = network(address)
    const targets = login === undefined ? records : [login]
    return [
      { limiter: byAddress, key: place },
      ...targets.map((target) => ({ limiter: byTarget, key: `${place} ${target}` })),
    ]
  }
  return {
    async check(attempt) {
      for (const { limiter, key } of applied(attempt)) {
        const state = await limiter.get(key)
        if (state && state.consumedPoints >= limiter.points) throw tooManyFailures(Math.ceil(state.msBeforeNext / 1000))
      }
    },
    async count(attempt, points = 1) {
      for (const { limiter, key } of applied(attempt)) await limiter.penalty(key, points)
    },
    recent: async (address) => (await byAddress.get(network(address)))?.consumedPoints ?? 0,
  }
}

/** What one sender can't change at will: of an IPv6 address only the first half. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
