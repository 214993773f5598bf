// SQL that finds events by their search terms, without reading the terms of events that do not match.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { querySql } from '../../db/query.ts'
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
export async function lookUpEvents(
  lists: readonly (readonly string[])[],
  db: object,
): Promise<readonly number[] | undefined> {
  const { limit, isCommon, readIds } = limitedLookUp(lists, db)
  if (isCommon) return undefined
  const statement = Prisma.sql`SELECT ${asJson(Prisma.sql`${withTerms(lists)} LIMIT ${limit + 1}::int`)} AS ids`
  const [row] = await querySql<{ ids: number[] }>(db, statement)
  return row && readIds(row.ids)
}

/** The events with a term of each list, and those with a password among the events whose title has a term of each list. */
export interface EventTerms {
  readonly inText: readonly (readonly string[])[]
  /** For each of the lists: the terms of titles with one of them. Each term of a title has one of the text. */
  readonly inTitle: readonly (readonly string[])[]
}

interface EventsWithTerms {
  /** Undefined if there are too many. */
  readonly found: readonly number[] | undefined
  readonly lockedByTitle: readonly number[]
}

/** Looks up both in one statement. The titles are not searched if none of the events that were found has a password. */
export async function lookUpWithLocked({ inText, inTitle }: EventTerms, db: object): Promise<EventsWithTerms> {
  const { limit, isCommon, readIds } = limitedLookUp(inText, db)
  const locked = Prisma.sql`ARRAY(${withPassword(withTerms(inTitle))})`
  const statement = isCommon
    ? Prisma.sql`SELECT NULL::json AS ids, ${locked} AS locked`
    : Prisma.sql`
      WITH matching AS MATERIALIZED (${withTerms(inText)} LIMIT ${limit + 1}::int)
      SELECT ${asJson(Prisma.sql`SELECT event_id FROM matching`)} AS ids,
        CASE WHEN (SELECT count(*) FROM matching) > ${limit}::int
          OR EXISTS (${withPassword(Prisma.sql`SELECT event_id FROM matching`)}) THEN ${locked} ELSE '{}' END AS locked`
  const [row] = await querySql<{ ids: number[] | null; locked: number[] }>(db, statement)
  return { found: row?.ids ? readIds(row.ids) : undefined, lockedByTitle: row?.locked ?? [] }
}

/** JSON takes less time to parse than an array. */
const asJson = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`to_json(ARRAY(${ids}))`

function limitedLookUp(lists: readonly (readonly string[])[], db: object) {
  const limit = maxLookedUp(lists)
  const common = commonTerms(db)
  const key = hash('sha256', JSON.stringify(lists), 'base64url')
  return {
    limit,
    isCommon: common.has(key),
    readIds(found: readonly number[]): readonly number[] | undefined {
      if (found.length <= limit) return found
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
const withPassword = (events: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH found AS MATERIALIZED (${events}), size AS (SELECT count(*) AS events FROM found)
  SELECT event_id FROM found WHERE (SELECT events FROM size) <= ${maxComparedOneByOne}::int
    AND EXISTS (SELECT FROM event WHERE id = event_id AND password_key IS NOT NULL OFFSET 0)
  UNION ALL
  SELECT event_id FROM found WHERE (SELECT events FROM size) > ${maxComparedOneByOne}::int
    AND (event_id IN (SELECT id FROM event WHERE password_key IS NOT NULL)) IS TRUE`
