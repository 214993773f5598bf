import { builder } from '../../graphql/builder.ts'
import { eventsRelation } from '../event/events-relation.ts'
import { Organizer } from './type.ts'

builder.prismaObjectFields(Organizer, (t) => ({
  events: t.field(eventsRelation(t.arg, 'Events of this organizer')),
}))
