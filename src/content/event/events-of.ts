// The events of a venue, organizer, category or tag: options for Pothos, the same for each of them.

import type { Context } from '../../context.ts'
import type { Arguments } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import { relationSize } from '../../graphql/pagination.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { comparesTimes } from '../../response-cache/dependencies.ts'
import { Event } from './type.ts'
import { reachableEvents } from './visibility.ts'

interface Args {
  readonly first: number | null | undefined
  readonly upcoming: boolean | null | undefined
}

interface Linked {
  readonly events: readonly { readonly event: typeof Event.$inferType }[]
}

/** `arg` is that of the field builder, `description` says which events and in one word how many. */
export const eventsOf = (arg: Arguments, description: string) => ({
  type: [Event] as [typeof Event],
  description: `${description}, by start; all of them by page: \`events(filter:)\`.`,
  extensions: complexity({ slicingArguments: ['first'] }),
  args: {
    first: arg.int({ defaultValue: 10, description: 'How many at most.' }),
    upcoming: arg.boolean({
      defaultValue: true,
      description: 'Only those that are not over yet.',
      extensions: comparesTimes,
    }),
  },
  select: <Selected>({ first, upcoming }: Args, context: Context, nested: (selection: true) => Selected) => ({
    events: {
      where: { event: { AND: [reachableEvents(context), upcoming ? { endsAt: { gte: context.now } } : {}] } },
      orderBy: [{ event: { startsAt: 'asc' as const } }, { eventId: 'asc' as const }],
      take: relationSize(first, context.settings),
      select: { event: nested(true) },
    },
  }),
  resolve: fromRecord(({ events }: Linked) => events.map(({ event }) => event)),
})
