import { kinds, type RecordKind } from '../../kinds.ts'
import { addRecordConnection } from '../list/record-connection.ts'
import { unlocked } from '../rules/record-password.ts'
import { eventList } from './queries.ts'

const descriptions = {
  venue: 'Events at this venue',
  organizer: 'Events of this organizer',
  category: 'Events in this category, without those in its descendants',
  tag: 'Events with this tag',
} satisfies Partial<Record<RecordKind, string>>

// Leaves out locked events: finding them would reveal the venues, organizers, categories and tags that a lock withholds.
for (const [name, description] of Object.entries(descriptions)) {
  const parent = name as keyof typeof descriptions
  addRecordConnection(parent, 'events', {
    kind: 'event',
    list: eventList,
    description: `${description}, by default ordered by start. Without events that are hidden from lists or locked.`,
    ofParent: (id, context) => ({
      AND: [unlocked(context), { [kinds[parent].plural]: { some: { [`${parent}Id`]: id } } }],
    }),
  })
}
