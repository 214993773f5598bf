// Which statements the server keeps a plan of: to plan one that reads records with all that hangs on them takes longer
// than to run it.
import type { PrismaPg } from '@prisma/adapter-pg'

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>
type Query = Parameters<NonNullable<Options['statementNameGenerator']>>[0]

/** How often a statement comes before it gets a name. */
const minUses = 3

/** Gives names to statements that come again, to so many at most: each connection keeps its plans. */
export function createStatementNames(prefix: string, maxNames = 300): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const useCounts = new Map<string, number>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size === maxNames) return known
    const times = (useCounts.get(sql) ?? 0) + 1
    if (times < minUses) {
      // Texts that came once are not remembered for ever.
      if (useCounts.size > maxNames) useCounts.clear()
      useCounts.set(sql, times)
      return undefined
    }
    useCounts.delete(sql)
    names.set(sql, `${prefix}-${names.size}`)
    return names.get(sql)
  }
}

/** Records by their numbers: whatever these are, one plan is right. Of filters it depends on what they ask for. */
const readsById = ({ sql }: Query) => sql.includes(' LATERAL ') && /\bWHERE [^/]*"t0"\."id" (IN \(|= )[^/]*$/.test(sql)

/** New rows, and lookups of IDs in several tables: the plan does not depend on the values. */
const isInsertOrLookup = ({ sql }: Query) => /^\s*(INSERT|WITH)\s/.test(sql) || sql.includes(' UNION ALL ')

/** Names those statements that come through Prisma and are worth a plan of their own; undefined for all others. */
export function createStatementNamer(): (query: Query) => string | undefined {
  const nameOfRead = createStatementNames('calendar')
  const nameOfWrite = createStatementNames('write')
  return (query) => {
    if (readsById(query)) return nameOfRead(query.sql)
    return isInsertOrLookup(query) ? nameOfWrite(query.sql) : undefined
  }
}
