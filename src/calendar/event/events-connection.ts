// The `events` field of venues, organizers, categories and tags.

import type { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { addRecordConnection, type ParentId } from '../list/record-connection.ts'
import { eventList } from './queries.ts'

interface EventsConnection {
  readonly description: string
  /** The condition of the events that belong to a parent. */
  readonly ofParent: (id: ParentId) => Prisma.EventWhereInput | object
}

/** Leaves out locked events: finding them would reveal the venues, organizers, categories and tags that a lock withholds. */
export const addEventsConnection = (parent: RecordKind, { description, ofParent }: EventsConnection): void =>
  addRecordConnection(parent, 'events', {
    kind: 'event',
    list: eventList,
    description: `${description}, by default ordered by start. Without events that are hidden from lists or locked.`,
    ofParent: (id, context: Context) => ({ AND: [unlocked(context), ofParent(id)] }),
  })
