// SQL that finds events by their search terms, without reading the terms of events that do not match.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Prisma } from '../../generated/prisma/client.ts'
import { memoizeByObject } from '../../memoize.ts'

/**
 * Up to this number of events are looked up first. The planner knows the frequency of common terms only, and takes an index
 * scan with several terms for more expensive than reading the terms of all events.
 */
const maxLookedUp = (lists: readonly (readonly string[])[]): number =>
  lists.some((terms) => terms.length > 6) ? maxIds : 6000

/** More IDs would make statements large. */
const maxIds = 200_000

/** An index scan with several terms compares each row that it finds with all of them. */
const maxTermsOfScan = 300

/**
 * Selects the IDs of events that have a term of each list. Subqueries hide the terms from the planner, which then always uses
 * the index: reading the terms of a row is slow.
 */
export function withTerms(lists: readonly (readonly string[])[]): Prisma.Sql {
  const { long = [], short = [] } = Object.groupBy(lists, (terms) => (terms.length > maxTermsOfScan ? 'long' : 'short'))
  const conditions = short.map((terms) => Prisma.sql`terms && (SELECT ${terms}::text[])`)
  const found = long.map(
    (terms) => Prisma.sql`SELECT DISTINCT found.event_id FROM unnest(${terms}::text[]) AS term, LATERAL (
      SELECT event_id FROM event_search WHERE terms @> ARRAY[term] OFFSET 0) AS found`,
  )
  if (conditions.length > 0)
    found.push(Prisma.sql`SELECT event_id FROM event_search WHERE ${Prisma.join(conditions, ' AND ')}`)
  return Prisma.join(found, ' INTERSECT ')
}

/** Cache keys of terms that too many events had. An outdated entry makes a search slower, and changes no result. */
const commonTerms = memoizeByObject((_db: object) => new LRUCache<string, true>({ max: 1000, ttl: 600_000 }))

/** Looks up events that have a term of each list, unless they are known to be too many. */
export function lookUpEvents(lists: readonly (readonly string[])[], db: object) {
  const limit = maxLookedUp(lists)
  const common = commonTerms(db)
  const key = hash('sha256', JSON.stringify(lists), 'base64url')
  // As JSON, which takes less time to parse than an array.
  const ids = Prisma.sql`to_json(ARRAY(${withTerms(lists)} LIMIT ${limit + 1}::int))`
  return {
    ids: common.has(key) ? Prisma.sql`NULL::json` : ids,
    /** Undefined if there are too many. */
    readIds(found: readonly number[] | null | undefined): readonly number[] | undefined {
      if (!found || found.length <= limit) return found ?? undefined
      common.set(key, true)
      return undefined
    },
  }
}

/** More events are compared with a hash table of all events with a password, which takes time to build. */
const maxComparedOneByOne = 200

/**
 * Selects those of the events that have a password. The planner would turn IN and EXISTS into joins, which may read the terms of
 * each event with a password. IS TRUE and OFFSET 0 prevent that.
 */
export const withPassword = (events: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH found AS MATERIALIZED (${events}), size AS (SELECT count(*) AS events FROM found)
  SELECT event_id FROM found WHERE (SELECT events FROM size) <= ${maxComparedOneByOne}::int
    AND EXISTS (SELECT FROM event WHERE id = event_id AND password_key IS NOT NULL OFFSET 0)
  UNION ALL
  SELECT event_id FROM found WHERE (SELECT events FROM size) > ${maxComparedOneByOne}::int
    AND (event_id IN (SELECT id FROM event WHERE password_key IS NOT NULL)) IS TRUE`
