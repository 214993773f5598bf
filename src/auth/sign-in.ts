// What signing in remembers from one request to the next, in this process.
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import type { Settings } from '../env.ts'
import { createHashQueue, type HashQueue } from './hash-queue.ts'
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts'
import { createIssuer, type Issuer } from './oidc.ts'

export interface SignIn {
  readonly loginThrottle: LoginThrottle
  readonly issuer: Issuer | undefined
  /** Chosen passwords that were right lately, by a digest of them: their slow hash need not be made each time. */
  readonly verifiedPasswords: LRUCache<string, VerifiedPassword>
  /** In which order chosen passwords are hashed. */
  readonly hashQueue: HashQueue
}

/** What identifying a viewer needs of the environment. */
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

export function createSignIn(settings: Settings): SignIn {
  return {
    loginThrottle: createLoginThrottle(),
    issuer: createIssuer(settings),
    verifiedPasswords: new LRUCache({ max: 1000 }),
    hashQueue: createHashQueue(settings.requestTimeout),
  }
}
