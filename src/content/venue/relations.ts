import { builder } from '../../graphql/builder.ts'
import { eventsOf } from '../event/events-of.ts'
import { Venue } from './type.ts'

builder.prismaObjectFields(Venue, (t) => ({
  events: t.field(eventsOf(t.arg, 'Events held here')),
}))
