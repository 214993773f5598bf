import { may } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { nothingWithheld } from '../context.ts'

type Run<Result> = (context: Context) => Promise<Result>

/**
 * Runs an operation with the password that came with it. A query runs without the key of a password that was never hashed
 * here; only if it withholds something protected is the password hashed, and only if that is right does the query run again.
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

/** A mutation runs once. What it writes may be protected, unless nothing is; who may not write is refused anyway. */
async function keyForWriting(context: Context): Promise<string | undefined> {
  const { password, viewer } = context
  if (!password || !may(viewer, 'write')) return undefined
  return password.check(context, { ...nothingWithheld(), byFilter: true })
}
