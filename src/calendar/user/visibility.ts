import type { Prisma } from '../../generated/prisma/client.ts'
import { kinds, postKinds } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { readable } from '../lifecycle/status.ts'

type WithViewer = Pick<Context, 'viewer'>

/** Whether the caller may read the account of a user and create credentials for it. */
export const ownsOrManages = ({ viewer }: WithViewer, userId: number): boolean =>
  viewer?.id === userId || may(viewer, 'manageUsers')

/**
 * Users whose name the caller may read: all for administrators; for others, themselves and the authors of the records that
 * they may read.
 */
export function visibleUsers(context: Context): Prisma.UserWhereInput {
  if (may(context.viewer, 'manageUsers')) return {}
  const authored = postKinds.map((kind) => ({ [kinds[kind].plural]: { some: readable(context) } }))
  return { OR: [{ id: context.viewer?.id ?? 0 }, ...authored] }
}

/** Credentials that the caller may read and revoke. */
export const visibleCredentials = ({ viewer }: WithViewer): Prisma.CredentialWhereInput =>
  may(viewer, 'manageUsers') ? {} : { userId: { in: viewer ? [viewer.id] : [] } }
