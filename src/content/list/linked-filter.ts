// Filters that venues and organizers share: by text, and by the events that are linked to them (contract c.14).

import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { InputFields } from '../../graphql/builder.ts'
import { comparesTimes, dependsOn } from '../../response-cache/dependencies.ts'
import { reachableEvents } from '../event/visibility.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { published, readable } from '../lifecycle/status.ts'
import { postFilterFields, postWhere } from './post-filter.ts'
import { one } from './references.ts'

export const linkedFilterFields = (t: InputFields, plural: string) => ({
  ...postFilterFields(t, plural),
  event: t.int({ description: 'Linked to this event.', extensions: dependsOn('event') }),
  hasEvents: t.boolean({
    description: 'Only those linked to a published event, or a private one that the caller may read; or only others.',
    extensions: dependsOn('event'),
  }),
  onlyWithUpcoming: t.boolean({
    description: 'True: only those linked to an event that starts now or later.',
    extensions: { ...dependsOn('event'), ...comparesTimes },
  }),
})

type Given = Parameters<typeof postWhere>[1] & {
  readonly event?: number | null | undefined
  readonly hasEvents?: boolean | null | undefined
  readonly onlyWithUpcoming?: boolean | null | undefined
}

type Where = Prisma.VenueWhereInput & Prisma.OrganizerWhereInput

/** Throws badInput that names all records which must exist and don't. */
export async function linkedWhere(kind: 'venue' | 'organizer', filter: Given, context: Context): Promise<Where[]> {
  const filters: Where[] = await postWhere(kind, filter, context, { event: ['event', one(filter.event)] })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  if (filter.hasEvents != null) {
    const link = { event: eventsThatCount(context) }
    filters.push({ events: filter.hasEvents ? { some: link } : { none: link } })
  }
  if (filter.onlyWithUpcoming) {
    filters.push({
      events: { some: { event: { AND: [reachableEvents(context), { startsAt: { gte: context.now } }] } } },
    })
  }
  return filters
}

/** Drafts and what is still to be published are not (QUIRK-30). */
const eventsThatCount = (context: Context): Prisma.EventWhereInput => ({
  AND: [readable(context), unlocked(context), { OR: [published(context.now), { live: false, status: 'private' }] }],
})
