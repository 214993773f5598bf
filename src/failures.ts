// How often somebody may fail to sign in. Successes don't count: only guessing is slowed down.
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { tooManyFailures } from './errors.ts'

/** Who tries: from where, and as whom where that is said. */
export interface Attempt {
  readonly address: string
  readonly login?: string | undefined
}

export interface Failures {
  /** Throws tooManyFailures for who failed too often in the last minute. */
  check(attempt: Attempt): Promise<void>
  count(attempt: Attempt): Promise<void>
}

const duration = 60

export function createFailures(perLogin = 10, perAddress = 50): Failures {
  const byLogin = new RateLimiterMemory({ points: perLogin, duration })
  const byAddress = new RateLimiterMemory({ points: perAddress, duration })
  const applied = ({ address, login }: Attempt) => {
    const place = network(address)
    const limits = [{ limiter: byAddress, key: place }]
    if (login !== undefined) limits.push({ limiter: byLogin, key: `${place} ${login}` })
    return limits
  }
  return {
    async check(attempt) {
      for (const { limiter, key } of applied(attempt)) {
        const state = await limiter.get(key)
        if (state && state.consumedPoints >= limiter.points) throw tooManyFailures(Math.ceil(state.msBeforeNext / 1000))
      }
    },
    async count(attempt) {
      for (const { limiter, key } of applied(attempt)) await limiter.penalty(key)
    },
  }
}

/** What one sender can't change at will: of an IPv6 address only the first half. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
