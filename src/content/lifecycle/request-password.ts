// Passwords of protected records, as requests bring them: each is hashed once, and only for records that it may open.
import { LRUCache } from 'lru-cache'
import { createHashQueue } from '../../auth/hash-queue.ts'
import { type Attempt, createLoginThrottle } from '../../auth/login-throttle.ts'
import { processDigest } from '../../auth/secrets.ts'
import type { Context, RequestPasswords } from '../../context.ts'
import type { Settings } from '../../env.ts'
import { isAnyProtected, isKeyOfAny, passwordKey } from './record-password.ts'

/** How many keys are remembered, of wrong passwords too: they come again, and are not hashed again. */
const most = 1000

/** A wrong password that is hashed for the first time is a guess; one that comes again may be an old link. */
const points = { guess: 3, repeat: 1 } as const
const guesses = { perRecord: 10, perAddress: 50 } as const

export function createRequestPasswords({ requestTimeout }: Pick<Settings, 'requestTimeout'>): RequestPasswords {
  const keys = new LRUCache<string, string>({ max: most })
  const turns = createHashQueue(requestTimeout)
  const failures = createLoginThrottle(guesses.perRecord * points.guess, guesses.perAddress * points.guess)

  return {
    fromRequest(password, address) {
      const digest = processDigest(password.normalize('NFC'))
      let isCounted = false

      const judge = async ({ db }: Pick<Context, 'db'>, key: string, attempt: Attempt, weight: number) => {
        if (await isKeyOfAny(db, key)) return key
        if (isCounted) return undefined
        await failures.check(attempt)
        await failures.countFailure(attempt, weight)
        isCounted = true
        return undefined
      }

      return {
        cachedKey: () => keys.get(digest),
        async check(context, withheld) {
          if (!(await isAnyProtected(context.db, withheld))) return undefined
          const attempt: Attempt = { address, records: [...withheld.records].map(String) }
          const known = keys.get(digest)
          if (known !== undefined) return judge(context, known, attempt, points.repeat)
          await failures.check(attempt)
          return turns.run(address, await failures.recentFailures(address), async () => {
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
