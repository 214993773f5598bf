// Checks the passwords for protected records that requests send. Hashes each password once, and only if the operation
// reads protected records.
import { LRUCache } from 'lru-cache'
import type { Settings } from '../../basics/env.ts'
import type { CounterStore } from '../../engine/postgres/rate-limit-counters.ts'
import { createLoginThrottle, type LoginAttempt } from '../../service/auth/login-throttle.ts'
import { processDigest } from '../../service/auth/secrets.ts'
import { createHashQueue } from '../../service/auth/sign-in.ts'
import type { Context, Environment } from '../../service/context.ts'
import { hashRecordPassword, isPasswordOfAnyRecord, wereFieldsWithheld } from './record-password.ts'

/** Maximum of cached hashes. Hashes of wrong passwords are cached, too. */
const maxKeys = 1000

/** Points that a wrong password adds to the rate limit of the client. A repeated password counts less: it may come from an old link. */
const weights = { guess: 3, repeat: 1 } as const
const maxGuesses = { perRecord: 10, perAddress: 50 } as const

export function createRequestPasswordReader(
  { requestTimeout }: Pick<Settings, 'requestTimeout'>,
  counters?: CounterStore,
): Environment['requestPassword'] {
  const keys = new LRUCache<string, string>({ max: maxKeys })
  const hashQueue = createHashQueue()
  const throttle = createLoginThrottle(counters, 'record password', {
    perTarget: maxGuesses.perRecord * weights.guess,
    perAddress: maxGuesses.perAddress * weights.guess,
  })

  return (password, address) => {
    const digest = processDigest(password.normalize('NFC'))
    let isCounted = false

    const checkKey = async ({ reads }: Pick<Context, 'reads'>, key: string, attempt: LoginAttempt, weight: number) => {
      if (await isPasswordOfAnyRecord(reads, key)) return key
      if (isCounted) return undefined
      await throttle.check(attempt)
      await throttle.countFailure(attempt, weight)
      isCounted = true
      return undefined
    }

    return {
      cachedKey: () => keys.get(digest),
      async check(context, withheld) {
        if (!(await wereFieldsWithheld(context.reads, withheld))) return undefined
        const attempt: LoginAttempt = { address, records: [...withheld.records].map(String) }
        const cached = keys.get(digest)
        if (cached !== undefined) return checkKey(context, cached, attempt, weights.repeat)
        await throttle.check(attempt)
        const turn = { ...(await throttle.placeOf(address)), maxWaitMs: requestTimeout }
        return hashQueue.run(turn, async () => {
          const cachedMeanwhile = keys.get(digest)
          if (cachedMeanwhile !== undefined) return checkKey(context, cachedMeanwhile, attempt, weights.repeat)
          await throttle.check(attempt)
          const key = await hashRecordPassword(password, context.site.passwordSalt)
          keys.set(digest, key)
          return checkKey(context, key, attempt, weights.guess)
        })
      },
    }
  }
}
