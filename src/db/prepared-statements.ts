// Which statements the server keeps a plan of: to plan one that reads records with all that hangs on them takes longer
// than to run it.
import type { PrismaPg } from '@prisma/adapter-pg'

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>
type Query = Parameters<NonNullable<Options['statementNameGenerator']>>[0]

/** How often a statement comes before it gets a name. */
const least = 3

/** Gives names to statements that come again, to so many at most: each connection keeps its plans. */
export function statementNames(prefix: string, most = 300): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size === most) return known
    const times = (seen.get(sql) ?? 0) + 1
    if (times < least) {
      // Texts that came once are not remembered for ever.
      if (seen.size > most) seen.clear()
      seen.set(sql, times)
      return undefined
    }
    seen.delete(sql)
    names.set(sql, `${prefix}-${names.size}`)
    return names.get(sql)
  }
}

/** Records by their numbers: whatever these are, one plan is right. Of filters it depends on what they ask for. */
const isByNumber = ({ sql }: Query) => sql.includes(' LATERAL ') && /\bWHERE [^/]*"t0"\."id" (IN \(|= )[^/]*$/.test(sql)

/** New rows, and lookups of IDs in several tables: the plan does not depend on the values. */
const isInsertOrLookup = ({ sql }: Query) => /^\s*(INSERT|WITH)\s/.test(sql) || sql.includes(' UNION ALL ')

/** Names those statements that come through Prisma and are worth a plan of their own; undefined for all others. */
export function namer(): (query: Query) => string | undefined {
  const nameOfRead = statementNames('calendar')
  const nameOfWrite = statementNames('write')
  return (query) => {
    if (isByNumber(query)) return nameOfRead(query.sql)
    return isInsertOrLookup(query) ? nameOfWrite(query.sql) : undefined
  }
}
