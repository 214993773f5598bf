import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { readable, unlessTrashed } from '../lifecycle/status.ts'

/** Venues that the caller may read. */
export const visibleVenues = (context: Context): Prisma.VenueWhereInput => readable(context)

/** Those of them that lists and events show. */
export const listedVenues = (context: Context): Prisma.VenueWhereInput => ({ AND: [readable(context), unlessTrashed] })
