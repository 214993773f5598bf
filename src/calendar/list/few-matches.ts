// Finds out whether a list is short: then reading and sorting all of it takes less than the scan of an index in its order, which
// ends when it has enough for a page.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { memoizeByObject } from '../../basics/memoize.ts'
import { selectedIds } from '../../engine/postgres/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { Delegate } from './records.ts'

/** Maximum number of IDs that are passed to the next statement. */
const maxListed = 500

/** Cache keys of conditions that too many records match. An outdated entry makes a list slower, and changes no result. */
const longLists = memoizeByObject((_db: object) => new LRUCache<string, true>({ max: 1000, ttl: 600_000 }))

interface Matches {
  readonly delegate: Delegate
  readonly where: object
}

export interface FewMatches {
  readonly count: number
  /** The IDs of all matches, in any order; undefined if there are more than `maxListed`. */
  readonly ids?: readonly number[] | undefined
}

/** Undefined if more than `max` records match. */
export async function fewMatches(
  { reads, now }: Context,
  { delegate, where }: Matches,
  max = maxListed,
): Promise<FewMatches | undefined> {
  const long = longLists(reads)
  const key = `${max} ${cacheKey(where, now)}`
  if (long.has(key)) return undefined
  const matches = await delegate.matchingRows(where, {}, { stopsEarly: true })
  const statement = Prisma.sql`
    SELECT count(*)::int AS count, CASE WHEN count(*) <= ${maxListed}::int THEN array_agg(id) END AS ids
    FROM (SELECT id FROM (${matches}) AS matching LIMIT ${max + 1}::int) AS few`
  const [{ count, ids } = { count: 0, ids: null }] = await reads.rows<{ count: number; ids: number[] | null }>(
    statement,
  )
  if (count <= max) return { count, ids: count === 0 ? [] : (ids ?? undefined) }
  long.set(key, true)
  return undefined
}

/** The same for operations that differ only in their time. */
function cacheKey(where: object, now: Date): string {
  const time = now.toJSON()
  return hash(
    'sha256',
    JSON.stringify(where, (_name, value) => (value === time ? 'now' : (value?.[selectedIds] ?? value))),
    'base64url',
  )
}
