// The moments at which answers change although nothing is written.
import { postKinds } from '../content/kinds.ts'
import type { Db } from '../db/client.ts'
import { queryRows } from '../db/query.ts'
import type { Changes } from './changes.ts'

export interface ExpiryTimes {
  /** The first publication that is still to come, in milliseconds since 1970. */
  readonly publication: number
  /** The first moment at which an event starts or ends that has not done so yet. */
  readonly eventBoundary: number
}

const datedKinds = { kinds: new Set(postKinds), records: new Map() }

/** What starts or ends at this very moment has not done so yet for those who compare with "at or after". */
const findNext = `
  SELECT least(
    ${postKinds.map((kind) => `(SELECT min(published_at) FROM ${kind} WHERE live AND published_at > $1::timestamptz)`)}
  ) AS publication, least(
    (SELECT min(starts_at) FROM event WHERE starts_at >= $1::timestamptz),
    (SELECT min(ends_at) FROM event WHERE ends_at >= $1::timestamptz)
  ) AS time`

interface Row {
  readonly publication: Date | null
  readonly time: Date | null
}

/** Tells the next edges, asking the database once until something that has dates is written, or an edge has come. */
export function createExpiryTimes(db: Db, changes: Changes) {
  let cached: { readonly edges: Promise<ExpiryTimes>; readonly moment: number; from: number; until: number } | undefined
  const isCurrent = (at: number) =>
    cached && at >= cached.from && at < cached.until && changes.isCurrent(datedKinds, cached.moment)

  const query = async (now: Date): Promise<ExpiryTimes> => {
    const [row] = await queryRows<Row>(db, { text: findNext, values: [now], prepared: 'constant' })
    const instant = (date: Date | null | undefined) => date?.getTime() ?? Number.POSITIVE_INFINITY
    return { publication: instant(row?.publication), eventBoundary: instant(row?.time) + 1 }
  }

  return async (now: Date): Promise<ExpiryTimes> => {
    const at = now.getTime()
    if (cached && isCurrent(at)) {
      const edges = await cached.edges
      // Until it was answered, it might have been for ever.
      if (at < Math.min(edges.publication, edges.eventBoundary)) return edges
    }
    const edges = query(now)
    const entry = { edges, moment: changes.version, from: at, until: Number.POSITIVE_INFINITY }
    cached = entry
    try {
      const { publication, eventBoundary: time } = await edges
      entry.until = Math.min(publication, time)
    } catch {
      if (cached === entry) cached = undefined
    }
    return edges
  }
}
