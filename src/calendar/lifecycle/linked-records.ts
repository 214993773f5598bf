// Checks that records exist, and that the caller may see them, before other records are linked to them.

import { badInputError, forbiddenFieldError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import { may, type Viewer } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { parseReferenceId } from '../rules/identify.ts'
import { notTrashedFilter, readableFilter } from '../rules/status.ts'

/** Returns the ID of the author to store. Throws forbiddenFieldError for another author than the viewer, without `editOthers`. */
export async function resolveAuthor(
  tx: Tx,
  author: string | null | undefined,
  viewer: Viewer,
): Promise<number | undefined> {
  const authorId = parseReferenceId('user', author, 'authorId')
  if (authorId == null || authorId === viewer.id) return authorId ?? undefined
  if (!may(viewer, 'editOthers'))
    throw forbiddenFieldError('authorId', 'Setting another author requires the right to edit records of others.')
  if ((await tx.user.count({ where: { id: authorId } })) === 0)
    throw badInputError({ authorId: 'There is no user with this ID.' })
  return authorId
}

/** Acquires a lock against concurrent changes of parents, which could make two events parents of each other. */
export const lockEventParents = (tx: Tx) => acquireAdvisoryLock(tx, 'event parents')

/**
 * Returns the ID of the parent to store. Throws badInputError unless the parent stays the same, or is an event that lists show to the
 * caller and that is not a descendant of the event.
 */
export async function checkParent(
  tx: Tx,
  parent: string | null | undefined,
  event: { readonly id: number; readonly parentId: number | null } | undefined,
  context: Context,
): Promise<number | null | undefined> {
  const parentId = parseReferenceId('event', parent, 'parentId')
  if (parentId == null || parentId === event?.parentId) return parentId
  const visible = await tx.event.count({
    where: { AND: [{ id: parentId }, readableFilter(context), notTrashedFilter] },
  })
  if (visible === 0) throw badInputError({ parentId: 'There is no event with this ID, or you may not see it.' })
  if (event === undefined) return parentId
  const cycle = await tx.$queryRaw<unknown[]>`
    WITH RECURSIVE above AS (
      SELECT id, parent_id FROM event WHERE id = ${parentId}
      UNION SELECT e.id, e.parent_id FROM event e JOIN above a ON e.id = a.parent_id
    ) SELECT id FROM above WHERE id = ${event.id}`
  if (cycle.length > 0) throw badInputError({ parentId: 'An event cannot be its own parent, nor below itself.' })
  return parentId
}
