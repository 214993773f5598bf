// Finds titles and names for search suggestions.

import { memoizeOnce } from '../../basics/memoize.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { nextOfEachSeries } from '../event/filter.ts'
import { pageUrl } from '../rules/page-url.ts'
import { listedPostsFilter } from '../rules/status.ts'
import { listedEventsFilter } from '../rules/visibility.ts'
import { containsPartSql, hasPartSql, toPrefixTsquery, tsquerySql } from '../search/text-condition.ts'
import { foldWord, isComparable, isIndexedPart, toContainsPattern } from '../search/words.ts'
import { foldLine } from '../text/fold.ts'
import { inLanguageFilter } from '../text/served-text.ts'

const { sql, raw } = Prisma

export interface Suggestion {
  readonly kind: RecordKind
  readonly id: number
  readonly text: string
  readonly url: string
}

/** The records whose names are suggested beside the titles of events, as lists show them to the caller. */
const listed = {
  venue: (context) =>
    context.reads.venue.matchingRowsSql({ AND: [listedPostsFilter(context), inLanguageFilter(context)] }),
  organizer: (context) =>
    context.reads.organizer.matchingRowsSql({ AND: [listedPostsFilter(context), inLanguageFilter(context)] }),
  category: (context) => context.reads.category.matchingRowsSql(inLanguageFilter(context)),
  tag: (context) => context.reads.tag.matchingRowsSql(inLanguageFilter(context)),
} satisfies Partial<Record<RecordKind, (context: Context) => Promise<Prisma.Sql>>>

type OtherKind = keyof typeof listed
const otherKinds = Object.keys(listed) as OtherKind[]

interface Match {
  /** Returns an SQL condition on the text row `t` of the kind. */
  readonly condition: (kind: RecordKind) => Prisma.Sql
  /** Whether a folded title or name meets the condition. */
  readonly fits: (name: string) => boolean
}

/** Finds titles and names with a word that begins with the text, then those that contain it; if none, similar ones. */
export async function findSuggestions(text: string, first: number, context: Context): Promise<Suggestion[]> {
  const prefix = foldWord(text)
  if (prefix === '' || first === 0) return []
  let found: Suggestion[] = []
  const nearest = findNearest(prefix, context)
  // Scripts without spaces between words, such as Chinese, have letters of the Unicode category Lo.
  const hasParts = isIndexedPart(prefix) || /\p{Lo}/u.test(prefix)
  for (const match of [beginningWith(prefix), ...(hasParts ? [partOf(prefix)] : [])]) {
    if (match) found = distinct([...found, ...(await findMatches(match, nearest, first, context))]).slice(0, first)
    if (found.length === first) return found
  }
  if (found.length > 0 || !isComparable(prefix)) return found
  return findMatches(await resembling(prefix, context), undefined, first, context)
}

/** SQL of the folded title or name: for categories and tags the first line of `t.folded`, before the slug. */
const nameOf = (kind: RecordKind): Prisma.Sql => raw(isPost(kind) ? 't.folded_name' : `split_part(t.folded, E'\\n', 1)`)

function beginningWith(prefix: string): Match | undefined {
  const words = toPrefixTsquery(prefix)
  if (words === '') return undefined
  return {
    condition: (kind) => sql`${containsPartSql(nameOf(kind), prefix)}
      AND ${raw(isPost(kind) ? 'name_words(t.folded_name)' : 't.stems')} @@ ${tsquerySql(words)}`,
    fits: (name) => hasWordBeginning(name, prefix),
  }
}

/** Whether a word of the text begins with `start`, or `start` begins with such a word. */
function hasWordBeginning(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (!/[\p{L}\p{Nd}]$/u.test(text.slice(Math.max(0, at - 2), at))) return true
  }
  return false
}

const partOf = (part: string): Match => ({
  condition: (kind) => hasPartSql(nameOf(kind), part),
  fits: (name) => name.includes(part),
})

async function resembling(word: string, { reads, language }: Context): Promise<Match> {
  const statement = sql`SELECT kind, id FROM similar_names(${word}, ${language})`
  const rows = await reads.rows<{ kind: RecordKind; id: number }>(statement, { prepared: true })
  const ids = Map.groupBy(rows, ({ kind }) => kind)
  return {
    condition: (kind) => sql`t.${raw(`${kind}_id`)} = ANY(${ids.get(kind)?.map(({ id }) => id) ?? []}::int[])`,
    fits: () => true,
  }
}

async function findMatches(match: Match, nearest: Nearest | undefined, first: number, context: Context) {
  const [near = [], names] = await Promise.all([nearest?.(), findNames(match, first, context)])
  const rest = distinct(names)
  // Other records get up to half of the list.
  const maxTitles = Math.max(first - rest.length, Math.ceil(first / 2))
  const nearTitles = distinct(toSuggestions(near, match, context))
  const isFrequent = nearTitles.length > 0
  // For most prefixes of a few letters, the nearest events suffice.
  const suffice = nearTitles.length >= maxTitles
  const titles = suffice ? nearTitles : await findTitles({ when: 'upcoming', isFrequent }, match, maxTitles, context)
  const found = distinct([...titles.slice(0, maxTitles), ...rest]).slice(0, first)
  if (found.length === first) return found
  const past = await findTitles({ when: 'past', isFrequent }, match, first, context)
  return distinct([...found, ...past]).slice(0, first)
}

/** Rows to read for each suggestion, because events may share a title: first, and again if there were too few titles. */
const [firstRows, maxRows] = [5, 200]

interface TextRow {
  readonly kind: RecordKind
  readonly id: number
  readonly name: string
  readonly folded: string
  readonly source: string
  /** Slugs in the URL of the page; of a category, also the slugs of its ancestors. */
  readonly slugs: readonly string[]
}

/** Number of events whose titles are compared first. */
const nearestRows = 200

type Nearest = () => Promise<readonly TextRow[]>

/** Finds titles that contain the text among the upcoming events that end first. */
const findNearest = (text: string, context: Context): Nearest =>
  memoizeOnce(() => readTitles({ when: 'upcoming', take: nearestRows, containing: text }, undefined, context))

interface Period {
  readonly when: 'upcoming' | 'past'
  /** Whether the text is frequent, so that reading events in order finds enough soon. Otherwise, all matches are sorted. */
  readonly isFrequent?: boolean
}

/** Finds distinct titles of events in the period. Reads more events if the first rows have fewer than `first` titles. */
async function findTitles(
  period: Period,
  match: Match,
  first: number,
  context: Context,
  rowsPerSuggestion = firstRows,
): Promise<Suggestion[]> {
  const take = first * rowsPerSuggestion
  const rows = await readTitles({ ...period, take }, match, context)
  const found = distinct(toSuggestions(rows, match, context))
  if (found.length >= first || rows.length < take || rowsPerSuggestion === maxRows) return found
  return findTitles(period, match, first, context, maxRows)
}

/** Reads titles by the end of the event, nearest first. */
async function readTitles(
  { when, isFrequent, take, containing: part = '' }: Period & { readonly take: number; readonly containing?: string },
  match: Match | undefined,
  context: Context,
): Promise<TextRow[]> {
  const { reads, now, language } = context
  const ends = { endsAt: when === 'upcoming' ? { gte: now } : { lt: now } }
  const where = { AND: [listedEventsFilter(context), inLanguageFilter(context), ends] }
  const events = await reads.event.matchingRowsSql({ AND: [where, await nextOfEachSeries(where, context)] })
  const direction = raw(when === 'upcoming' ? 'ASC' : 'DESC')
  const order = sql`ends_at ${direction}, published_at ${direction}, id ${direction}`
  const texts = match && sql`FROM event_text t WHERE t.language = ${language} AND ${match.condition('event')}`
  // The planner cannot estimate how many rows match the text.
  const among = isFrequent
    ? sql`EXISTS (SELECT ${texts} AND t.event_id = found.id OFFSET 0)`
    : sql`found.id = ANY(ARRAY(SELECT t.event_id ${texts}))`
  return reads.rows(sql`SELECT 'event' AS kind, e.id, t.name, t.folded_name AS folded, t.source, ARRAY[t.slug] AS slugs
      FROM (SELECT id, ends_at, published_at FROM (${events}) found
            WHERE ${texts ? among : raw('TRUE')} ORDER BY ${order} LIMIT ${take}::int) e
        JOIN event_text t ON t.event_id = e.id AND t.language = ${language}
      WHERE t.folded_name LIKE ${toContainsPattern(part)}
      ORDER BY ${order}`)
}

const toSuggestions = (rows: readonly TextRow[], { fits }: Match, context: Context): Suggestion[] =>
  rows
    .filter(({ folded }) => fits(folded))
    .map(({ kind, id, name, slugs, source }) => ({
      kind,
      id,
      text: name,
      url: pageUrl(context, kind, slugs, { id, source }),
    }))

/** Rows to read per suggestion: names that differ only in case or accents are one suggestion, and slugs match, too. */
const namesPerSuggestion = { venue: 2, organizer: 2, category: 5, tag: 5 } satisfies Record<OtherKind, number>

/** Finds names of venues, organizers, categories and tags, in this order and then by name. */
async function findNames(match: Match, first: number, context: Context, factor = 1): Promise<Suggestion[]> {
  const takeOf = (kind: OtherKind) => first * namesPerSuggestion[kind] * factor
  const statements = await Promise.all(otherKinds.map((kind) => namesOf(kind, match, takeOf(kind), context)))
  const all = await context.reads.rows<TextRow>(Prisma.join(statements, ' UNION ALL '))
  const rows = Map.groupBy(all, ({ kind }) => kind)
  const lists = otherKinds.map((kind) => {
    const found = rows.get(kind) ?? []
    const suggestions = distinct(toSuggestions(found, match, context))
    return { suggestions, hasAll: found.length < takeOf(kind) || suggestions.length >= first }
  })
  if (lists.some(({ hasAll }) => !hasAll)) return findNames(match, first, context, factor * 10)
  return lists.flatMap(({ suggestions }) => suggestions)
}

/** Returns a SELECT of the first distinct names. Reads the other columns only for these rows. */
async function namesOf(kind: OtherKind, { condition }: Match, take: number, context: Context): Promise<Prisma.Sql> {
  const { language } = context
  const visible = await listed[kind](context)
  const [texts, id] = [raw(`${kind}_text`), raw(`${kind}_id`)]
  const slugs =
    kind === 'category'
      ? sql`ARRAY(
        SELECT coalesce(a.slug, '')
        FROM category_path p LEFT JOIN category_text a ON a.category_id = p.ancestor_id AND a.language = ${language}
        WHERE p.descendant_id = t.category_id ORDER BY p.depth DESC)`
      : raw('ARRAY[t.slug]')
  // OFFSET makes the planner find the matching names by their index, not in the order of all names.
  return sql`(
    SELECT ${raw(`'${kind}'`)} AS kind, t.${id} AS id, t.name, ${nameOf(kind)} AS folded, t.source, ${slugs} AS slugs
    FROM (
        SELECT DISTINCT ON (n.name) n.name, n.${id}
        FROM (SELECT t.name, t.${id} FROM ${texts} t WHERE t.language = ${language} AND ${condition(kind)} OFFSET 0) n
          JOIN (${visible}) visible ON visible.id = n.${id}
        ORDER BY n.name, n.${id} LIMIT ${take}::int) found
      JOIN ${texts} t ON t.${id} = found.${id} AND t.language = ${language}
    ORDER BY found.name, found.${id})`
}

const distinct = (suggestions: readonly Suggestion[]): Suggestion[] =>
  [...Map.groupBy(suggestions, ({ text }) => foldLine(text)).values()].flatMap((same) => same.slice(0, 1))
