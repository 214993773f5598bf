// Fields of events that lead to other records. Each leaves out records that the caller may not see.

import { kinds, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { Category } from '../category/type.ts'
import { emptyIfLocked } from '../fields/lockable.ts'
import { CoordinatesInput, checkCoordinatesInRange } from '../list/distance.ts'
import { addConnectionField } from '../list/record-connection.ts'
import { Organizer } from '../organizer/type.ts'
import { isLocked, type LockableRecord, lockColumns, unlockedFilter } from '../rules/record-password.ts'
import { listedPostsFilter, readableFilter } from '../rules/status.ts'
import { Tag } from '../tag/type.ts'
import { selectServedText, sortByName } from '../text/served-text.ts'
import { distanceToVenue, Venue } from '../venue/type.ts'
import { eventList } from './queries.ts'
import { Event, Ticket } from './type.ts'

/** An event with its links to records, such as `venues` with the records `venue`. */
type Linking<Links extends string, Kind extends string, Linked> = LockableRecord & {
  readonly [links in Links]: readonly { readonly [kind in Kind]: Linked }[]
}

type NamedTerm<Term> = Term & { readonly texts: readonly { readonly name: string }[] }

const firstByPosition = { position: 'asc' } as const

/** Selects the fields of the venues that the caller may see, in the order of the input. */
export const venuesSelect = <Selected>(context: Context, venue: Selected) => ({
  where: { venue: listedPostsFilter(context) },
  orderBy: firstByPosition,
  select: { venue },
})

export const organizersSelect = <Selected>(context: Context, organizer: Selected) => ({
  where: { organizer: listedPostsFilter(context) },
  orderBy: firstByPosition,
  select: { organizer },
})

builder.prismaObjectFields(Event, (t) => ({
  venues: t.field({
    type: [Venue],
    description: 'Venues of the event, in the order in which they were set. Empty while the record is locked.',
    select: (_args, context, nested) => ({
      ...lockColumns,
      venues: venuesSelect(context, nested(true)),
    }),
    resolve: emptyIfLocked((event: Linking<'venues', 'venue', typeof Venue.$inferType>) =>
      event.venues.map(({ venue }) => venue),
    ),
  }),
  organizers: t.field({
    type: [Organizer],
    description: 'Organizers of the event, in the order in which they were set. Empty while the record is locked.',
    select: (_args, context, nested) => ({
      ...lockColumns,
      organizers: organizersSelect(context, nested(true)),
    }),
    resolve: emptyIfLocked((event: Linking<'organizers', 'organizer', typeof Organizer.$inferType>) =>
      event.organizers.map(({ organizer }) => organizer),
    ),
  }),
  distance: t.float({
    nullable: true,
    description: 'Kilometres from a point to the nearest venue of the event; null if no venue has coordinates.',
    args: {
      from: t.arg({ type: CoordinatesInput, required: true, description: 'Point to measure the distance from.' }),
    },
    select: (_args, context) => ({
      ...lockColumns,
      // Selects the same rows as the field `venues`, because a Prisma query can select a relation only once.
      venues: venuesSelect(context, { select: { ...lockColumns, latitude: true, longitude: true } }),
    }),
    resolve: (event, { from }, context) => {
      checkCoordinatesInRange('from', from)
      if (isLocked(event, context)) return null
      const distances = event.venues.flatMap(({ venue }) => distanceToVenue(venue, from, context) ?? [])
      return distances.length > 0 ? Math.min(...distances) : null
    },
  }),
  categories: t.field({
    type: [Category],
    description: 'Categories of the event, sorted by name. Empty while the record is locked.',
    select: (_args, context, nested) => ({
      ...lockColumns,
      categories: { select: { category: nested({ select: { id: true, ...selectServedText(context, 'name') } }) } },
    }),
    resolve: emptyIfLocked((event: Linking<'categories', 'category', NamedTerm<typeof Category.$inferType>>) =>
      sortByName(event.categories.map(({ category }) => category)),
    ),
  }),
  tags: t.field({
    type: [Tag],
    description: 'Tags of the event, sorted by name. Empty while the record is locked.',
    select: (_args, context, nested) => ({
      ...lockColumns,
      tags: { select: { tag: nested({ select: { id: true, ...selectServedText(context, 'name') } }) } },
    }),
    resolve: emptyIfLocked((event: Linking<'tags', 'tag', NamedTerm<typeof Tag.$inferType>>) =>
      sortByName(event.tags.map(({ tag }) => tag)),
    ),
  }),
  tickets: t.field({
    type: [Ticket],
    description: 'Tickets of the event, in the order in which they were set. Empty while the record is locked.',
    select: (_args, _context, nested) => ({
      ...lockColumns,
      tickets: { ...nested(true), orderBy: firstByPosition },
    }),
    resolve: emptyIfLocked(
      (event: LockableRecord & { readonly tickets: (typeof Ticket.$inferType)[] }) => event.tickets,
    ),
  }),
  parent: t.relation('parent', {
    nullable: true,
    description: 'The parent event; null if there is no parent event or you may not see it.',
    extensions: complexity({ leadsToParent: true }),
    query: (_args, context) => ({ where: readableFilter(context) }),
  }),
}))

addConnectionField('event', 'children', {
  kind: 'event',
  list: eventList,
  description: 'Child events, by default ordered by start. Leaves out events that are hidden from lists.',
  ofParent: (id) => ({ parentId: id }),
})

const descriptions = {
  venue: 'Events at this venue',
  organizer: 'Events of this organizer',
  category: 'Events in this category, without those in its descendants',
  tag: 'Events with this tag',
} satisfies Partial<Record<RecordKind, string>>

// Leaves out locked events: finding them would reveal the venues, organizers, categories and tags that a lock withholds.
for (const [name, description] of Object.entries(descriptions)) {
  const parent = name as keyof typeof descriptions
  addConnectionField(parent, 'events', {
    kind: 'event',
    list: eventList,
    description: `${description}, by default ordered by start. Leaves out events that are hidden from lists or locked.`,
    ofParent: (id, context) => ({
      AND: [unlockedFilter(context), { [kinds[parent].plural]: { some: { [`${parent}Id`]: id } } }],
    }),
  })
}
