import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { published } from '../status.ts'

/** Organizers that the caller may see. */
export const visibleOrganizers = ({ now }: Context): Prisma.OrganizerWhereInput => published(now)
