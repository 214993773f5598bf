// What signing in remembers from one request to the next, in this process.
import type { Settings } from './env.ts'
import { createFailures, type Failures } from './failures.ts'
import { createIssuer, type Issuer } from './oidc.ts'

export interface SignIn {
  readonly failures: Failures
  readonly issuer: Issuer | undefined
  /** Chosen passwords that were right lately, by a digest of them: their slow hash need not be made each time. */
  readonly verified: Map<string, Verified>
  /** Slow hashes are made one after the other, so that each guess is counted before the next. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

export interface Verified {
  readonly id: number
  readonly hash: string
  readonly until: number
}

export function createSignIn(settings: Settings): SignIn {
  let last: Promise<unknown> = Promise.resolve()
  return {
    failures: createFailures(),
    issuer: createIssuer(settings),
    verified: new Map(),
    inTurn(work) {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
