import { addEventsConnection } from '../event/events-connection.ts'

addEventsConnection('venue', {
  description: 'Events at this venue',
  ofParent: (id) => ({ venues: { some: { venueId: id } } }),
})
