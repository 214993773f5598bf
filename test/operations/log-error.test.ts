import { describe, expect, test } from 'vitest'
import { toLoggedError } from '../../src/service/http/logged-error.ts'
import { openTestDatabase } from '../helpers/db.ts'

const caught = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe('an error in the log', () => {
  test('of the database contains the table but no values', async () => {
    const { db, database, close } = await openTestDatabase()
    const secret = 'grete@example.org'
    const errors = await Promise.all([
      caught(db.tag.findFirstOrThrow({ where: { id: secret as never } })),
      caught(db.$queryRaw`select ${secret}::int`),
      caught(db.$queryRaw`select * from nowhere where mail = ${secret}`),
      caught(database.pool.query(`select '${secret}'::int`)),
      caught(database.pool.query(`do $$ begin raise exception '${secret}' using detail = '${secret}'; end $$`)),
    ])
    await close()
    for (const error of errors) {
      const logged = JSON.stringify(toLoggedError(error))
      expect(JSON.stringify(error) + String(error)).toMatch(/grete|invocation|nowhere/)
      expect(logged).not.toMatch(/grete|example\.org/)
      expect(logged).toMatch(/"code":"\w+"|PrismaClientValidationError/)
      expect(logged).toMatch(/ {0}at /)
    }
  })

  test('of the service has its message, without quoted values', () => {
    const syntaxError = caughtNow(() => JSON.parse('{"password": "geheim" oops'))
    expect(JSON.stringify(toLoggedError(syntaxError))).not.toContain('geheim')
    const outer = new Error('the outer one failed', { cause: new TypeError('x is not a function') })
    expect(toLoggedError(outer)).toMatchObject({
      type: 'Error',
      message: 'the outer one failed',
      stack: expect.stringMatching(/^ +at .*log-error/),
      cause: { type: 'TypeError', message: 'x is not a function' },
    })
    expect(toLoggedError('thrown text')).toEqual({ type: 'string', message: '', stack: '' })
  })

  test('that is its own cause is logged without infinite recursion', () => {
    const round = new Error('round')
    round.cause = round
    expect(JSON.stringify(toLoggedError(round)).length).toBeLessThan(5000)
  })
})

function caughtNow(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
