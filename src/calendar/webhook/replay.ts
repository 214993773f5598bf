import { badInputError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'

interface Selection {
  readonly deliveryId?: number | null | undefined
  readonly from?: Date | null | undefined
  readonly to?: Date | null | undefined
  readonly state?: string | null | undefined
}

const maxReplayed = 10_000

const { sql, join, empty } = Prisma

/**
 * Queues the selected messages again, as new messages, except those with a later one about the same record: an old `created` after
 * a `deleted` would bring the record back at the endpoint. Returns the number of queued messages.
 */
export async function replayDeliveries(
  tx: Tx,
  id: number,
  { deliveryId, from, to, state }: Selection,
): Promise<number> {
  if (deliveryId == null && from == null && state == null) {
    const message = 'Set deliveryId, from or state.'
    throw badInputError({ deliveryId: message, from: message, state: message })
  }
  const conditions = [
    deliveryId == null ? empty : sql`AND id = ${deliveryId}`,
    from == null ? empty : sql`AND created_at >= ${from}`,
    to == null ? empty : sql`AND created_at < ${to}`,
    state == null ? empty : sql`AND state = ${state}::delivery_state`,
  ]
  const replayed = await tx.$executeRaw`
    INSERT INTO webhook_delivery (webhook_id, type, kind, record_id, data)
    SELECT webhook_id, type, kind, record_id, data FROM webhook_delivery d
    WHERE webhook_id = ${id} AND kind <> '' AND state <> 'pending' ${join(conditions, ' ')} AND NOT EXISTS (
      SELECT FROM webhook_delivery e
      WHERE e.webhook_id = d.webhook_id AND e.kind = d.kind AND e.record_id = d.record_id AND e.id > d.id)
    ORDER BY id LIMIT ${maxReplayed + 1}
    ON CONFLICT (webhook_id, kind, record_id) WHERE state = 'pending' AND tries = 0 DO NOTHING`
  if (replayed > maxReplayed)
    throw badInputError({ to: `At most ${maxReplayed} messages can be sent again at once. Select a shorter time.` })
  if (
    replayed === 0 &&
    deliveryId != null &&
    (await tx.webhookDelivery.count({ where: { id: deliveryId, webhookId: id } })) === 0
  )
    throw badInputError({ deliveryId: 'deliveryId must be the ID of a delivery of this webhook.' })
  return replayed
}
