// Finds the records that may have changed between two positions of the log, and what callers could see of them.
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type PostKind, type RecordKind, recordKinds } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import type { SyncPosition } from './sync-token.ts'

const { sql, raw, join } = Prisma

/** Changes between two positions. */
export interface ChangeWindow {
  readonly since: SyncPosition
  readonly until: SyncPosition
}

/** The position up to which all changes can be read now. */
export async function currentPosition({ reads, now }: Pick<Context, 'reads' | 'now'>): Promise<SyncPosition> {
  const [row] = await reads.rows<{ transaction: string; entry: string | null; time: number | null }>(sql`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction, last.id::text AS entry, last.time
    FROM (VALUES (1)) AS one LEFT JOIN (
      SELECT id, extract(epoch FROM created_at)::float8 AS time FROM change ORDER BY id DESC LIMIT 1
    ) AS last ON true`)
  const { transaction = '0', entry = null, time = null } = row ?? {}
  return {
    transaction,
    times: [now.getTime(), now.getTime()],
    entry: entry === null || time === null ? null : [entry, time],
  }
}

const day = 24 * 60 * 60 * 1000

/**
 * Whether the log still has everything since this position, in the order of transactions, and the database was not replaced by
 * an earlier one.
 */
export async function isInLog(
  { transaction, times, entry }: SyncPosition,
  { reads, now, settings }: Pick<Context, 'reads' | 'now' | 'settings'>,
): Promise<boolean> {
  if (now.getTime() - times[0] > settings.changeLogDays * day) return false
  const found = entry
    ? sql`EXISTS (SELECT FROM change WHERE id = ${entry[0]}::bigint AND extract(epoch FROM created_at)::float8 = ${entry[1]})
        AND NOT EXISTS (SELECT FROM change WHERE transaction = 0 AND id > ${entry[0]}::bigint)`
    : sql`NOT EXISTS (SELECT FROM change WHERE transaction < ${transaction}::bigint)`
  const [row] = await reads.rows<{ found: boolean }>(
    sql`SELECT ${found} AND pg_snapshot_xmax(pg_current_snapshot())::text::bigint >= ${transaction}::bigint AS found`,
  )
  return row?.found === true
}

/** What a list of a kind depends on besides its own records. */
export interface ListTraits {
  /** Whether the list changes when events start or end. */
  readonly comparesTimes: boolean
  /** Whether the list depends on the events that show its records. */
  readonly dependsOnEvents: boolean
  /** Whether the list has only events that are hidden from other lists. */
  readonly isOfHidden: boolean
  /** Whether the list has only one date of each series, so that a change of one can bring another into it. */
  readonly hasNextOnly: boolean
}

/** The condition of the index on transactions, without which the whole log would be read. */
const isIndexed = raw('c.transaction > 0 AND c.record_id > 0')

const isInWindow = ({ since, until }: ChangeWindow) =>
  sql`c.transaction >= ${since.transaction}::bigint AND c.transaction < ${until.transaction}::bigint AND ${isIndexed}`

/** Maximum of entries in a window, unless one transaction has more: each page looks for the records of the whole window. */
const maxEntries = 1000

/** Returns the transaction before which a window that begins at a position has to end; undefined if few entries follow. */
export async function findWindowLimit(
  { transaction }: SyncPosition,
  { reads }: Pick<Context, 'reads'>,
): Promise<string | undefined> {
  const [row] = await reads.rows<{ limit: string }>(sql`
    SELECT greatest(c.transaction, ${transaction}::bigint + 1)::text AS "limit" FROM change c
    WHERE c.transaction >= ${transaction}::bigint AND ${isIndexed} ORDER BY c.transaction OFFSET ${maxEntries} LIMIT 1`)
  return row?.limit
}

const seesAll = ({ viewer }: Pick<Context, 'viewer'>) => may(viewer, 'editOthers')

const table = (name: string) => raw(`"${name}"`)

const loggedKinds = [...recordKinds, 'series', 'image', 'user'] as const
type LoggedKind = (typeof loggedKinds)[number]

/** Finds the records that may have changed in a window. */
export function createChangeFinder(window: ChangeWindow, context: Context) {
  const { viewer, now } = context
  // Clocks may have been set back, and those of instances differ.
  const readings = [...window.since.times, ...window.until.times]
  const times = [Math.min(...readings), Math.max(...readings)].map((time) => new Date(time))
  const isBetween = (column: string) => sql`${raw(column)} BETWEEN ${times[0]} AND ${times[1]}`

  /** The entries of a kind in the statement of `findIds`, which reads the log once for each kind. */
  const entries = (kind: LoggedKind) => table(`${kind}_entries`)
  /** Entries of a kind. Those of posts that the caller could not see since the window began are left out. */
  function readEntries(kind: LoggedKind): Prisma.Sql {
    const all = sql`SELECT c.* FROM change c WHERE ${isInWindow(window)} AND c.kind = ${kind}`
    if (kind === 'image') return all
    if (kind === 'user') return sql`${all} AND c.fields ? 'name'`
    const isSeries = kind === 'series'
    if ((!isSeries && !isPost(kind)) || seesAll(context)) return all
    // All dates of a series have the same status, publication date and author.
    const post = isSeries ? sql`LATERAL (SELECT * FROM event WHERE series_id = c.record_id LIMIT 1)` : table(kind)
    const viewerId = viewer?.id ?? 0
    const saysSeen = (entry: string) => sql`
      (${raw(entry)}.fields->'status' ?| ARRAY['publish', 'future'] OR ${raw(entry)}.fields->'author_id' @> to_jsonb(${viewerId}::int))`
    // All dates of a series have its status and author, so that the entry of one deleted date is enough.
    // ORDER BY keeps the planner from a sequential scan, which it would choose if the log has few transactions.
    const ofDeletedDates = sql`
      OR EXISTS (
        SELECT FROM change deletion CROSS JOIN LATERAL (
          SELECT fields FROM change gone
          WHERE gone.transaction = deletion.transaction AND gone.transaction > 0 AND gone.record_id > 0 AND gone.kind = 'event'
            AND (gone.fields->'series_id'->>0)::int = c.record_id
          ORDER BY gone.record_id LIMIT 1) AS date
        WHERE deletion.kind = c.kind AND deletion.record_id = c.record_id AND deletion.id >= c.id AND deletion.action = 'deleted'
          AND ${saysSeen('date')})`
    // A post that the caller could see before has an entry that says so, which may be later than the window.
    return sql`
      SELECT c.* FROM change c LEFT JOIN ${post} AS post ON ${isSeries ? sql`true` : sql`post.id = c.record_id`}
      WHERE ${isInWindow(window)} AND c.kind = ${kind} AND NOT c.is_hidden
        AND (post.live AND post.published_at <= ${times[1]} OR post.author_id = ${viewerId} OR EXISTS (
          SELECT FROM change later
          WHERE later.kind = c.kind AND later.record_id = c.record_id AND later.transaction >= ${window.since.transaction}::bigint
            AND (${saysSeen('later')} OR post.live AND later.fields ? 'published_at'))
          ${isSeries ? ofDeletedDates : sql``})`
  }
  const withEntries = join(loggedKinds.map((kind) => sql`${entries(kind)} AS (${readEntries(kind)})`))
  /** A change of a series is one of its dates, also of those that left it since, or were deleted. */
  const ofSeries = sql`
    SELECT id FROM event WHERE series_id IN (SELECT record_id FROM series_entries) UNION
    SELECT record_id FROM change c WHERE ${isInWindow(window)} AND c.kind = 'event'
      AND (c.fields->'series_id'->>0)::int IN (SELECT record_id FROM series_entries)`
  const idsOf = (kind: LoggedKind) =>
    sql`SELECT record_id FROM ${entries(kind)}${kind === 'event' ? sql` UNION ${ofSeries}` : sql``}`

  /** Posts that show an image or an author that changed, and posts that were published. */
  const postsAround = (kind: PostKind) => [
    sql`SELECT id FROM ${table(kind)} WHERE image_id IN (${idsOf('image')})`,
    sql`SELECT id FROM ${table(kind)} WHERE author_id IN (${idsOf('user')})`,
    sql`SELECT id FROM ${table(kind)} WHERE live AND ${isBetween('published_at')}`,
  ]
  /** Categories whose names, or those of categories above them, changed. */
  const categories = () => sql`
    SELECT descendant_id FROM category_path WHERE ancestor_id IN (${idsOf('category')}) UNION ${idsOf('category')}`
  const shownBy = { venue: posts('venue'), organizer: posts('organizer'), category: categories(), tag: idsOf('tag') }
  function posts(kind: PostKind): Prisma.Sql {
    return join([idsOf(kind), ...postsAround(kind)], ' UNION ')
  }
  const linkedKinds = Object.keys(shownBy) as (keyof typeof shownBy)[]

  /** Records that events show which changed, were published, or started or ended; also by links that were removed. */
  const shownByEvents = (kind: keyof typeof shownBy, { comparesTimes }: ListTraits) => {
    const held = comparesTimes
      ? [sql`SELECT id FROM event WHERE ${isBetween('starts_at')} OR ${isBetween('ends_at')}`]
      : []
    const events = join([posts('event'), ...held], ' UNION ')
    return [
      sql`SELECT ${raw(`${kind}_id`)} FROM ${table(`event_${kind}`)} WHERE event_id IN (${events})`,
      sql`SELECT split_part(key, '#', 2)::int
        FROM (TABLE event_entries UNION ALL TABLE series_entries) AS c, jsonb_object_keys(fields) AS key
        WHERE key LIKE ${`${kind}#%`}`,
    ]
  }

  function changedIds(kind: RecordKind, traits: ListTraits, after: number, limit: number): Prisma.Sql[] {
    if (kind === 'event') {
      // A venue may have thousands of events, of which a page needs the first ones.
      const linked = linkedKinds.map(
        (other) => sql`
          SELECT event_id FROM (${shownBy[other]}) AS shown (id) CROSS JOIN LATERAL (
            SELECT event_id FROM ${table(`event_${other}`)} WHERE ${raw(`${other}_id`)} = shown.id AND event_id > ${after}
            ORDER BY event_id LIMIT ${limit}) AS first`,
      )
      const held = traits.comparesTimes
        ? [
            sql`SELECT id FROM event WHERE ${isBetween('starts_at')}`,
            sql`SELECT id FROM event WHERE ${isBetween('ends_at')}`,
          ]
        : []
      const changed = [idsOf('event'), ...postsAround('event'), ...linked, ...held]
      if (!traits.hasNextOnly) return changed
      return [
        sql`WITH changed (id) AS (${join(changed, ' UNION ')}) TABLE changed UNION
          SELECT id FROM event WHERE series_id IN (SELECT series_id FROM event WHERE id IN (TABLE changed))`,
      ]
    }
    return [shownBy[kind], ...(traits.dependsOnEvents ? shownByEvents(kind, traits) : [])]
  }

  return {
    /** Returns the first IDs above `after`, in order, of records that may have changed, or that show a record that may have. */
    async findIds(kind: RecordKind, traits: ListTraits, after: number, limit: number): Promise<number[]> {
      const branches = changedIds(kind, traits, after, limit).map(
        (ids) => sql`SELECT id FROM (${ids}) AS changed (id) WHERE id > ${after}`,
      )
      const rows = await context.reads.rows<{ id: number }>(
        sql`WITH ${withEntries} SELECT id::int AS id FROM (${join(branches, ' UNION ')}) AS ids ORDER BY id LIMIT ${limit}`,
      )
      return rows.map(({ id }) => id)
    },

    /**
     * Returns which of these records the caller could see in lists at some time since the window began, each with the UIDs that
     * were stored with it at these times.
     */
    async findSeen(
      kind: RecordKind,
      ids: readonly number[],
      traits: ListTraits,
    ): Promise<ReadonlyMap<number, readonly (string | null)[]>> {
      const named = await findNamed(kind, ids)
      if (named.length === 0 || !isPost(kind)) return new Map(named.map((id) => [id, []]))
      const states = await findStates(kind, named)
      const seen = named.map((id) => [id, states(id).filter((post) => isSeen(post, traits))] as const)
      return new Map(seen.flatMap(([id, posts]) => (posts[0] ? [[id, posts.map((post) => post?.uid ?? null)]] : [])))
    },

    /** Returns which of these records did not exist, or could not be seen by the caller in lists, when the window began. */
    async findNew(kind: RecordKind, ids: readonly number[], traits: ListTraits): Promise<ReadonlySet<number>> {
      if (ids.length === 0) return new Set()
      if (isPost(kind)) {
        const states = await findStates(kind, ids)
        return new Set(ids.filter((id) => !isSeen(states(id).at(-1), traits, new Date(window.since.times[0]))))
      }
      const rows = await context.reads.rows<{ id: number }>(sql`
        SELECT record_id AS id FROM change c
        WHERE ${isInWindow(window)} AND kind = ${kind} AND record_id = ANY (${ids}) AND action = 'created'`)
      return new Set(rows.map(({ id }) => id))
    },
  }

  /** Without language fallback, lists have only records with a name in the language. */
  async function findNamed(kind: RecordKind, ids: readonly number[]): Promise<readonly number[]> {
    const { language, settings, reads } = context
    if (settings.languageFallback || ids.length === 0) return ids
    const rows = await reads.rows<{ id: number }>(sql`
      SELECT ${raw(`${kind}_id`)} AS id FROM ${table(`${kind}_text`)}
        WHERE ${raw(`${kind}_id`)} = ANY (${ids}) AND language = ${language} AND 'name' = ANY (written)
      UNION SELECT record_id FROM change c WHERE transaction >= ${window.since.transaction}::bigint AND kind = ${kind}
        AND record_id = ANY (${ids}) AND fields ? ${`name@${language}`}
      UNION SELECT place.id FROM (${placesOf(ids)}) AS place WHERE ${kind === 'event'} AND (
        EXISTS (SELECT FROM content_text WHERE content_id = series_id AND language = ${language} AND 'name' = ANY (written))
        OR EXISTS (SELECT FROM change c WHERE transaction >= ${window.since.transaction}::bigint AND kind = 'series'
          AND record_id = series_id AND fields ? ${`name@${language}`}))`)
    return rows.map(({ id }) => id)
  }

  /**
   * The series of events since the window began, with the first and the last transaction whose changes of the series are changes of
   * the event, too. A new date has no part in the one that created it.
   */
  function placesOf(ids: readonly number[]): Prisma.Sql {
    return sql`
      WITH move AS (
        SELECT record_id AS id, transaction, transaction + (action = 'created')::int AS joined_at,
          (fields->'series_id'->>0)::int AS left_id, (fields->'series_id'->>1)::int AS joined_id
        FROM change c WHERE transaction >= ${window.since.transaction}::bigint AND kind = 'event' AND record_id = ANY (${ids})
          AND fields ? 'series_id')
      SELECT place.id, series_id, joined_at, left_at FROM (
        SELECT id, series_id, NULL::bigint AS left_at FROM event WHERE id = ANY (${ids}) AND series_id IS NOT NULL
        UNION ALL SELECT id, left_id, transaction FROM move WHERE left_id IS NOT NULL
      ) AS place LEFT JOIN move ON move.id = place.id AND joined_id = series_id`
  }

  /** Returns the states of each post since the window began, from the current one back to the first. */
  async function findStates(kind: PostKind, ids: readonly number[]) {
    const [isHidden, uid] = kind === 'event' ? [raw('hide_from_listings'), raw('uid')] : [raw('false'), raw('NULL')]
    const [current, entries] = await Promise.all([
      context.reads.rows<{ id: number } & Access>(sql`
        SELECT id, status::text AS status, published_at AS "publishedAt", author_id AS "authorId", ${isHidden} AS "isHidden", ${uid} AS uid
        FROM ${table(kind)} WHERE id = ANY (${ids})`),
      context.reads.rows<AccessEntry>(sql`
        SELECT c.record_id AS id, c.action, c.status, c."publishedAt", c."authorId", c."isHidden", c.uid FROM (
          SELECT c.id, record_id, action::text AS action, ${accessSql}, fields->'uid' AS uid
          FROM change c WHERE transaction >= ${window.since.transaction}::bigint AND kind = ${kind} AND record_id = ANY (${ids})
          UNION ALL
          SELECT c.id, place.id, CASE WHEN joined_at IS NULL THEN action::text ELSE 'updated' END, ${accessSql}, NULL
          FROM (${placesOf(kind === 'event' ? ids : [])}) AS place JOIN change c ON c.kind = 'series' AND c.record_id = series_id
            AND transaction BETWEEN greatest(${window.since.transaction}::bigint, joined_at) AND coalesce(left_at, transaction)
        ) AS c ORDER BY c.id DESC`),
    ])
    const byId = new Map(current.map((row) => [row.id, row]))
    const entriesById = Map.groupBy(entries, ({ id }) => id)
    return (id: number) => earlierStates(byId.get(id), entriesById.get(id) ?? [])
  }

  function isSeen(post: Access | undefined, { isOfHidden }: ListTraits, at = times[1] ?? now): boolean {
    return post !== undefined && post.isHidden === isOfHidden && isReadable(post, at)
  }

  function isReadable({ status, publishedAt, authorId }: Access, at: Date): boolean {
    if (seesAll(context)) return true
    const isPublished = (status === 'publish' || status === 'future') && publishedAt <= at
    return status !== 'trash' && (isPublished || (viewer !== undefined && authorId === viewer.id))
  }
}

const accessSql = sql`fields->'status' AS status, fields->'published_at' AS "publishedAt", fields->'author_id' AS "authorId",
  fields->'hide_from_listings' AS "isHidden"`

/** What decides on who sees a post. */
interface Access {
  readonly status: string
  readonly publishedAt: Date
  readonly authorId: number | null
  readonly isHidden: boolean
  readonly uid: string | null
}

type Pair<Value> = readonly [before: Value | null, after: Value | null] | null

/** An entry of the log, with the changes of what decides on who sees the post. */
interface AccessEntry {
  readonly id: number
  readonly action: string
  readonly status: Pair<string>
  readonly publishedAt: Pair<string>
  readonly authorId: Pair<number>
  readonly isHidden: Pair<boolean>
  readonly uid: Pair<string>
}

/** Returns the states of a post, from the current one back to that before the first entry; undefined where it did not exist. */
function earlierStates(current: Access | undefined, newestFirst: readonly AccessEntry[]): (Access | undefined)[] {
  const states = [current]
  for (const { action, status, publishedAt, authorId, isHidden, uid } of newestFirst) {
    const after = states.at(-1)
    if (action === 'created') {
      states.push(undefined)
      continue
    }
    states.push({
      status: status?.[0] ?? after?.status ?? '',
      publishedAt: publishedAt?.[0] ? new Date(publishedAt[0]) : (after?.publishedAt ?? new Date(0)),
      authorId: authorId ? authorId[0] : (after?.authorId ?? null),
      isHidden: isHidden ? isHidden[0] === true : (after?.isHidden ?? false),
      uid: uid ? uid[0] : (after?.uid ?? null),
    })
  }
  return states
}
