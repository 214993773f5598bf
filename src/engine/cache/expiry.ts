// Finds the time of the next publication, start or end of an event, at which cached responses expire.

import { postKinds } from '../../kinds.ts'
import type { Db } from '../postgres/client.ts'
import { queryRows } from '../postgres/query.ts'
import type { ReadRecord } from '../reads/read-record.ts'
import type { ChangeTracker } from './changes.ts'

/** Times in milliseconds since 1970; infinite if there is no such time. */
interface ExpiryTimes {
  /** Time of the next publication of a scheduled record. */
  readonly publication: number
  /** Time of the next start or end of a published event. */
  readonly eventBoundary: number
}

const datedKinds = { kinds: new Set(postKinds), records: new Map() }

/**
 * SQL that finds these times. `>=` for starts and ends: an event that starts now still matches a filter "now or later". Events
 * that visitors do not see change no cached response, and its expiry must not tell when they begin.
 */
const findNext = `
  SELECT least(
    ${postKinds.map((kind) => `(SELECT min(published_at) FROM ${kind} WHERE live AND published_at > $1::timestamptz)`)}
  ) AS publication, least(
    ${['starts_at', 'ends_at'].map(
      (column) =>
        `(SELECT min(${column}) FROM event WHERE ${column} >= $1::timestamptz AND live AND published_at <= $1)`,
    )}
  ) AS boundary`

/**
 * Returns a function that returns until when a result is valid if no record changes, in milliseconds since 1970. The function
 * queries the database again only after a write, or after the time found last.
 */
export function createExpiryFinder(db: Db, changes: ChangeTracker) {
  let cached:
    | { readonly times: Promise<ExpiryTimes>; readonly version: number; from: number; until: number }
    | undefined

  const query = async (now: Date): Promise<ExpiryTimes> => {
    type Row = Readonly<Record<'publication' | 'boundary', Date | null>>
    const [row] = await queryRows<Row>(db, { text: findNext, values: [now], prepared: 'constant' })
    const instant = (date: Date | null | undefined) => date?.getTime() ?? Number.POSITIVE_INFINITY
    return { publication: instant(row?.publication), eventBoundary: instant(row?.boundary) + 1 }
  }

  const timesAt = async (date: Date): Promise<ExpiryTimes> => {
    const now = date.getTime()
    if (cached && now >= cached.from && now < cached.until && changes.isCurrent(datedKinds, cached.version)) {
      const times = await cached.times
      // Compared again, because the query was pending before: the times that it found may have passed.
      if (now < Math.min(times.publication, times.eventBoundary)) return times
    }
    const times = query(date)
    const entry = { times, version: changes.version, from: now, until: Number.POSITIVE_INFINITY }
    cached = entry
    try {
      const { publication, eventBoundary } = await times
      entry.until = Math.min(publication, eventBoundary)
    } catch {
      if (cached === entry) cached = undefined
    }
    return times
  }

  return async (date: Date, { until, comparesTimes }: Pick<ReadRecord, 'until' | 'comparesTimes'>): Promise<number> => {
    const { publication, eventBoundary } = await timesAt(date)
    return Math.min(until, publication, comparesTimes ? eventBoundary : publication)
  }
}
