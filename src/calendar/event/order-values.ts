// Orders of events by values that are not columns of their table, or that a lock withholds.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { ComputedOrder } from '../list/list-query.ts'
import { lockedFilter, unlockedFilter } from '../rules/record-password.ts'
import { listedPostsFilter } from '../rules/status.ts'

const { sql } = Prisma

const fields = ['price', 'author', 'placeName', 'allDay'] as const
type Field = (typeof fields)[number]

/** Whether SQL must compute a value for each event to sort by this field. */
export const isComputedEventOrder = (field: string): field is Field => fields.some((name) => name === field)

/** Returns how SQL computes the value by which events are sorted. */
export const createEventOrder = (field: Field, descending: boolean, context: Context): ComputedOrder => ({
  name: field,
  descending,
  type: field === 'author' || field === 'placeName' ? 'text' : 'number',
  ...values[field](context),
})

const values: Readonly<Record<Field, (context: Context) => Pick<ComputedOrder, 'split' | 'select'>>> = {
  author: () => ({
    split: { with: { authorId: { not: null } }, without: { authorId: null } },
    select: (events) => sql`
      SELECT event.*, author.name COLLATE "und-x-icu" AS value FROM (${events}) AS event
        JOIN "user" author ON author.id = event.author_id`,
  }),
  allDay: (context) => ({
    split: { with: unlockedFilter(context), without: lockedFilter(context) ?? { id: { in: [] } } },
    select: (events) => sql`SELECT event.*, all_day::int::float8 AS value FROM (${events}) AS event`,
  }),
  price: (context) => ({
    split: unlockedWith([{ lowestCost: { not: null } }, { lowestTicket: { not: null } }], context),
    select: (events) => sql`SELECT event.*, least(lowest_cost, lowest_ticket) AS value FROM (${events}) AS event`,
  }),
  placeName: (context) => {
    const listed = listedPostsFilter(context)
    return {
      split: unlockedWith([{ venues: { some: { venue: listed } } }], context),
      select: async (events) => {
        const venues = await context.reads.venue.matchingRowsSql(listed)
        return sql`
          SELECT event.*, texts.name AS value FROM (${events}) AS event
            JOIN event_venue link ON link.event_id = event.id
            JOIN (${venues}) AS venue ON venue.id = link.venue_id
            JOIN venue_text texts ON texts.venue_id = venue.id AND texts.language = ${context.language}
          WHERE NOT EXISTS (
            SELECT FROM event_venue earlier JOIN (${venues}) AS venue ON venue.id = earlier.venue_id
            WHERE earlier.event_id = event.id AND (earlier.position, earlier.venue_id) < (link.position, link.venue_id))`
      },
    }
  },
}

/** Separates events with a value, which are unlocked and meet one of the conditions, from events without a value. */
function unlockedWith(conditions: readonly Prisma.EventWhereInput[], context: Context) {
  const valued: Prisma.EventWhereInput = { AND: [unlockedFilter(context), { OR: [...conditions] }] }
  return { with: unlockedFilter(context), without: { NOT: valued } }
}
