// Which statements the server keeps a plan of: to plan one that reads records with all that hangs on them takes longer
// than to run it.
import type { PrismaPg } from '@prisma/adapter-pg'

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>
type Query = Parameters<NonNullable<Options['statementNameGenerator']>>[0]

/** Records by their numbers: whatever these are, one plan is right. Of filters it depends on what they ask for. */
const isByNumber = ({ sql }: Query) => sql.includes(' LATERAL ') && /\bWHERE [^/]*"t0"\."id" (IN \(|= )[^/]*$/.test(sql)

/** How often a statement comes before it gets a name, and how many have one at most: each connection keeps its plans. */
const [least, most] = [3, 300]

/** A name for a statement that is worth a plan of its own, undefined for all others. */
export function namer(): (query: Query) => string | undefined {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  return (query) => {
    const known = names.get(query.sql)
    if (known !== undefined || names.size === most || !isByNumber(query)) return known
    const times = (seen.get(query.sql) ?? 0) + 1
    if (times < least) {
      // Texts that came once are not remembered for ever.
      if (seen.size > most) seen.clear()
      seen.set(query.sql, times)
      return undefined
    }
    seen.delete(query.sql)
    names.set(query.sql, `calendar-${names.size}`)
    return names.get(query.sql)
  }
}
