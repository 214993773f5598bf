import { may } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { nothingWithheld } from '../context.ts'

type Run<Result> = (context: Context) => Promise<Result>

/**
 * Runs an operation with the password of its request. A query first runs without the password unless its hash is cached. If
 * the query withholds something protected, the password is hashed, and if it is valid, the query runs again.
 */
export async function withPassword<Result>(context: Context, isWriting: boolean, run: Run<Result>): Promise<Result> {
  const { password } = context
  if (!password) return run(context)
  if (isWriting) return run({ ...context, passwordKey: await keyForWriting(context) })
  const cachedKey = password.cachedKey()
  const withheld = nothingWithheld()
  const result = await run({ ...context, passwordKey: cachedKey, withheld })
  const key = await password.check(context, withheld)
  return key === undefined || key === cachedKey ? result : run({ ...context, passwordKey: key })
}

/** A mutation runs only once, so its password is checked before. Users who may not write need no check. */
async function keyForWriting(context: Context): Promise<string | undefined> {
  const { password, viewer } = context
  if (!password || !may(viewer, 'write')) return undefined
  return password.check(context, { ...nothingWithheld(), byFilter: true })
}
