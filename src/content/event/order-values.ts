// Orders of events by values that are not columns of their table, or that a lock withholds.
import type { Context } from '../../context.ts'
import { querySql } from '../../db/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { type ComputedValue, type ValuesById, valuesById } from '../list/computed-order.ts'
import { listedVenues } from '../venue/visibility.ts'

const { sql } = Prisma

const fields = ['price', 'author', 'placeName', 'allDay'] as const
type Field = (typeof fields)[number]

export const isComputed = (field: string): field is Field => fields.some((name) => name === field)

/** Sorts events by a value. Events that are locked have no value that the lock withholds. */
export const eventValue = (field: Field, descending: boolean, context: Context): ComputedValue => ({
  name: field,
  descending,
  invertsTies: false,
  type: field === 'author' || field === 'placeName' ? 'text' : 'number',
  values: async (ids) => {
    const statement = sql`
      SELECT array_agg(id) AS ids, array_agg(value) AS values
      FROM (${await statements[field](ids, context)}) AS valued WHERE value IS NOT NULL`
    return valuesById(await querySql<ValuesById<number | string>>(context.db, statement))
  },
})

type Statement = (ids: readonly number[], context: Context) => Prisma.Sql | Promise<Prisma.Sql>

/** Each selects `id` and `value` of events. */
const statements: Readonly<Record<Field, Statement>> = {
  author: (ids) => sql`
    SELECT event.id, author.name AS value FROM event JOIN "user" author ON author.id = event.author_id
    WHERE event.id = ANY(${[...ids]}::int[])`,
  allDay: async (ids, context) => sql`
    SELECT id, all_day::int AS value FROM (${await openEvents(ids, context)}) AS event`,
  price: async (ids, context) => sql`
    SELECT id, least(lowest_cost, lowest_ticket) AS value FROM (${await openEvents(ids, context)}) AS event
      LEFT JOIN (SELECT event_id, min(price)::float8 AS lowest_ticket FROM ticket GROUP BY event_id) AS tickets
        ON event_id = id`,
  placeName: async (ids, context) => sql`
    SELECT DISTINCT ON (event.id) event.id, texts.name AS value
    FROM (${await openEvents(ids, context)}) AS event
      JOIN event_venue link ON link.event_id = event.id
      JOIN (${await context.db.venue.matchingRows(listedVenues(context))}) AS venue ON venue.id = link.venue_id
      JOIN venue_text texts ON texts.venue_id = venue.id AND texts.language = ${context.language}
    ORDER BY event.id, link.position, link.venue_id`,
}

const openEvents = (ids: readonly number[], context: Context): Promise<Prisma.Sql> =>
  context.db.event.matchingRows({ AND: [{ id: { in: [...ids] } }, unlocked(context)] })
