// Authentication state of this process that outlives a request.
import { LRUCache } from 'lru-cache'
import type { Settings } from '../../basics/env.ts'
import type { Db } from '../../engine/postgres/client.ts'
import type { CounterStore } from '../../engine/postgres/rate-limit-counters.ts'
import { createHashQueue, type HashQueue } from './hash-queue.ts'
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts'
import { createIssuer, type Issuer } from './oidc.ts'

export interface SignIn {
  readonly loginThrottle: LoginThrottle
  readonly issuer: Issuer | undefined
  /** Chosen passwords that were verified recently, by processDigest. They need no slow hash. */
  readonly verifiedPasswords: LRUCache<string, VerifiedPassword>
  /** Runs the slow hashes of chosen passwords. */
  readonly hashQueue: HashQueue
}

/** The part of the environment that authentication needs. */
export interface SignInEnvironment {
  readonly db: Db
  readonly settings: Pick<Settings, 'oidcRoleClaim'>
  readonly signIn: SignIn
  readonly now: () => Date
}

interface VerifiedPassword {
  readonly id: number
  readonly hash: string
  readonly until: number
}

/** `counters` counts failed sign-ins. */
export function createSignIn(settings: Settings, counters?: CounterStore): SignIn {
  return {
    loginThrottle: createLoginThrottle(counters),
    issuer: createIssuer(settings),
    verifiedPasswords: new LRUCache({ max: 1000 }),
    hashQueue: createHashQueue(settings.requestTimeout),
  }
}
