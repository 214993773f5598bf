import { isAnyProtected } from '../content/password.ts'
import { may } from '../content/rights.ts'
import type { Context } from '../context.ts'
import { nothingWithheld } from '../withheld.ts'

type Run<Result> = (context: Context) => Promise<Result>

/**
 * Runs an operation with the password that came with it. A query runs without the key of a password that was never hashed
 * here; only if it withholds something protected is the password hashed, and only if that is right does the query run again.
 */
export async function withPassword<Result>(context: Context, isWriting: boolean, run: Run<Result>): Promise<Result> {
  const { password, db } = context
  if (!password) return run(context)
  if (isWriting) return run({ ...context, passwordKey: await keyForWriting(context) })
  const known = password.known()
  const withheld = nothingWithheld()
  const result = await run({ ...context, passwordKey: known, withheld })
  if (!(await isAnyProtected(db, withheld))) return result
  const key = await password.check(context, withheld)
  return key === undefined || key === known ? result : run({ ...context, passwordKey: key })
}

/** A mutation runs once. What it writes may be protected, unless nothing is; who may not write is refused anyway. */
async function keyForWriting(context: Context): Promise<string | undefined> {
  const { password, db, viewer } = context
  if (!password || !may(viewer, 'write')) return undefined
  const withheld = { ...nothingWithheld(), byFilter: true }
  return (await isAnyProtected(db, withheld)) ? password.check(context, withheld) : undefined
}
