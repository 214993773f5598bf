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

/** Queues the last of the selected messages about each record again, as new messages. Returns their number. */
export async function replayDeliveries(
  tx: Tx,
  id: number,
  { deliveryId, from, to, state }: Selection,
): Promise<number> {
  if (deliveryId == null && from == null)
    throw badInputError({ from: 'Set either deliveryId or from.', deliveryId: 'Set either deliveryId or from.' })
  const conditions = [
    deliveryId == null ? empty : sql`AND id = ${deliveryId}`,
    from == null ? empty : sql`AND created_at >= ${from}`,
    to == null ? empty : sql`AND created_at < ${to}`,
    state == null ? empty : sql`AND state = ${state}::delivery_state`,
  ]
  const replayed = await tx.$executeRaw`
    INSERT INTO webhook_delivery (webhook_id, type, kind, record_id, data)
    SELECT DISTINCT ON (kind, record_id) webhook_id, type, kind, record_id, data FROM webhook_delivery
    WHERE webhook_id = ${id} AND kind <> '' AND state <> 'pending' ${join(conditions, ' ')}
    ORDER BY kind, record_id, id DESC LIMIT ${maxReplayed + 1}
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
