// What a record is linked to, checked before it is linked: it exists, and the caller may see it.
import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { badInput, forbidden } from '../errors.ts'
import type { Viewer } from '../viewer.ts'
import { may } from './rights.ts'
import { readable } from './status.ts'

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

/** The parent of an event: one that the caller may read, and no part of the event itself. */
export async function checkParent(
  tx: Tx,
  parentId: number | null | undefined,
  eventId: number | undefined,
  context: Context,
): Promise<void> {
  if (parentId == null) return
  const found = await tx.event.count({ where: { AND: [{ id: parentId }, readable(context)] } })
  if (found === 0) throw badInput({ parentId: 'There is no such event.' })
  for (let above: number | null = parentId; above !== null; ) {
    if (above === eventId) throw badInput({ parentId: 'An event is not part of itself.' })
    const row: { parentId: number | null } | null = await tx.event.findUnique({
      where: { id: above },
      select: { parentId: true },
    })
    above = row?.parentId ?? null
  }
}

export const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]

/** Throws badInput naming those of `ids` that are not among `found`. */
export function checkFound(field: string, ids: readonly number[], found: readonly { id: number }[]): void {
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw badInput({ [field]: `Unknown: ${unknown.join(', ')}.` })
}
