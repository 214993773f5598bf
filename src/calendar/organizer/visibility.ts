import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { notTrashed, readable } from '../lifecycle/status.ts'

/** Organizers that the caller may read. */
export const visibleOrganizers = (context: Context): Prisma.OrganizerWhereInput => readable(context)

/** Organizers that lists and events show to the caller. */
export const listedOrganizers = (context: Context): Prisma.OrganizerWhereInput => ({
  AND: [readable(context), notTrashed],
})
