import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { kinds, postKinds } from '../kinds.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { readable } from '../lifecycle/status.ts'

/**
 * Images that the caller may read and link to a record: their own, those of records that they may see, and, for those who
 * may write, unused images without an author. Other images are treated as unknown, because IDs can be guessed.
 */
export function usableImages(context: Context): Prisma.ImageWhereInput {
  const { viewer } = context
  if (may(viewer, 'editOthers')) return {}
  const open = { some: { OR: [{ AND: [readable(context), unlocked(context)] }, { authorId: viewer?.id ?? 0 }] } }
  const relations = postKinds.map((kind) => kinds[kind].plural)
  const shown = [{ authorId: viewer?.id ?? 0 }, ...relations.map((relation) => ({ [relation]: open }))]
  if (!may(viewer, 'write')) return { OR: shown }
  // The image of a draft stays for a while after the draft was deleted.
  const unused = { authorId: null, ...Object.fromEntries(relations.map((relation) => [relation, { none: {} }])) }
  return { OR: [...shown, unused] }
}
