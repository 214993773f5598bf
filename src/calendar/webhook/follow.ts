// Follows the log of changes for an endpoint, and queues a message for each record that changed for it.
import type { GraphQLSchema } from 'graphql'
import { DomainError } from '../../basics/errors.ts'
import { queryRows } from '../../engine/postgres/query.ts'
import { WebhookRecordsDocument, type WebhookRecordsQuery } from '../../generated/graphql/graphql.ts'
import type { Role } from '../../generated/prisma/enums.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context, Environment } from '../../service/context.ts'
import type { createOperationRunner } from '../../service/graphql/execute.ts'
import { currentPosition } from '../changes/changed-records.ts'
import { readChanges } from '../changes/changes-query.ts'
import { positionOf, startSyncToken } from '../changes/sync-token.ts'
import { globalId } from '../rules/identify.ts'
import { contextOf, readFilter } from './endpoint.ts'
import { disableWebhook } from './log.ts'

export interface Follower extends Pick<Environment, 'db' | 'settings' | 'site' | 'now'> {
  readonly schema: GraphQLSchema
  readonly execute: ReturnType<typeof createOperationRunner>
}

/** Milliseconds after which the log is read although it has no new entry: time alone publishes records, and starts events. */
const maxAge = 60_000

interface EndpointState {
  readonly id: number
  readonly token: string
  readonly latest: string | null
}

/** Returns the IDs of the endpoints for which the log may have something new. */
export async function findBehind({ db, now }: Pick<Follower, 'db' | 'now'>): Promise<number[]> {
  const rows = await queryRows<EndpointState>(db, {
    text: `
      SELECT id, token, (SELECT max(transaction) FROM change WHERE transaction > 0 AND record_id > 0)::text AS latest
      FROM webhook WHERE enabled AND (leased_until IS NULL OR leased_until <= now()) ORDER BY id`,
    values: [],
    prepared: 'constant',
  })
  const isBehind = ({ token, latest }: EndpointState) => {
    const { transaction, times } = positionOf(token)
    return BigInt(transaction) <= BigInt(latest ?? 0) || Math.abs(now().getTime() - times[1]) >= maxAge
  }
  return rows.filter(isBehind).map(({ id }) => id)
}

interface LeasedEndpoint {
  readonly token: string
  readonly filter: string
  readonly language: string
  readonly userId: number | null
  readonly role: Role | null
}

/** Reads the log for an endpoint, unless another instance does, up to its end. Returns the number of changes. */
export async function followChanges(id: number, follower: Follower): Promise<number> {
  const { db, schema } = follower
  let found = 0
  for (let hasMore = true; hasMore; ) {
    const [endpoint] = await queryRows<LeasedEndpoint>(db, {
      text: `
        UPDATE webhook w SET leased_until = now() + interval '30 s'
        FROM (
          SELECT id FROM webhook WHERE id = $1 AND enabled AND (leased_until IS NULL OR leased_until <= now())
          FOR UPDATE SKIP LOCKED) AS free
        WHERE w.id = free.id
        RETURNING w.token, w.filter::text AS filter, w.language, w.user_id AS "userId",
          (SELECT role::text FROM "user" u WHERE u.id = w.user_id) AS role`,
      values: [id],
      prepared: 'constant',
    })
    if (!endpoint) return found
    try {
      const { token, language, userId, role } = endpoint
      const filter = JSON.parse(endpoint.filter)
      const user = userId !== null && role !== null ? { id: userId, role } : null
      const usable = readFilter(filter, schema)
      if (!usable) {
        await disableWebhook(db, id, 'The filter is not valid any more. Set it again.')
        return found
      }
      const context = await contextOf({ language, user }, follower)
      const page = await readPage(token, usable, context)
      const messages = await toMessages(page.changes, context, follower)
      await queueMessages(follower, { id, from: token, to: page.token, messages })
      found += messages.length
      hasMore = page.hasMore
    } finally {
      const text = 'UPDATE webhook SET leased_until = NULL WHERE id = $1'
      await queryRows(db, { text, values: [id], prepared: 'constant' })
    }
  }
  return found
}

type ReadPage = Pick<Awaited<ReturnType<typeof readChanges>>, 'changes' | 'token' | 'hasMore'>

/** Reads a page. If the log no longer has everything since the token, begins with what changes from now on. */
async function readPage(after: string, filter: object, context: Context): Promise<ReadPage> {
  try {
    return await readChanges({ after, first: null, filter, isStored: true }, context)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'SYNC_TOKEN_EXPIRED') throw error
    return { changes: [], token: startSyncToken(await currentPosition(context), context), hasMore: false }
  }
}

interface QueuedMessage {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly kind: RecordKind
  readonly record_id: number
  /** Whether the endpoint could not see the record before. */
  readonly is_new: boolean
  readonly data: object
}

async function toMessages(
  changes: ReadPage['changes'],
  context: Context,
  { execute }: Follower,
): Promise<QueuedMessage[]> {
  if (changes.length === 0) return []
  const ids = changes.filter(({ type }) => type === 'changed').map(({ kind, id }) => globalId(kind, id))
  // A record that was deleted meanwhile is null. The next page says so.
  const [{ data: found }, entries] = await Promise.all([
    execute({ document: WebhookRecordsDocument, variableValues: { ids }, contextValue: context }),
    queryRows<{ kind: string; recordId: number; entry: string | null }>(context.db, {
      text: `
        SELECT kind, record_id AS "recordId", (
          SELECT max(id) FROM change c WHERE c.kind = asked.kind AND c.record_id = asked.record_id)::text AS entry
        FROM unnest($1::text[], $2::int[]) AS asked (kind, record_id)`,
      values: [changes.map(({ kind }) => kind), changes.map(({ id }) => id)],
      prepared: 'constant',
    }),
  ])
  const { nodes } = found as unknown as WebhookRecordsQuery
  const nodeOf = new Map(nodes.map((node) => [node?.id, node]))
  const entryOf = new Map(entries.map(({ kind, recordId, entry }) => [`${kind} ${recordId}`, entry]))
  return changes.map(({ kind, id, type, isNew }) => {
    const node = nodeOf.get(globalId(kind, id))
    const { url = null, translations = [] } = node && 'url' in node ? node : {}
    const data = {
      ...{ kind, id: globalId(kind, id), databaseId: id, url },
      languages: translations.map(({ language }) => language.toLowerCase().replaceAll('_', '-')),
      changeId: entryOf.get(`${kind} ${id}`) ?? null,
    }
    return {
      type: type === 'removed' ? 'deleted' : isNew ? 'created' : 'updated',
      kind,
      record_id: id,
      is_new: isNew ?? false,
      data,
    }
  })
}

interface ReadResult {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly messages: readonly QueuedMessage[]
}

/**
 * Queues messages and stores the new token in one statement, unless another instance has stored one. A message about a record
 * changes the one that was not sent yet, and replaces one that waits for its next try. One that is being sent stays, because
 * the endpoint may have read the record before the change. Nothing is told of the end of a record that the endpoint cannot know,
 * or knows to have ended: every change of a record outside of the filter would be one. A record that was read before the log could
 * be read up to its publication is not told as new again.
 */
const queueMessages = ({ db }: Pick<Follower, 'db'>, { id, from, to, messages }: ReadResult) =>
  queryRows(db, {
    text: `
      WITH moved AS (UPDATE webhook SET token = $3 WHERE id = $1 AND token = $2 RETURNING id),
      item AS (
        SELECT moved.id AS webhook_id, kind, record_id, item.data,
          CASE WHEN item.type = 'created' AND last.is_known THEN 'updated' ELSE item.type END AS type
        FROM moved CROSS JOIN
          jsonb_to_recordset($4::jsonb) AS item (type webhook_message, kind text, record_id int, is_new boolean, data jsonb)
          LEFT JOIN LATERAL (
            SELECT type, type <> 'deleted' AND state <> 'failed' AS is_known FROM webhook_delivery d
            WHERE d.webhook_id = $1 AND d.kind = item.kind AND d.record_id = item.record_id ORDER BY id DESC LIMIT 1) AS last ON true
        WHERE item.type <> 'deleted' OR coalesce(last.type <> 'deleted', NOT item.is_new)),
      replaced AS (
        UPDATE webhook_delivery d SET state = 'replaced', leased_until = NULL FROM item
        WHERE d.webhook_id = item.webhook_id AND d.kind = item.kind AND d.record_id = item.record_id
          AND d.state = 'pending' AND d.tries > 0 AND (d.leased_until IS NULL OR d.leased_until <= now())
        RETURNING d.kind, d.record_id, d.type)
      INSERT INTO webhook_delivery AS d (webhook_id, type, kind, record_id, data)
      SELECT item.webhook_id, coalesce(merge_messages(replaced.type, item.type), item.type), kind, record_id, item.data
      FROM item LEFT JOIN replaced USING (kind, record_id)
      ON CONFLICT (webhook_id, kind, record_id) WHERE state = 'pending' AND tries = 0
        DO UPDATE SET type = merge_messages(d.type, excluded.type), data = excluded.data`,
    values: [id, from, to, JSON.stringify(messages)],
    prepared: 'constant',
  })
