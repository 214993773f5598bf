import { builder } from '../../graphql/builder.ts'
import { eventsOf } from '../event/events-of.ts'
import { Tag } from './type.ts'

builder.prismaObjectFields(Tag, (t) => ({
  events: t.field(eventsOf(t.arg, 'Events with this tag')),
}))
