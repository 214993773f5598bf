import { builder } from '../../graphql/builder.ts'
import { eventsRelation } from '../event/events-relation.ts'
import { Venue } from './type.ts'

builder.prismaObjectFields(Venue, (t) => ({
  events: t.field(eventsRelation(t.arg, 'Events at this venue')),
}))
