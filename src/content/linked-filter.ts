// Filters that venues and organizers share: by text, and by the events that are linked to them (contract c.14).
import { comparesTimes, reads } from '../cache/dependencies.ts'
import type { Context } from '../context.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import type { InputFields } from '../graphql/builder.ts'
import { RecordStatus } from './enums.ts'
import { reachableEvents } from './event/visibility.ts'
import { unlocked } from './password.ts'
import { mustExist, one, resolveReferences } from './references.ts'
import { fieldWith } from './search.ts'
import { inLanguage } from './served.ts'
import { inStatus, published, readable, refusedStatus, shown } from './status.ts'

export const linkedFilterFields = (t: InputFields, plural: string) => ({
  include: t.intList({ description: `These ${plural}.` }),
  search: t.string({
    description:
      'With all these words, or parts of words, in one field: name, description, excerpt, or how to get there or in touch. Of locked ones only the name is searched.',
  }),
  mustExist: t.boolean(mustExist),
  event: t.int({ description: 'Linked to this event.', extensions: reads('event') }),
  hasEvents: t.boolean({
    description: 'Only those linked to a published event, or a private one that the caller may read; or only others.',
    extensions: reads('event'),
  }),
  onlyWithUpcoming: t.boolean({
    description: 'True: only those linked to an event that starts now or later.',
    extensions: { ...reads('event'), ...comparesTimes },
  }),
  status: t.field({ type: [RecordStatus], description: 'In one of these; by default in any but the trash.' }),
})

interface Given {
  readonly mustExist?: boolean | null | undefined
  readonly include?: number[] | null | undefined
  readonly search?: string | null | undefined
  readonly event?: number | null | undefined
  readonly hasEvents?: boolean | null | undefined
  readonly onlyWithUpcoming?: boolean | null | undefined
  readonly status?: readonly (typeof RecordStatus.$inferType)[] | null | undefined
}

type Where = Prisma.VenueWhereInput & Prisma.OrganizerWhereInput

/** Throws badInput that names all records which must exist and don't. */
export async function linkedWhere(kind: 'venue' | 'organizer', filter: Given, context: Context): Promise<Where[]> {
  await resolveReferences(
    {
      refused: refusedStatus(filter.status, context.viewer),
      mustExist: filter.mustExist,
      include: filter.include,
      numbers: { event: ['event', one(filter.event)] },
    },
    context,
  )
  const filters: Where[] = [
    readable(context),
    filter.status ? inStatus(filter.status, context) : shown(context),
    inLanguage(context),
  ]
  if (filter.include) filters.push({ id: { in: filter.include } })
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
  const text = filter.search == null ? undefined : await fieldWith(kind, filter.search, context)
  if (text) filters.push(text)
  return filters
}

/** Drafts and what is still to be published are not (QUIRK-30). */
const eventsThatCount = (context: Context): Prisma.EventWhereInput => ({
  AND: [readable(context), unlocked(context), { OR: [published(context.now), { live: false, status: 'private' }] }],
})
