import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { readable, untrashedInLists } from '../lifecycle/status.ts'

/** Events that the caller may read. */
export const visibleEvents = (context: Context): Prisma.EventWhereInput => readable(context)

/** Events that lists and relations show to the caller. */
export const listedEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [readable(context), untrashedInLists(context), { hideFromListings: false }],
})

/**
 * Events that may be found by fields that a lock withholds, such as venues or categories. Locked events are left out:
 * finding them would reveal the withheld fields.
 */
export const reachableEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [listedEvents(context), unlocked(context)],
})
