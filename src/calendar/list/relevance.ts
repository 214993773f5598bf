// Orders records by their relevance for a search.

import { dayLength } from '../../basics/time.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { isLocked, type Lockable, lockedFor } from '../rules/record-password.ts'
import { titlesHave } from '../search/posts.ts'
import { configurationOf } from '../search/word-forms.ts'
import { searchWords } from '../search/words.ts'
import { type Candidates, type ComputedValue, type ValuesById, valueName, valuesById } from './computed-order.ts'

const { sql } = Prisma

/** Of more events, only these are ranked: ranking reads the word stems of the whole text. */
const maxRanked = 50
/** Sorts by `ts_rank`, best match first unless `descending`. Of a locked record, only the words of the name count. */
export const byRelevance = (
  kind: RecordKind,
  search: string,
  descending: boolean,
  context: Context,
): ComputedValue => ({
  name: valueName('relevance', search),
  descending: !descending,
  invertsTies: descending,
  values: (ids) => relevanceOf(kind, ids, search, context),
  ...(kind === 'event' && { candidates: (where) => rankedEvents(where, search, context) }),
})

async function relevanceOf(kind: RecordKind, ids: readonly number[], search: string, context: Context) {
  const ranksOf = async (of: readonly number[], stems: string) =>
    valuesById(await ranks(kind, of, stems, search, context))
  const [locked, byText] = await Promise.all([lockedAmong(kind, ids, context), ranksOf(ids, 't.stems')])
  if (locked.length === 0) return byText
  return new Map([...byText, ...(await ranksOf(locked, `ts_filter(t.stems, '{a}')`))])
}

/** `stems` is the SQL of those that count. */
function ranks(kind: RecordKind, ids: readonly number[], stems: string, search: string, context: Context) {
  const { reads, language } = context
  const [table, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const statement = sql`
    WITH search AS (
      SELECT replace(plainto_tsquery(${configurationOf(context)},
        ${searchWords(search).present.join(' ')})::text, '&', '|')::tsquery AS words)
    SELECT array_agg(item.id) AS ids, array_agg(ts_rank(${Prisma.raw(stems)}, search.words, 1)::float8) AS values
    FROM search, unnest(${[...ids]}::int[]) AS item(id)
      JOIN ${table} t ON t.${key} = item.id AND t.language = ${language}`
  return reads.rows<ValuesById>(statement)
}

/** The IDs of records that are locked for this operation. */
async function lockedAmong(kind: RecordKind, ids: readonly number[], context: Context): Promise<number[]> {
  if (!isPost(kind) || !lockedFor(context)) return []
  const rows = await context.reads.rows<Lockable>(
    Prisma.sql`
    SELECT id, password_key AS "passwordKey", author_id AS "authorId", status::text, trashed_from::text AS "trashedFrom"
    FROM ${Prisma.raw(`"${kind}"`)} WHERE password_key IS NOT NULL AND id = ANY(ARRAY(SELECT unnest(${[...ids]}::int[])))`,
    { prepared: true },
  )
  return rows.filter((row) => isLocked(row, context)).map(({ id }) => id)
}

/**
 * The events to rank: all that match or, if they are too many, those with the words in the title, then those closest to
 * today, upcoming ones first. The day and not the time decides, so that the pages of one day fit together.
 */
async function rankedEvents(where: object, search: string, context: Context): Promise<Candidates> {
  const { now, reads } = context
  const today = new Date(now.toISOString().slice(0, 10))
  const all = await closestEvents(where, today, context)
  if (all.length <= maxRanked) return { ids: inOrder(all), isComplete: true }
  reads.expiresAt(today.getTime() + dayLength)
  const inTitle = await titlesHave(searchWords(search), context)
  const titles = await closestEvents({ AND: [where, inTitle] }, today, context)
  const candidates = new Map([...titles, ...all].map((event) => [event.id, event]))
  return { ids: inOrder([...candidates.values()].slice(0, maxRanked)), isComplete: false }
}

interface DatedEvent {
  readonly id: number
  readonly startsAt: number
  readonly publishedAt: number
}

/** The IDs in the order of start, publication and ID. */
const inOrder = (events: readonly DatedEvent[]): number[] =>
  events
    .toSorted((one, other) => one.startsAt - other.startsAt || one.publishedAt - other.publishedAt || one.id - other.id)
    .map(({ id }) => id)

/** At most one more of the upcoming and of the past ones than can be ranked. They are read in order, until there are enough. */
async function closestEvents(where: object, today: Date, { reads }: Context): Promise<DatedEvent[]> {
  const matching = await reads.event.matchingRows(where, {}, { stopsEarly: true })
  const select = (condition: Prisma.Sql, order: string) =>
    reads.rows<DatedEvent>(sql`
        SELECT id, extract(epoch FROM starts_at)::float8 AS "startsAt", extract(epoch FROM published_at)::float8 AS "publishedAt"
        FROM (${matching}) AS event WHERE ${condition} ORDER BY ${Prisma.raw(order)} LIMIT ${maxRanked + 1}::int`)
  const upcoming = await select(sql`starts_at >= ${today}::timestamptz`, 'starts_at, published_at, id')
  if (upcoming.length > maxRanked) return upcoming
  const past = select(sql`starts_at < ${today}::timestamptz`, 'starts_at DESC, published_at DESC, id DESC')
  return [...upcoming, ...(await past)]
}
