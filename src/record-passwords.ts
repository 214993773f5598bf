// Passwords of protected records, as requests bring them: each is hashed once, and only for records that it may open.
import { LRUCache } from 'lru-cache'
import { isKeyOfAny, passwordKey } from './content/password.ts'
import { privateDigest } from './content/secret.ts'
import type { Context } from './context.ts'
import type { Settings } from './env.ts'
import { type Attempt, createFailures } from './failures.ts'
import { createTurns } from './turns.ts'
import type { Withheld } from './withheld.ts'

export interface RecordPasswords {
  /** A password that came from this address. */
  given(password: string, address: string): GivenPassword
}

export interface GivenPassword {
  /** Its key, if this process has hashed the same password lately. */
  known(): string | undefined
  /**
   * Its key if it is the password of any record; undefined if it is wrong, which is counted once a request. Throws
   * tooManyFailures for an address that sent too many wrong ones for one of the records that are withheld.
   */
  check(context: Pick<Context, 'db' | 'site'>, withheld: Pick<Withheld, 'records'>): Promise<string | undefined>
}

/** How many keys are remembered, of wrong passwords too: they come again, and are not hashed again. */
const most = 1000

/** A wrong password that is hashed for the first time is a guess; one that comes again may be an old link. */
const points = { guess: 3, repeat: 1 } as const
const guesses = { perRecord: 10, perAddress: 50 } as const

export function createRecordPasswords({ requestTimeout }: Pick<Settings, 'requestTimeout'>): RecordPasswords {
  const keys = new LRUCache<string, string>({ max: most })
  const turns = createTurns(requestTimeout)
  const failures = createFailures(guesses.perRecord * points.guess, guesses.perAddress * points.guess)

  return {
    given(password, address) {
      const digest = privateDigest(password.normalize('NFC'))
      let isCounted = false

      const judge = async ({ db }: Pick<Context, 'db'>, key: string, attempt: Attempt, weight: number) => {
        if (await isKeyOfAny(db, key)) return key
        if (isCounted) return undefined
        await failures.check(attempt)
        await failures.count(attempt, weight)
        isCounted = true
        return undefined
      }

      return {
        known: () => keys.get(digest),
        async check(context, { records }) {
          const attempt: Attempt = { address, records: [...records].map(String) }
          const known = keys.get(digest)
          if (known !== undefined) return judge(context, known, attempt, points.repeat)
          await failures.check(attempt)
          return turns.take(address, await failures.recent(address), async () => {
            const before = keys.get(digest)
            if (before !== undefined) return judge(context, before, attempt, points.repeat)
            await failures.check(attempt)
            const key = await passwordKey(password, context.site.passwordSalt)
            keys.set(digest, key)
            return judge(context, key, attempt, points.guess)
          })
        },
      }
    },
  }
}
