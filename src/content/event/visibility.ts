import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { unlocked } from '../password.ts'
import { published } from '../status.ts'

/** Events that the caller may see. */
export const visibleEvents = ({ now }: Context): Prisma.EventWhereInput => published(now)

/** Those of them that are shown in lists. */
export const listedEvents = (context: Context): Prisma.EventWhereInput => ({
  ...visibleEvents(context),
  hideFromListings: false,
})

/**
 * Those that may be reached through what a lock withholds: their venues, organizers, categories, tags, text and flags.
 * Lists show locked events masked, but must not tell by their answer what is masked.
 */
export const reachableEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [listedEvents(context), unlocked(context)],
})
