import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

type Asker = Pick<Context, 'viewer'>

/** Whether the caller sees more of a user than the name, and gives them credentials. */
export const ownsOrManages = ({ viewer }: Asker, userId: number): boolean =>
  viewer?.id === userId || may(viewer, 'manageUsers')

/** Credentials that the caller may read and revoke. */
export const visibleCredentials = ({ viewer }: Asker): Prisma.CredentialWhereInput =>
  may(viewer, 'manageUsers') ? {} : { userId: { in: viewer ? [viewer.id] : [] } }
