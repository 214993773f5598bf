// SQL that finds events by their search terms, without reading the terms of events that do not match.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { querySql } from '../../db/query.ts'
import { type IdSet, idSet } from '../../db/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { memoizeByObject } from '../../memoize.ts'

export type TermLists = readonly (readonly string[])[]

/** An index scan with several terms compares each row that it finds with all of them. */
const maxTermsOfScan = 300

/**
 * Selects the IDs of events that have a term of each list. Subqueries hide the terms from the planner, which then always uses
 * the index: reading the terms of a row is slow.
 */
export function withTerms(lists: TermLists): Prisma.Sql {
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

const hasLongList = (lists: TermLists): boolean => lists.some((terms) => terms.length > maxTermsOfScan)

/**
 * Of more events, each statement looks up the IDs itself: to read, send and plan them takes longer, unless the lists are long.
 * More IDs would make statements large.
 */
const maxListed = (lists: TermLists): number => (hasLongList(lists) ? 200_000 : 1000)
const maxSmallSet = 6000
/** More terms take longer for each event that is compared. */
const maxCompared = 6
const hasManyTerms = (lists: TermLists): boolean => lists.some((terms) => terms.length > maxCompared)
/** If more events match, the statement of a page compares the terms of one event after the other: it soon has enough matches. */
const maxLookedUpByPage = (lists: TermLists): number => (hasManyTerms(lists) ? 100_000 : maxSmallSet)

/** By the cache key of the terms. An outdated entry makes a search slower, and changes no result. */
const frequencies = memoizeByObject((_db: object) => new LRUCache<string, number>({ max: 1000, ttl: 600_000 }))

interface ManyEvents {
  /** How many events have the terms, counted up to the largest number that makes a difference. */
  readonly frequency: number
}

interface FewEvents {
  readonly ids: readonly number[]
  /** Those with a password among the events with the terms of `inTitle`; empty if no event of `ids` has a password. */
  readonly lockedByTitle: readonly number[]
}

/**
 * Looks up events with a term of each list, unless they are known to be more than a few. For each list, `inTitle` has the terms
 * of titles with one of its terms. Each term of a title has one of the text. Without lists, any event may match.
 */
export async function lookUpEvents(lists: TermLists, db: object, inTitle?: TermLists): Promise<FewEvents | ManyEvents> {
  if (lists.length === 0) return { frequency: Number.POSITIVE_INFINITY }
  const known = frequencies(db)
  const key = hash('sha256', JSON.stringify(lists), 'base64url')
  const frequency = known.get(key)
  if (frequency !== undefined) return { frequency }
  const locked = inTitle
    ? Prisma.sql`CASE WHEN few AND EXISTS (${withPassword(Prisma.sql`SELECT event_id FROM matching`)})
        THEN ARRAY(${withPassword(withTerms(inTitle))}) ELSE '{}' END`
    : Prisma.sql`'{}'::int[]`
  const max = maxListed(lists)
  const statement = Prisma.sql`
    WITH matching AS MATERIALIZED (${withTerms(lists)} LIMIT ${Math.max(max, maxLookedUpByPage(lists)) + 1}::int),
      size AS (SELECT count(*)::int AS events, count(*) <= ${max}::int AS few FROM matching)
    SELECT events, CASE WHEN few THEN to_json(ARRAY(SELECT event_id FROM matching)) END AS ids,
      ${locked} AS locked
    FROM size`
  // JSON takes less time to parse than an array.
  const [row] = await querySql<{ events: number; ids: number[] | null; locked: number[] }>(db, statement)
  if (!row || row.ids) return { ids: row?.ids ?? [], lockedByTitle: row?.locked ?? [] }
  known.set(key, row.events)
  return { frequency: row.events }
}

/**
 * Events with a term of each list, which a statement looks up once, except for a page of a large set; undefined if every statement
 * had better compare the terms of each event.
 */
export function setWithTerms(lists: TermLists, frequency: number): Prisma.EventWhereInput | undefined {
  const isLarge = frequency > maxLookedUpByPage(lists)
  if (hasLongList(lists) || (isLarge && !hasManyTerms(lists))) return undefined
  const is = { AND: lists.map((terms) => ({ terms: { hasSome: [...terms] } })) }
  const set: IdSet = {
    ids: withTerms(lists),
    size: isLarge ? 'large' : frequency > maxSmallSet ? 'medium' : 'small',
  }
  return { search: { is, [idSet]: set } as object }
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
