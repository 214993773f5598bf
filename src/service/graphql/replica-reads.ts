// Runs queries of visitors on replicas. Everything else runs on the primary.
import type { ExecutionResult } from 'graphql'
import { serverFailureOf } from '../../engine/postgres/unavailable.ts'
import type { Context } from '../context.ts'

type Run = (context: Context) => Promise<ExecutionResult>

/**
 * Runs a query on the server that the context chooses. If that server fails, the query runs once more: after a replica on the
 * primary, and after the primary on a replica.
 */
export async function runQuery(context: Context, run: Run): Promise<ExecutionResult> {
  const { chooseSource, recorder } = context
  if (!chooseSource) return run(context)
  const runUncached = (db: Context['db']) => {
    recorder?.preventCaching()
    return run({ ...context, reads: context.reads.on(db), recorder: undefined })
  }
  const { db, isCacheable, reportFailure } = await chooseSource(recorder !== undefined)
  const result = await (isCacheable ? run({ ...context, reads: context.reads.on(db) }) : runUncached(db))
  const failures = failuresOf(result)
  if (failures.length === 0) return result
  // A server whose connections are all in use is not left out: another one would get its load.
  if (failures.includes('lost')) reportFailure()
  if (db !== context.db) return run(context)
  const other = await chooseSource(false)
  return other.db === context.db ? result : runUncached(other.db)
}

const failuresOf = ({ errors = [] }: ExecutionResult) =>
  errors.flatMap(({ originalError }) => (originalError instanceof Error && serverFailureOf(originalError)) || [])
