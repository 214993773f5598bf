import { addEventsConnection } from '../event/events-connection.ts'

addEventsConnection('tag', {
  description: 'Events with this tag',
  ofParent: (id) => ({ tags: { some: { tagId: id } } }),
})
