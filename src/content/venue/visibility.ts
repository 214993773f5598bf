import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { published } from '../status.ts'

/** Venues that the caller may see. */
export const visibleVenues = ({ now }: Context): Prisma.VenueWhereInput => published(now)
