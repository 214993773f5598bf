// State that authentication keeps between requests: verified passwords, the queue of password checks, and failure counters.
import { LRUCache } from 'lru-cache'
import type { Settings } from '../../basics/env.ts'
import { tooBusyError } from '../../basics/errors.ts'
import { createFairQueue } from '../../basics/fair-queue.ts'
import type { Db } from '../../engine/postgres/client.ts'
import type { CounterStore } from '../../engine/postgres/rate-limit-counters.ts'
import { createLoginThrottle, type LoginAttempt } from './login-throttle.ts'
import { createOidcIssuer } from './oidc.ts'
import { createOidcClient } from './oidc-sign-in.ts'
import { createSignInLog } from './sign-in-log.ts'

export type SignIn = ReturnType<typeof createSignIn>

/** The services and settings that authentication needs. */
export interface SignInEnvironment {
  readonly db: Db
  readonly settings: Pick<Settings, 'oidcRoleClaim' | 'requestTimeout'>
  readonly signIn: SignIn
  readonly now: () => Date
}

interface VerifiedPassword {
  readonly id: number
  readonly hash: string
  readonly until: number
}

/** Creates the state of authentication. `counters` counts failed sign-ins. */
export function createSignIn(settings: Settings, counters?: CounterStore) {
  return {
    loginThrottle: createLoginThrottle(counters),
    /** Counts invalid sessions apart, because tabs with an ended session must not keep others from signing in. */
    sessionThrottle: createLoginThrottle(counters, 'session'),
    log: createSignInLog(),
    issuer: createOidcIssuer(settings),
    oidcClient: createOidcClient(settings),
    /** Recently verified chosen passwords, by processDigest, which need no slow hash. */
    verifiedPasswords: new LRUCache<string, VerifiedPassword>({ max: 1000 }),
    hashQueue: createHashQueue(),
  }
}

/** Creates a queue of password checks, which run one after another, so that each failure counts before the next check. */
export const createHashQueue = () => createFairQueue({ maxWaiting: 500, tooMany: tooBusyError })

/** Counts and logs a failed sign-in. */
export async function countFailedSignIn(environment: SignInEnvironment, attempt: LoginAttempt): Promise<void> {
  environment.signIn.log.addFailure(environment, attempt)
  await environment.signIn.loginThrottle.countFailure(attempt)
}
