import { builder } from '../../graphql/builder.ts'
import { eventsOf } from '../event/events-of.ts'
import { Organizer } from './type.ts'

builder.prismaObjectFields(Organizer, (t) => ({
  events: t.field(eventsOf(t.arg, 'Its events')),
}))
