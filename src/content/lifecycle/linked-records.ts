// What a record is linked to, checked before it is linked: it exists, and the caller may see it.

import type { Viewer } from '../../auth/permissions.ts'
import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { acquireAdvisoryLock } from '../../db/transaction.ts'
import { badInput, forbidden } from '../../errors.ts'
import { readable, unlessTrashed } from './status.ts'

/** The author of a record: the caller, unless they may write for others. */
export async function authorFor(
  tx: Tx,
  wanted: number | null | undefined,
  viewer: Viewer,
): Promise<number | undefined> {
  if (wanted == null || wanted === viewer.id) return wanted ?? undefined
  if (!may(viewer, 'editOthers')) throw forbidden('Only who may edit what others write can name another author.')
  if ((await tx.user.count({ where: { id: wanted } })) === 0) throw badInput({ authorId: 'There is no such user.' })
  return wanted
}

/** Two that become part of each other at once would not see it: those who give an event a parent take turns. */
export const takeParentTurn = (tx: Tx) => acquireAdvisoryLock(tx, 'parents of events')

/** The parent of an event: the one it has, or one that lists show the caller, and no part of the event itself. */
export async function checkParent(
  tx: Tx,
  parentId: number | null | undefined,
  event: { readonly id: number; readonly parentId: number | null } | undefined,
  context: Context,
): Promise<void> {
  if (parentId == null || parentId === event?.parentId) return
  const found = await tx.event.count({ where: { AND: [{ id: parentId }, readable(context), unlessTrashed] } })
  if (found === 0) throw badInput({ parentId: 'There is no such event.' })
  if (event === undefined) return
  const circle = await tx.$queryRaw<unknown[]>`
    WITH RECURSIVE above AS (
      SELECT id, parent_id FROM event WHERE id = ${parentId}
      UNION SELECT e.id, e.parent_id FROM event e JOIN above a ON e.id = a.parent_id
    ) SELECT id FROM above WHERE id = ${event.id}`
  if (circle.length > 0) throw badInput({ parentId: 'An event is not part of itself.' })
}

export const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]

/** Throws badInput naming those of `ids` that are not among `found`. */
export function checkFound(field: string, ids: readonly number[], found: ReadonlySet<number>): void {
  const unknown = ids.filter((id) => !found.has(id))
  if (unknown.length > 0) throw badInput({ [field]: `Unknown: ${unknown.join(', ')}.` })
}
