// Filters that venues and organizers share: the post filter, and filters by linked events (contract c.14).

import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { idDescription } from '../rules/identify.ts'
import { unlocked } from '../rules/record-password.ts'
import { published, readable } from '../rules/status.ts'
import { reachableEvents } from '../rules/visibility.ts'
import { postFilterFields, postWhere } from './post-filter.ts'

/** The database looks up the events of each record. */
const linkComplexity = complexity({ weight: 20 })

export const eventLinkFilterFields = (t: InputFields, kind: 'venue' | 'organizer') => ({
  ...postFilterFields(t, kind),
  event: t.id({ description: `Linked to this event. ${idDescription('event')}` }),
  hasEvents: t.boolean({
    description:
      'True: only those linked to a published event, or to a private one that you may read. False: only others.',
    extensions: linkComplexity,
  }),
  onlyWithUpcoming: t.boolean({
    description: 'True: only those linked to an event that has not started yet.',
    extensions: linkComplexity,
  }),
})

type EventLinkFilter = Parameters<typeof postWhere>[1] & {
  readonly event?: string | null | undefined
  readonly hasEvents?: boolean | null | undefined
  readonly onlyWithUpcoming?: boolean | null | undefined
}

type Where = Prisma.VenueWhereInput & Prisma.OrganizerWhereInput

/** Conditions that all apply. Throws badInput for invalid references. */
export async function eventLinkWhere(
  kind: 'venue' | 'organizer',
  filter: EventLinkFilter,
  context: Context,
): Promise<Where[]> {
  const { conditions, ids } = await postWhere(kind, filter, context, { event: ['event', filter.event] })
  const filters: Where[] = conditions
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: ids.event?.[0] ?? 0, event: reachableEvents(context) } } })
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
