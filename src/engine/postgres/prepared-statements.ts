// Decides which statements are prepared: planning a statement that reads records with relations takes longer than running it.
import type { PrismaPg } from '@prisma/adapter-pg'

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>
type Query = Parameters<NonNullable<Options['statementNameGenerator']>>[0]

/** Number of the use from which on a statement is prepared. */
const minUses = 3

/** Returns a function that names repeated statements: at most `maxNames`, because each connection stores a plan per name. */
export function createStatementNames(prefix: string, maxNames = 300): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const useCounts = new Map<string, number>()
  return (sql) => {
    const existing = names.get(sql)
    if (existing !== undefined || names.size === maxNames) return existing
    const times = (useCounts.get(sql) ?? 0) + 1
    if (times < minUses) {
      // Limits the memory for counts of statements that are never repeated.
      if (useCounts.size > maxNames) useCounts.clear()
      useCounts.set(sql, times)
      return undefined
    }
    useCounts.delete(sql)
    names.set(sql, `${prefix}-${names.size}`)
    return names.get(sql)
  }
}

/** Whether a query reads records by ID, so that one plan serves all values. Plans of other filters depend on the values. */
const readsById = ({ sql }: Query) =>
  /\bWHERE \(?"?(t0|r)"?\."?id"? = /.test(sql) ||
  (sql.includes(' LATERAL ') && /\bWHERE [^/]*"t0"\."id" IN \([^/]*$/.test(sql))

/** Whether a query writes, or looks up IDs in several tables: one plan serves all values. */
const isWriteOrLookup = ({ sql }: Query) => /^\s*(INSERT|UPDATE|DELETE|WITH)\s/.test(sql) || sql.includes(' UNION ALL ')

/** Returns a function that names those of Prisma's statements for which one plan serves all values. */
export function createStatementNamer(): (query: Query) => string | undefined {
  const nameOfRead = createStatementNames('calendar')
  const nameOfWrite = createStatementNames('write')
  return (query) => {
    if (readsById(query)) return nameOfRead(query.sql)
    return isWriteOrLookup(query) ? nameOfWrite(query.sql) : undefined
  }
}
