// Logs changes of webhooks with those of records.
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { job, runInTransaction } from '../../engine/postgres/transaction.ts'

/** Logs a change in its transaction. `fields` has [before, after] by name, and no secrets. */
export async function logWebhookChange(
  tx: Tx,
  id: number,
  action: 'created' | 'updated' | 'deleted',
  fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>> = {},
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO change (kind, record_id, action, fields, user_id, credential_id, source, request_id)
    SELECT 'webhook', ${id}, ${action}::change_action, ${JSON.stringify(fields)}::jsonb, (actor->>'user')::int,
      (actor->>'credential')::int, actor->>'source', actor->>'request'
    FROM (SELECT nullif(current_setting('calendar.actor', true), '')::jsonb AS actor) AS settings`
}

/** Disables a webhook, for a reason that administrators read. */
export const disableWebhook = (db: Db, id: number, disabledReason: string): Promise<void> =>
  runInTransaction(db, job, async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { id, enabled: true },
      data: { enabled: false, disabledReason },
    })
    if (count > 0)
      await logWebhookChange(tx, id, 'updated', { enabled: [true, false], disabled_reason: [null, disabledReason] })
  })
