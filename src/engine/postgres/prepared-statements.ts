// Decides which statements are prepared: planning a statement that reads records with relations takes longer than running it.
import type { PrismaPg } from '@prisma/adapter-pg'

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>
type Query = Parameters<NonNullable<Options['statementNameGenerator']>>[0]

/** A statement is prepared from this use on. */
const minUses = 3

/** Names repeated statements, at most `maxNames`, because each connection stores a plan for each name. */
export function createStatementNames(prefix: string, maxNames = 300): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const useCounts = new Map<string, number>()
  return (sql) => {
    const existing = names.get(sql)
    if (existing !== undefined || names.size === maxNames) return existing
    const times = (useCounts.get(sql) ?? 0) + 1
    if (times < minUses) {
      // Bounds the memory for statements that are never repeated.
      if (useCounts.size > maxNames) useCounts.clear()
      useCounts.set(sql, times)
      return undefined
    }
    useCounts.delete(sql)
    names.set(sql, `${prefix}-${names.size}`)
    return names.get(sql)
  }
}

/** Reads records by ID: one plan serves all values. The best plan of other filters depends on their values. */
const readsById = ({ sql }: Query) => sql.includes(' LATERAL ') && /\bWHERE [^/]*"t0"\."id" (IN \(|= )[^/]*$/.test(sql)

/** Inserts, and lookups of IDs in several tables: the plan does not depend on the values. */
const isInsertOrLookup = ({ sql }: Query) => /^\s*(INSERT|WITH)\s/.test(sql) || sql.includes(' UNION ALL ')

/** Names Prisma's statements whose plan serves all values; returns undefined for others. */
export function createStatementNamer(): (query: Query) => string | undefined {
  const nameOfRead = createStatementNames('calendar')
  const nameOfWrite = createStatementNames('write')
  return (query) => {
    if (readsById(query)) return nameOfRead(query.sql)
    return isInsertOrLookup(query) ? nameOfWrite(query.sql) : undefined
  }
}
