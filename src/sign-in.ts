// What signing in remembers from one request to the next, in this process.
import { LRUCache } from 'lru-cache'
import type { Settings } from './env.ts'
import { createFailures, type Failures } from './failures.ts'
import { createIssuer, type Issuer } from './oidc.ts'
import { createTurns, type Turns } from './turns.ts'

export interface SignIn {
  readonly failures: Failures
  readonly issuer: Issuer | undefined
  /** Chosen passwords that were right lately, by a digest of them: their slow hash need not be made each time. */
  readonly verified: LRUCache<string, Verified>
  /** In which order chosen passwords are hashed. */
  readonly turns: Turns
}

export interface Verified {
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
