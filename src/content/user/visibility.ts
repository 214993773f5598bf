import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

type WithViewer = Pick<Context, 'viewer'>

/** Whether the caller may read the account of a user and create credentials for it. */
export const ownsOrManages = ({ viewer }: WithViewer, userId: number): boolean =>
  viewer?.id === userId || may(viewer, 'manageUsers')

/** Credentials that the caller may read and revoke. */
export const visibleCredentials = ({ viewer }: WithViewer): Prisma.CredentialWhereInput =>
  may(viewer, 'manageUsers') ? {} : { userId: { in: viewer ? [viewer.id] : [] } }
