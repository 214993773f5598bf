import { builder } from '../../graphql/builder.ts'
import { eventsRelation } from '../event/events-relation.ts'
import { Category } from './type.ts'

builder.prismaObjectFields(Category, (t) => ({
  events: t.field(eventsRelation(t.arg, 'Events in this category, without those in its descendants')),
}))
