// Filters that venues and organizers share: the post filter, and filters by linked events (contract c.14).

import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { InputFields } from '../../graphql/builder.ts'
import { comparesTimes, dependsOn } from '../../response-cache/dependencies.ts'
import { reachableEvents } from '../event/visibility.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { published, readable } from '../lifecycle/status.ts'
import { postFilterFields, postWhere } from './post-filter.ts'
import { oneId } from './references.ts'

export const eventLinkFilterFields = (t: InputFields, plural: string) => ({
  ...postFilterFields(t, plural),
  event: t.int({ description: 'Linked to this event.', extensions: dependsOn('event') }),
  hasEvents: t.boolean({
    description:
      'True: only those linked to a published event, or to a private one that you may read. False: only others.',
    extensions: dependsOn('event'),
  }),
  onlyWithUpcoming: t.boolean({
    description: 'True: only those linked to an event that has not started yet.',
    extensions: { ...dependsOn('event'), ...comparesTimes },
  }),
})

type EventLinkFilter = Parameters<typeof postWhere>[1] & {
  readonly event?: number | null | undefined
  readonly hasEvents?: boolean | null | undefined
  readonly onlyWithUpcoming?: boolean | null | undefined
}

type Where = Prisma.VenueWhereInput & Prisma.OrganizerWhereInput

/** Conditions that all apply. Throws badInput that lists all records which must exist and do not. */
export async function eventLinkWhere(
  kind: 'venue' | 'organizer',
  filter: EventLinkFilter,
  context: Context,
): Promise<Where[]> {
  const filters: Where[] = await postWhere(kind, filter, context, { event: ['event', oneId(filter.event)] })
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: filter.event, event: reachableEvents(context) } } })
  }
  if (filter.hasEvents != null) {
    const link = { event: countableEvents(context) }
    filters.push({ events: filter.hasEvents ? { some: link } : { none: link } })
  }
  if (filter.onlyWithUpcoming) {
    filters.push({
      events: { some: { event: { AND: [reachableEvents(context), { startsAt: { gte: context.now } }] } } },
    })
  }
  return filters
}

/** Events that `hasEvents` counts: no drafts, no scheduled ones (QUIRK-30). */
const countableEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [readable(context), unlocked(context), { OR: [published(context.now), { live: false, status: 'private' }] }],
})
