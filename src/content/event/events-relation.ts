// The `events` field of venues, organizers, categories and tags, as options for Pothos.

import type { Context } from '../../context.ts'
import type { Arguments } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import { atMost } from '../../graphql/page-size.ts'
import { relationSize } from '../../graphql/pagination.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { comparesTimes } from '../../response-cache/dependencies.ts'
import { Event } from './type.ts'
import { reachableEvents } from './visibility.ts'

interface Args {
  readonly first: number | null | undefined
  readonly upcoming: boolean | null | undefined
}

interface WithEvents {
  readonly events: readonly { readonly event: typeof Event.$inferType }[]
}

/** `arg` is `t.arg` of the field builder. */
export const eventsRelation = (arg: Arguments, description: string) => ({
  type: [Event] as [typeof Event],
  description: `${description}, sorted by start. To read more than \`first\` events, use \`events(filter:)\`.`,
  extensions: complexity({ slicingArguments: ['first'] }),
  args: {
    first: arg.int({ defaultValue: 10, description: `Number of events. ${atMost}` }),
    upcoming: arg.boolean({
      defaultValue: true,
      description: 'True: only events that have not ended.',
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
  resolve: fromRecord(({ events }: WithEvents) => events.map(({ event }) => event)),
})
