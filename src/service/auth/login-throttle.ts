// Limits failed sign-in attempts per minute. Successful attempts do not count.
import ipaddr from 'ipaddr.js'
import { tooManyFailuresError } from '../../basics/errors.ts'
import { type CounterStore, memoryCounters } from '../../engine/postgres/rate-limit-counters.ts'

/** An attempt to sign in as `login`, or to open protected records with a password. */
export interface LoginAttempt {
  readonly address: string
  readonly login?: string | undefined
  readonly records?: readonly string[]
  /** The API, and the ID of the request, for the log of sign-ins. */
  readonly source?: string | undefined
  readonly requestId?: string | undefined
}

/** Maximum failures per minute: of an address for one login, and of an address in total. */
const signInFailures = { perTarget: 10, perAddress: 50 } as const

/** Creates a throttle. `name` distinguishes its counters from those of other throttles. */
export function createLoginThrottle(
  counters: CounterStore = memoryCounters,
  name = 'sign-in',
  { perTarget, perAddress }: { readonly perTarget: number; readonly perAddress: number } = signInFailures,
) {
  const perTargetLimiter = counters(`${name} target`, perTarget)
  const perAddressLimiter = counters(`${name} address`, perAddress)
  const limitersOf = ({ address, login, records = [] }: LoginAttempt) => {
    const network = networkOf(address)
    const targets = login === undefined ? records : [login]
    return [
      { limiter: perAddressLimiter, key: network },
      ...targets.map((target) => ({ limiter: perTargetLimiter, key: `${network} ${target}` })),
    ]
  }
  return {
    /** Throws tooManyFailuresError if this address, or this address and target, failed too often in the last minute. */
    async check(attempt: LoginAttempt): Promise<void> {
      for (const { limiter, key } of limitersOf(attempt)) {
        const state = await limiter.get(key)
        if (state && state.consumedPoints >= limiter.points)
          throw tooManyFailuresError(Math.ceil(state.msBeforeNext / 1000))
      }
    },
    async countFailure(attempt: LoginAttempt, points = 1): Promise<void> {
      for (const { limiter, key } of limitersOf(attempt)) await limiter.penalty(key, points)
    },
    /** Returns the place of an address in a queue of password checks: after failures in the last minute, others come first. */
    async placeOf(address: string) {
      const client = networkOf(address)
      return { client, penalty: (await perAddressLimiter.get(client))?.consumedPoints ?? 0 }
    },
  }
}

/** Returns the network of an IP address, so that a client cannot avoid limits: the first `bits` of IPv6, the whole IPv4. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, bits / 16)
        .map((part) => part.toString(16))
        .join(':')}::/${bits}`
    : parsed.toString()
}
