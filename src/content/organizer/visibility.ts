import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { readable, unlessTrashed } from '../lifecycle/status.ts'

/** Organizers that the caller may read. */
export const visibleOrganizers = (context: Context): Prisma.OrganizerWhereInput => readable(context)

/** Those of them that lists and events show. */
export const listedOrganizers = (context: Context): Prisma.OrganizerWhereInput => ({
  AND: [readable(context), unlessTrashed],
})
