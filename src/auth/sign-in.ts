// What signing in remembers from one request to the next, in this process.
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import type { Settings } from '../env.ts'
import { createTurns, type Turns } from './hash-queue.ts'
import { createFailures, type Failures } from './login-throttle.ts'
import { createIssuer, type Issuer } from './oidc.ts'

export interface SignIn {
  readonly failures: Failures
  readonly issuer: Issuer | undefined
  /** Chosen passwords that were right lately, by a digest of them: their slow hash need not be made each time. */
  readonly verified: LRUCache<string, Verified>
  /** In which order chosen passwords are hashed. */
  readonly turns: Turns
}

/** What identifying a viewer needs of the environment. */
export interface SignInEnvironment {
  readonly db: Db
  readonly settings: Pick<Settings, 'oidcRoleClaim'>
  readonly signIn: SignIn
  readonly now: () => Date
}

interface Verified {
  readonly id: number
  readonly hash: string
  readonly until: number
}

export function createSignIn(settings: Settings): SignIn {
  return {
    failures: createFailures(),
    issuer: createIssuer(settings),
    verified: new LRUCache({ max: 1000 }),
    turns: createTurns(settings.requestTimeout),
  }
}
