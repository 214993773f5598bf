import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { notTrashed, readable } from '../lifecycle/status.ts'

/** Venues that the caller may read. */
export const visibleVenues = (context: Context): Prisma.VenueWhereInput => readable(context)

/** Venues that lists and events show to the caller. */
export const listedVenues = (context: Context): Prisma.VenueWhereInput => ({ AND: [readable(context), notTrashed] })
