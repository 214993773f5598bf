// Orders of events by values that are not columns of their table, or that a lock withholds.

import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { type ComputedValue, type ValueScan, type ValuesById, valuesById } from '../list/computed-order.ts'
import { selectAll } from '../list/value-scan.ts'
import { lockedFor, unlocked } from '../rules/record-password.ts'
import { listedVenues } from '../rules/visibility.ts'

const { sql, join } = Prisma

const fields = ['price', 'author', 'placeName', 'allDay'] as const
type Field = (typeof fields)[number]

export const isComputed = (field: string): field is Field => fields.some((name) => name === field)

/** Sorts events by a value. Events that are locked have no value that the lock withholds. */
export const eventValue = (field: Field, descending: boolean, context: Context): ComputedValue => {
  const scan = scans[field](context)
  return {
    name: field,
    descending,
    invertsTies: false,
    type: field === 'author' || field === 'placeName' ? 'text' : 'number',
    scan,
    values: async (ids) => {
      const events = await context.reads.event.matchingRows({ AND: [{ id: { in: [...ids] } }, scan.with] })
      const statement = sql`
        SELECT array_agg(id) AS ids, array_agg(value) AS values
        FROM (${join(await selectAll(scan, events), ' UNION ALL ')}) AS valued WHERE value IS NOT NULL`
      return valuesById(await context.reads.rows<ValuesById<number | string>>(statement))
    },
  }
}

const scans: Readonly<Record<Field, (context: Context) => ValueScan>> = {
  author: () => ({
    with: { authorId: { not: null } },
    without: { authorId: null },
    select: (events, first) => [
      sql`SELECT event.*, author.name COLLATE "und-x-icu" AS value FROM "user" author
        CROSS JOIN LATERAL (${first(sql`SELECT * FROM (${events}) AS event WHERE author_id = author.id`)}) AS event`,
    ],
  }),
  allDay: (context) => ({
    with: unlocked(context),
    without: lockedFor(context) ?? { id: { in: [] } },
    select: (events) => [
      sql`SELECT event.*, 0::float8 AS value FROM (${events}) AS event WHERE NOT all_day`,
      sql`SELECT event.*, 1::float8 AS value FROM (${events}) AS event WHERE all_day`,
    ],
  }),
  price: (context) =>
    scanUnlocked(context, [{ lowestCost: { not: null } }, { lowestTicket: { not: null } }], (events) => [
      sql`SELECT event.*, least(lowest_cost, lowest_ticket) AS value FROM (${events}) AS event`,
    ]),
  placeName: (context) => {
    const listed = listedVenues(context)
    const namesOf = async (source: Prisma.Sql) => {
      const venues = await context.reads.venue.matchingRows(listed)
      return [
        sql`SELECT event.*, texts.name AS value FROM ${source}
          WHERE texts.language = ${context.language}
            AND texts.venue_id = (
              SELECT first.venue_id FROM event_venue first JOIN (${venues}) AS venue ON venue.id = first.venue_id
              WHERE first.event_id = event.id ORDER BY first.position, first.venue_id LIMIT 1)`,
      ]
    }
    return {
      ...scanUnlocked(context, [{ venues: { some: { venue: listed } } }], (events) =>
        // The planner expects few events, and would compare each with each venue. OFFSET makes it read those of one venue.
        namesOf(sql`venue_text texts CROSS JOIN LATERAL (
          SELECT event.* FROM event_venue link JOIN (${events}) AS event ON event.id = link.event_id
          WHERE link.venue_id = texts.venue_id OFFSET 0) AS event`),
      ),
      selectAll: (events) => namesOf(sql`(${events}) AS event CROSS JOIN venue_text texts`),
      maxSorted: 20_000,
    }
  },
}

/** Scans for a value of the events that are unlocked and meet one of the conditions; no others have one. */
function scanUnlocked(
  context: Context,
  conditions: readonly Prisma.EventWhereInput[],
  select: ValueScan['select'],
): ValueScan {
  const valued: Prisma.EventWhereInput = { AND: [unlocked(context), { OR: [...conditions] }] }
  return { with: unlocked(context), without: { NOT: valued }, select }
}
