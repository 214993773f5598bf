import { builder } from '../../graphql/builder.ts'
import { eventsRelation } from '../event/events-relation.ts'
import { Tag } from './type.ts'

builder.prismaObjectFields(Tag, (t) => ({
  events: t.field(eventsRelation(t.arg, 'Events with this tag')),
}))
