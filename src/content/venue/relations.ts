import { comparesTimes } from '../../cache/dependencies.ts'
import { builder } from '../../graphql/builder.ts'
import { relationSize } from '../../graphql/paging.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { Event } from '../event/type.ts'
import { reachableEvents } from '../event/visibility.ts'
import { Venue } from './type.ts'

builder.prismaObjectFields(Venue, (t) => ({
  events: t.field({
    type: [Event],
    description: 'Events held here, by start; all of them by page: `events(filter:)`.',
    args: {
      first: t.arg.int({ defaultValue: 10, description: 'How many at most.' }),
      upcoming: t.arg.boolean({
        defaultValue: true,
        description: 'Only those that are not over yet.',
        extensions: comparesTimes,
      }),
    },
    select: ({ first, upcoming }, context, nested) => ({
      events: {
        where: { event: { AND: [reachableEvents(context), upcoming ? { endsAt: { gte: context.now } } : {}] } },
        orderBy: [{ event: { startsAt: 'asc' } }, { eventId: 'asc' }],
        take: relationSize(first, context.settings),
        select: { event: nested(true) },
      },
    }),
    resolve: fromRecord(({ events }: { readonly events: readonly { readonly event: typeof Event.$inferType }[] }) =>
      events.map(({ event }) => event),
    ),
  }),
}))
