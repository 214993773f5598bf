import { addEventsConnection } from '../event/events-connection.ts'

addEventsConnection('organizer', {
  description: 'Events of this organizer',
  ofParent: (id) => ({ organizers: { some: { organizerId: id } } }),
})
