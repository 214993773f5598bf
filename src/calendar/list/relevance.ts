import { dayMs } from '../../basics/time.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { lockedFilter } from '../rules/record-password.ts'
import { matchTitles } from '../search/matches.ts'
import { textSearchConfigSql } from '../search/word-forms.ts'
import { parseSearchWords } from '../search/words.ts'
import { type ComputedOrder, computedOrderName, type FiltersByValue, joinTextsSql } from './list-query.ts'

const { sql } = Prisma

/** Maximum of events to rank, because `ts_rank` reads the stems of the whole text. */
const maxRanked = 50
/** Sorts by `ts_rank`, best match first unless `descending`. Of a locked record, only the words of the name count. */
export function relevanceOrder(kind: RecordKind, search: string, descending: boolean, context: Context): ComputedOrder {
  const locked = isPost(kind) ? lockedFilter(context) : undefined
  const stems = locked
    ? `CASE WHEN record.locked THEN ts_filter(texts.stems, '{a}') ELSE texts.stems END`
    : 'texts.stems'
  const query = sql`replace(plainto_tsquery(${textSearchConfigSql(context)},
    ${parseSearchWords(search).present.join(' ')})::text, '&', '|')::tsquery`
  const rank = sql`ts_rank(${Prisma.raw(stems)}, (SELECT ${query}), 1)::float8 AS value, texts.name`
  return {
    name: computedOrderName('relevance', search),
    descending: !descending,
    type: 'number',
    ...(kind === 'event' && { splitOf: (where) => rankedEvents(where, search, context) }),
    ...(locked && { flags: { locked } }),
    select: (records) => joinTextsSql(kind, records, rank, context),
  }
}

/** Selects the events to rank: matches in the title, then the closest to today; stable within a day, for pagination. */
async function rankedEvents(where: object, search: string, context: Context): Promise<FiltersByValue> {
  const { now, reads } = context
  const today = new Date(now.toISOString().slice(0, 10))
  const all = await closestEvents(where, today, context)
  if (all.length <= maxRanked) return { with: { id: { in: all } }, without: { id: { in: [] } } }
  reads.expiresAt(today.getTime() + dayMs)
  const inTitle = await matchTitles(parseSearchWords(search), context)
  const titles = await closestEvents({ AND: [where, inTitle] }, today, context)
  const ranked = [...new Set([...titles, ...all])].slice(0, maxRanked)
  return { with: { id: { in: ranked } }, without: { id: { notIn: ranked } } }
}

/** Finds the IDs of the closest upcoming and past events, at most `maxRanked` + 1 of each. */
async function closestEvents(where: object, today: Date, { reads }: Context): Promise<number[]> {
  const matching = await reads.event.matchingRowsSql(where, {}, { stopsEarly: true })
  const select = async (condition: Prisma.Sql, order: string) => {
    const events = await reads.rows<{ id: number }>(
      sql`SELECT id FROM (${matching}) AS event WHERE ${condition} ORDER BY ${Prisma.raw(order)} LIMIT ${maxRanked + 1}::int`,
    )
    return events.map(({ id }) => id)
  }
  const upcoming = await select(sql`starts_at >= ${today}::timestamptz`, 'starts_at, published_at, id')
  if (upcoming.length > maxRanked) return upcoming
  const past = select(sql`starts_at < ${today}::timestamptz`, 'starts_at DESC, published_at DESC, id DESC')
  return [...upcoming, ...(await past)]
}
