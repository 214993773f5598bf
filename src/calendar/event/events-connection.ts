// The `events` field of venues, organizers, categories and tags.

import type { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { addRecordConnection, type ParentId } from '../list/record-connection.ts'
import { unlocked } from '../rules/record-password.ts'
import { eventList } from './queries.ts'

interface EventsConnection {
  readonly description: string
  /** The condition of the events that belong to a parent. */
  readonly ofParent: (id: ParentId) => Prisma.EventWhereInput | object
}

const connections: Readonly<Partial<Record<RecordKind, EventsConnection>>> = {
  venue: {
    description: 'Events at this venue',
    ofParent: (id) => ({ venues: { some: { venueId: id } } }),
  },
  organizer: {
    description: 'Events of this organizer',
    ofParent: (id) => ({ organizers: { some: { organizerId: id } } }),
  },
  category: {
    description: 'Events in this category, without those in its descendants',
    ofParent: (id) => ({ categories: { some: { categoryId: id } } }),
  },
  tag: {
    description: 'Events with this tag',
    ofParent: (id) => ({ tags: { some: { tagId: id } } }),
  },
}

// Leaves out locked events: finding them would reveal the venues, organizers, categories and tags that a lock withholds.
for (const [parent, { description, ofParent }] of Object.entries(connections)) {
  addRecordConnection(parent as RecordKind, 'events', {
    kind: 'event',
    list: eventList,
    description: `${description}, by default ordered by start. Without events that are hidden from lists or locked.`,
    ofParent: (id, context: Context) => ({ AND: [unlocked(context), ofParent(id)] }),
  })
}
