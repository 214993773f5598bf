import { builder } from '../../graphql/builder.ts'
import { eventsOf } from '../event/events-of.ts'
import { Category } from './type.ts'

builder.prismaObjectFields(Category, (t) => ({
  events: t.field(eventsOf(t.arg, 'Events in this category itself')),
}))
