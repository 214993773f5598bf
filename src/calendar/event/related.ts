// The fields `related`, `next` and `previous` of events. Each takes two statements for all events of a list.
import type { GraphQLResolveInfo } from 'graphql'
import { takesInfo } from '../../engine/execution/record-resolvers.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { requirePageSize } from '../../service/graphql/pagination.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { loadFieldForParent } from '../list/field-loader.ts'
import { findRecordsByIds } from '../list/records.ts'
import { isLocked, lockColumns } from '../rules/record-password.ts'
import { listedPostsFilter } from '../rules/status.ts'
import { EventFilter, toEventSelection } from './filter.ts'
import { Event } from './type.ts'

const { sql, raw } = Prisma

type EventRecord = typeof Event.$inferType

const [defaultRelated, maxRelated] = [6, 20]

/** Maximum of linked records of each kind that are compared. */
const maxLinks = 10

/** Maximum of events compared for each linked record: the events that were added last. */
const maxLinked = 1000
const maxCompared = 60

builder.prismaObjectFields(Event, (t) => ({
  related: t.field({
    type: [Event],
    description: `Other upcoming events that share the most categories, tags, organizers and venues with this event, then by start. Categories and tags count more than organizers and venues. Of a series only the next date. Leaves out other dates of the series of this event, and events that are hidden from lists or locked; empty while this event is locked.`,
    extensions: { ...complexity({ slicingArguments: ['first'], weight: 20 }), [takesInfo]: true },
    args: {
      first: t.arg.int({
        defaultValue: defaultRelated,
        description: `Number of events to return. At most ${maxRelated}.`,
      }),
    },
    select: lockColumns,
    resolve: (event, args, context, info) => {
      const first = requirePageSize('first', args.first, 0, maxRelated) ?? defaultRelated
      if (first === 0 || isLocked(event, context)) return []
      return loadFieldForParent(
        event,
        context,
        info,
        () => async (ids) => findRecords(await relatedIds(ids, first, context), context, info),
      )
    },
  }),
}))

for (const side of ['next', 'previous'] as const) {
  builder.prismaObjectField(Event, side, (t) =>
    t.field({
      type: Event,
      nullable: true,
      description: `The ${side} event in the order START_LOCAL of the list \`events\` with this filter; null if this event is the ${side === 'next' ? 'last' : 'first'} event. The event itself need not match the filter.`,
      extensions: { ...complexity({ weight: 10 }), [takesInfo]: true },
      args: { filter: t.arg({ type: EventFilter, description: 'Selects the events.' }) },
      select: { id: true },
      resolve: (event, { filter }, context, info) =>
        loadFieldForParent(event, context, info, () => async (ids) => {
          const { where } = await toEventSelection(filter ?? {}, context)
          const found = await findRecords(await neighbourIds(ids, side, where, context), context, info)
          return found.map(([record]) => record ?? null)
        }),
    }),
  )
}

async function findRecords(
  lists: readonly (readonly number[])[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<EventRecord[][]> {
  const byId = await findRecordsByIds<EventRecord>(context, 'event', buildSelection(context, info), lists.flat())
  return lists.map((list) => list.flatMap((id) => byId.get(id) ?? []))
}

type IdsOfParent = { readonly parent: number; readonly ids: readonly number[] }

function listsOf(parents: readonly number[], rows: readonly IdsOfParent[]): number[][] {
  const byParent = new Map(rows.map(({ parent, ids }) => [parent, [...ids]]))
  return parents.map((id) => byParent.get(id) ?? [])
}

async function relatedIds(parents: readonly number[], first: number, context: Context): Promise<number[][]> {
  const { reads } = context
  const { where } = await toEventSelection({ when: 'upcoming', locked: false, occurrences: 'next' }, context)
  const [events, venues, organizers] = await Promise.all([
    reads.event.matchingRowsSql(where, {}, { usesGenericPlan: true }),
    reads.venue.matchingRowsSql(listedPostsFilter(context), {}, { usesGenericPlan: true }),
    reads.organizer.matchingRowsSql(listedPostsFilter(context), {}, { usesGenericPlan: true }),
  ])
  // The weights differ little: two shared records of any kinds weigh more than a single shared record.
  const kinds = [
    { kind: 'category', visible: undefined, position: 'category_id', weight: 3 },
    { kind: 'tag', visible: undefined, position: 'tag_id', weight: 3 },
    { kind: 'venue', visible: venues, position: 'position', weight: 2 },
    { kind: 'organizer', visible: organizers, position: 'position', weight: 2 },
  ] as const
  const links = kinds.map(({ kind, visible, position, weight }) => {
    const [name, key] = [raw(`'${kind}'`), raw(`${kind}_id`)]
    const isVisible = visible ? sql`WHERE target IN (SELECT id FROM (${visible}) AS visible)` : raw('')
    return sql`
      SELECT parent, ${name} AS kind, target, ${raw(String(weight))} AS weight
      FROM parents, LATERAL (
        SELECT ${key} AS target FROM ${raw(`event_${kind}`)} WHERE event_id = parent
        ORDER BY ${raw(position)} LIMIT ${raw(`${maxLinks}`)}) AS own ${isVisible}`
  })
  const linked = kinds.map(({ kind }) => {
    const key = raw(`${kind}_id`)
    return sql`
      SELECT kind, target, event_id, starts_at FROM (SELECT DISTINCT kind, target FROM links WHERE kind = ${raw(`'${kind}'`)}) AS shared,
        LATERAL (
          SELECT event_id, starts_at FROM (
            SELECT event_id FROM ${raw(`event_${kind}`)} WHERE ${key} = target ORDER BY event_id DESC LIMIT ${raw(`${maxLinked}`)}
          ) AS added JOIN (${events}) AS matching ON matching.id = event_id
          ORDER BY event_id DESC LIMIT ${raw(`${maxCompared}`)}) AS upcoming`
  })
  // The subquery in ARRAY hides the number of events from the planner, which else plans for that number.
  const statement = sql`
    WITH parents AS (SELECT unnest(ARRAY(SELECT unnest(${[...parents]}::int[]))) AS parent),
      links AS MATERIALIZED (${Prisma.join(links, ' UNION ALL ')}),
      linked AS MATERIALIZED (${Prisma.join(linked, ' UNION ALL ')}),
      scored AS (
        SELECT parent, event_id AS id, starts_at, sum(weight) AS score FROM links JOIN linked USING (kind, target)
        WHERE event_id <> parent AND NOT EXISTS (
          SELECT FROM event AS own JOIN event AS other USING (series_id) WHERE own.id = parent AND other.id = event_id)
        GROUP BY parent, event_id, starts_at)
    SELECT parent, array_agg(id ORDER BY position) AS ids FROM (
      SELECT parent, id, row_number() OVER (PARTITION BY parent ORDER BY score DESC, starts_at, id) AS position
      FROM scored) AS ranked
    WHERE position <= ${first}::int GROUP BY parent`
  // Planning takes longer than running the statement. All that the planner could learn from the values is hidden from it or a
  // literal, so that a plan for them costs no less than the generic one, which PostgreSQL keeps.
  return listsOf(parents, await reads.rows<IdsOfParent>(statement, { prepared: true }))
}

async function neighbourIds(
  events: readonly number[],
  side: 'next' | 'previous',
  where: Prisma.EventWhereInput,
  context: Context,
): Promise<number[][]> {
  const matching = await context.reads.event.matchingRowsSql(where, {}, { stopsEarly: true })
  const [sign, direction] = side === 'next' ? [raw('>'), raw('ASC')] : [raw('<'), raw('DESC')]
  const statement = sql`
    SELECT parent.id AS parent, ARRAY[neighbour.id] AS ids FROM event AS parent, LATERAL (
      SELECT id FROM (${matching}) AS matching
      WHERE (starts_local, published_at, id) ${sign} (parent.starts_local, parent.published_at, parent.id)
      ORDER BY starts_local ${direction}, published_at ${direction}, id ${direction} LIMIT 1) AS neighbour
    WHERE parent.id = ANY(${[...events]}::int[])`
  return listsOf(events, await context.reads.rows<IdsOfParent>(statement))
}
