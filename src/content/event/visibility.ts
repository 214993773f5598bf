import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { readable, unlessTrashed } from '../lifecycle/status.ts'

/** Events that the caller may read. */
export const visibleEvents = (context: Context): Prisma.EventWhereInput => readable(context)

/** Those of them that lists and relations show. */
export const listedEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [readable(context), unlessTrashed, { hideFromListings: false }],
})

/**
 * Those that may be reached through what a lock withholds: their venues, organizers, categories, tags, text and flags.
 * Lists show locked events masked, but must not tell by their answer what is masked.
 */
export const reachableEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [listedEvents(context), unlocked(context)],
})
