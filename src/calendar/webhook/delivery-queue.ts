// The table of messages, which all instances of the service send together.
import type { Db } from '../../engine/postgres/client.ts'
import { queryRows } from '../../engine/postgres/query.ts'
import type { Message, Outcome } from './send.ts'

/** Milliseconds from each try to the next: 10 tries in about 3 days. */
const delays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000)

const run = <Row = object>(db: Db, text: string, ...values: readonly unknown[]) =>
  queryRows<Row>(db, { text, values, prepared: 'constant' })

/** A message that this process sends. */
export interface LeasedMessage extends Message {
  readonly id: number
  readonly webhookId: number
  readonly tries: number
}

const isSendable = `w.enabled AND (w.paused_until IS NULL OR w.paused_until <= now())`
const isDue = `d.state = 'pending' AND d.due_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())`

/** Returns the IDs of the webhooks with due messages. */
export async function findDueWebhooks(db: Db): Promise<number[]> {
  const rows = await run<{ id: number }>(
    db,
    `SELECT id FROM webhook w
    WHERE ${isSendable} AND EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND ${isDue})`,
  )
  return rows.map(({ id }) => id)
}

/** Returns the next message of a webhook, which no other instance gets for 20 seconds. Those about one record keep their order. */
export async function leaseMessage(db: Db, webhookId: number): Promise<LeasedMessage | undefined> {
  const [row] = await run<
    Omit<LeasedMessage, 'data' | 'secrets' | 'createdAt'> & Record<'data' | 'secrets' | 'createdAt', string>
  >(
    db,
    `UPDATE webhook_delivery d SET tries = d.tries + 1, leased_until = now() + interval '20 s', tried_at = now()
    FROM (
      SELECT d.id, w.url, w.secrets FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
      WHERE d.webhook_id = $1 AND ${isSendable} AND ${isDue} AND NOT EXISTS (
        SELECT FROM webhook_delivery e WHERE e.webhook_id = d.webhook_id AND e.kind = d.kind AND e.record_id = d.record_id
          AND e.state = 'pending' AND e.id < d.id)
      ORDER BY d.due_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED) AS due
    WHERE d.id = due.id
    RETURNING d.id, d.webhook_id AS "webhookId", d.message_id::text AS "messageId", d.type::text AS type, d.kind, d.tries,
      d.data::text AS data, (extract(epoch FROM d.created_at) * 1000)::text AS "createdAt", due.url, due.secrets::text AS secrets`,
    webhookId,
  )
  if (!row) return undefined
  const { data, secrets, createdAt } = row
  return { ...row, data: JSON.parse(data), secrets: JSON.parse(secrets), createdAt: new Date(Number(createdAt)) }
}

/** How a try ended. A message that was not accepted is `replaced` if a later one about the record waits. */
export type Result = 'delivered' | 'retried' | 'failed' | 'replaced'

/** Stores how a try ended. Returns undefined if the lease ended before, so that another instance decides. */
export async function storeOutcome(
  db: Db,
  { id, webhookId, tries }: Pick<LeasedMessage, 'id' | 'webhookId' | 'tries'>,
  { status, error, retryAfter = 0 }: Outcome,
): Promise<Result | undefined> {
  if (retryAfter > 0)
    await run(db, `UPDATE webhook SET paused_until = now() + $2 * interval '1 ms' WHERE id = $1`, webhookId, retryAfter)
  const delay = delays[tries - 1]
  // With jitter, so that the messages of an endpoint that failed do not all return at once.
  const wait = Math.max(retryAfter, (delay ?? 0) * (1 + Math.random() / 5))
  const end = error === undefined ? 'delivered' : delay === undefined || status === 410 ? 'failed' : 'pending'
  const [row] = await run<{ state: string }>(
    db,
    `WITH own AS (
      SELECT d.*, $2 <> 'delivered' AND EXISTS (
        SELECT FROM webhook_delivery e WHERE e.webhook_id = d.webhook_id AND e.kind = d.kind AND e.record_id = d.record_id
          AND e.kind <> '' AND e.state = 'pending' AND e.id > d.id) AS is_replaced
      FROM webhook_delivery d WHERE id = $1 AND tries = $6 AND state = 'pending' FOR UPDATE),
    later AS (
      UPDATE webhook_delivery e SET type = merge_messages(own.type, e.type) FROM own
      WHERE own.is_replaced AND e.webhook_id = own.webhook_id AND e.kind = own.kind AND e.record_id = own.record_id
        AND e.state = 'pending' AND e.id > own.id)
    UPDATE webhook_delivery d SET
      state = CASE WHEN own.is_replaced THEN 'replaced' ELSE $2 END::delivery_state,
      leased_until = NULL, due_at = now() + $3 * interval '1 ms', last_status = $4, last_error = $5
    FROM own WHERE d.id = own.id RETURNING d.state::text AS state`,
    ...[id, end, wait, status, error ?? null, tries],
  )
  return row && ((row.state === 'pending' ? 'retried' : row.state) as Result)
}

/** Ends the lease of a message whose sending was interrupted: it is due now. */
export const releaseMessage = (db: Db, { id, tries }: Pick<LeasedMessage, 'id' | 'tries'>) =>
  run(db, `UPDATE webhook_delivery SET leased_until = NULL WHERE id = $1 AND tries = $2`, id, tries)

/** Ends all leases. Only for the embedded database, which no other process sends from. */
export const releaseAll = (db: Db) =>
  run(
    db,
    `WITH endpoints AS (UPDATE webhook SET leased_until = NULL WHERE leased_until IS NOT NULL)
    UPDATE webhook_delivery SET leased_until = NULL WHERE leased_until IS NOT NULL`,
  )

/** Reads how many messages wait, and for how many seconds the oldest one does. */
export async function readQueue(db: Db): Promise<{ pending: number; oldest: number }> {
  const [row] = await run<{ pending: number; oldest: number }>(
    db,
    `SELECT count(*)::int AS pending, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS oldest
    FROM webhook_delivery WHERE state = 'pending'`,
  )
  return row ?? { pending: 0, oldest: 0 }
}
