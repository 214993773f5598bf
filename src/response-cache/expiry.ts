// The moments at which answers change although nothing is written.
import { postKinds } from '../content/kinds.ts'
import type { Db } from '../db/client.ts'
import { queryRows } from '../db/query.ts'
import type { Changes } from './changes.ts'

export interface Edges {
  /** The first publication that is still to come, in milliseconds since 1970. */
  readonly publication: number
  /** The first moment at which an event starts or ends that has not done so yet. */
  readonly time: number
}

const dated = { kinds: new Set(postKinds), records: new Map() }

/** What starts or ends at this very moment has not done so yet for those who compare with "at or after". */
const next = `
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
export function createEdges(db: Db, changes: Changes) {
  let known: { readonly edges: Promise<Edges>; readonly moment: number; from: number; until: number } | undefined
  const isKnown = (at: number) =>
    known && at >= known.from && at < known.until && changes.isCurrent(dated, known.moment)

  const ask = async (now: Date): Promise<Edges> => {
    const [row] = await queryRows<Row>(db, { text: next, values: [now], prepared: 'constant' })
    const instant = (date: Date | null | undefined) => date?.getTime() ?? Number.POSITIVE_INFINITY
    return { publication: instant(row?.publication), time: instant(row?.time) + 1 }
  }

  return async (now: Date): Promise<Edges> => {
    const at = now.getTime()
    if (known && isKnown(at)) {
      const edges = await known.edges
      // Until it was answered, it might have been for ever.
      if (at < Math.min(edges.publication, edges.time)) return edges
    }
    const edges = ask(now)
    const asked = { edges, moment: changes.moment, from: at, until: Number.POSITIVE_INFINITY }
    known = asked
    try {
      const { publication, time } = await edges
      asked.until = Math.min(publication, time)
    } catch {
      if (known === asked) known = undefined
    }
    return edges
  }
}
