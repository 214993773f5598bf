import type { Prisma } from '../../generated/prisma/client.ts'
import { kinds, postKinds } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { readable } from '../lifecycle/status.ts'

/** Events, venues or organizers whose image the caller may see. */
export function showsImage(context: Context) {
  const conditions = [readable(context), unlocked(context)]
  // Prisma ignores an empty condition within OR, although it matches every record.
  if (conditions.every((condition) => Object.keys(condition).length === 0)) return {}
  return { OR: [{ AND: conditions }, { authorId: context.viewer?.id ?? 0 }] }
}

const relations = postKinds.map((kind) => kinds[kind].plural)

/** A condition per kind of record: images that a record uses and shows to the caller. */
const usesOf = (context: Context) => relations.map((relation) => ({ [relation]: { some: showsImage(context) } }))

/** Images that records use, as far as the caller may see them; or all others. */
export const usedImages = (used: boolean, context: Context): Prisma.ImageWhereInput =>
  used ? { OR: usesOf(context) } : { NOT: { OR: usesOf(context) } }

/**
 * Images that the caller may read and link to a record: their own, those of records that they may see, and, for those who
 * may write, unused images without an author. Other images are treated as unknown, because IDs can be guessed.
 */
export function usableImages(context: Context): Prisma.ImageWhereInput {
  const { viewer } = context
  if (may(viewer, 'editOthers')) return {}
  const shown = [{ authorId: viewer?.id ?? 0 }, ...usesOf(context)]
  if (!may(viewer, 'write')) return { OR: shown }
  // The image of a draft stays for a while after the draft was deleted.
  const unused = { authorId: null, ...Object.fromEntries(relations.map((relation) => [relation, { none: {} }])) }
  return { OR: [...shown, unused] }
}
