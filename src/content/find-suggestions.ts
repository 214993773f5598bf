// Finds titles and names for search suggestions.
import type { Context } from '../context.ts'
import { queryRows, querySql } from '../db/query.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { memoizeOnce } from '../memoize.ts'
import { listedEvents } from './event/visibility.ts'
import { isPost, type RecordKind } from './kinds.ts'
import { listedOrganizers } from './organizer/visibility.ts'
import { pageUrl } from './page-url.ts'
import { type EventTitles, nameContains, titlesBeginningWith, titlesWithWord } from './text/search.ts'
import { escapeLikePattern, isComparable, lookUpTerms } from './text/search-terms.ts'
import { inLanguage } from './text/served-text.ts'
import { foldLine } from './text/text-rows.ts'
import { listedVenues } from './venue/visibility.ts'

const { sql, raw } = Prisma

export interface Suggestion {
  readonly kind: RecordKind
  readonly id: number
  readonly text: string
  readonly url: string
}

/** The records whose names are suggested beside the titles of events, as lists show them to the caller. */
const listed = {
  venue: (context) => context.db.venue.matchingRows({ AND: [listedVenues(context), inLanguage(context)] }),
  organizer: (context) => context.db.organizer.matchingRows({ AND: [listedOrganizers(context), inLanguage(context)] }),
  category: (context) => context.db.category.matchingRows(inLanguage(context)),
  tag: (context) => context.db.tag.matchingRows(inLanguage(context)),
} satisfies Partial<Record<RecordKind, (context: Context) => Promise<Prisma.Sql>>>

type OtherKind = keyof typeof listed
const otherKinds = Object.keys(listed) as OtherKind[]

/** Conditions on titles and names, and the same for a folded one. */
interface Match {
  /** Undefined if there are none. Takes a statement, so it is called only if the nearest events do not suffice. */
  readonly titles: () => Promise<EventTitles | undefined>
  /** A condition on the texts of the kind, in SQL, where they are named `n`. */
  readonly names: (kind: OtherKind) => Prisma.Sql
  /** A term of all names that match. */
  readonly term?: string
  readonly fits: (name: string) => boolean
}

/** Letters of a word that an index of the beginnings of words has: of titles, and of the names of terms. */
const [indexedOfTitle, indexedOfTerm] = [2, 6]

const startOf = (word: string, length: number): string => [...word].slice(0, length).join('')

/** Titles and names with a word that begins with the text, then those that contain it, or else those with similar words. */
export async function findSuggestions(text: string, first: number, context: Context): Promise<Suggestion[]> {
  const prefix = foldLine(text)
  if (prefix === '' || first === 0) return []
  let found: Suggestion[] = []
  const nearest = findNearest(prefix, context)
  for (const match of [beginningWith(prefix, context), containing(prefix, context)]) {
    if (match) found = distinct([...found, ...(await findMatches(match, nearest, first, context))]).slice(0, first)
    if (found.length === first) return found
  }
  if (found.length > 0 || !isComparable(prefix)) return found
  return findMatches(await resembling(prefix, context), undefined, first, context)
}

function beginningWith(prefix: string, context: Context): Match | undefined {
  const words = prefix.split(/[^\p{L}\p{Nd}]+/u)
  const word = words.reduce((longest, each) => (each.length > longest.length ? each : longest))
  if (word === '') return undefined
  const isWord = prefix === word
  const { language } = context
  const start = startOf(word, indexedOfTitle)
  const findTitles = () =>
    start === word
      ? titlesBeginningWith(start, context)
      : titlesWith(word, (token) => hasWordBeginning(token, word), context)
  const termStart = `^${startOf(word, indexedOfTerm)}`
  const wordsPattern = `% ${escapeLikePattern(words.filter((each) => each !== '').join(' '))}%`
  return {
    titles: memoizeOnce(async () => {
      const titles = await findTitles()
      if (isWord || !titles) return titles
      return { ...titles, where: { AND: [titles.where, { texts: { some: { language, ...nameContains(prefix) } } }] } }
    }),
    names: (kind) =>
      isPost(kind)
        ? sql`n.words LIKE ${wordsPattern}`
        : sql`n.terms && ${[termStart]}::text[] AND ${nameHas(kind, prefix)}`,
    term: termStart,
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

/** The folded text of categories and tags contains the slug, too: their names are compared again. */
const nameHas = (kind: OtherKind, part: string): Prisma.Sql =>
  sql`${raw(isPost(kind) ? 'n.folded_name' : 'n.folded')} LIKE ${`%${escapeLikePattern(part)}%`}`

async function titlesWith(word: string, isWanted: (token: string) => boolean, context: Context) {
  const [terms] = await lookUpTerms([word], {}, context)
  return terms && titlesWithWord({ ...terms, tokens: terms.tokens?.filter(isWanted) }, context)
}

const containing = (part: string, context: Context): Match => ({
  titles: memoizeOnce(() => titlesWith(part, () => true, context)),
  names: (kind) => nameHas(kind, part),
  fits: (name) => name.includes(part),
})

async function resembling(word: string, context: Context): Promise<Match> {
  const { db, language } = context
  const [[terms], rows] = await Promise.all([
    lookUpTerms([word], { similar: true }, context),
    db.$queryRaw<{ kind: OtherKind; id: number }[]>`SELECT kind, id FROM similar_names(${word}, ${language})`,
  ])
  const ids = Map.groupBy(rows, ({ kind }) => kind)
  return {
    titles: memoizeOnce(async () => terms && titlesWithWord(terms, context)),
    names: (kind) => sql`n.${raw(`${kind}_id`)} = ANY(${ids.get(kind)?.map(({ id }) => id) ?? []}::int[])`,
    fits: () => true,
  }
}

async function findMatches(match: Match, nearest: Nearest | undefined, first: number, context: Context) {
  const [near = [], names] = await Promise.all([nearest?.(), findNames(match, first, context)])
  const rest = distinct(names)
  // Other records get up to half of the list.
  const maxTitles = Math.max(first - rest.length, Math.ceil(first / 2))
  const titles = (await findUpcoming(match, near, maxTitles, context)).slice(0, maxTitles)
  const found = distinct([...titles, ...rest]).slice(0, first)
  if (found.length === first) return found
  return distinct([...found, ...(await findTitles({ when: 'past' }, match, first, context))]).slice(0, first)
}

/** Rows read for each suggestion, because several events may have one title: at first, and if those have too few titles. */
const [firstRows, maxRows] = [5, 200]

interface TextRow {
  readonly kind: RecordKind
  readonly id: number
  readonly name: string
  readonly folded: string
  readonly source: string
  /** Of a category, those of its ancestors, and its own. */
  readonly slugs: readonly string[]
}

/** Events whose titles are compared first. */
const nearestRows = 200

type Nearest = () => Promise<readonly TextRow[]>

/** Of the upcoming events that end first, those whose title contains the text. */
const findNearest = (text: string, context: Context): Nearest =>
  memoizeOnce(() => readTitles({ when: 'upcoming', take: nearestRows, containing: text }, { where: {} }, context))

/** Distinct titles of upcoming events: of the nearest events if they suffice, as for most prefixes of a few letters. */
async function findUpcoming(match: Match, nearest: readonly TextRow[], first: number, context: Context) {
  const found = distinct(toSuggestions(nearest, match, context))
  if (found.length >= first) return found
  return findTitles({ when: 'upcoming', isFrequent: found.length > 0 }, match, first, context)
}

interface Period {
  readonly when: 'upcoming' | 'past'
  /** Whether reading the events in order soon finds enough of them. Otherwise those with the word are read and sorted. */
  readonly isFrequent?: boolean
}

/** Distinct titles of events in the period. Reads more events if the first ones have fewer than `first` titles. */
async function findTitles(
  period: Period,
  match: Match,
  first: number,
  context: Context,
  rowsPerSuggestion = firstRows,
): Promise<Suggestion[]> {
  const titles = await match.titles()
  if (!titles) return []
  const take = first * rowsPerSuggestion
  const rows = await readTitles({ ...period, take }, titles, context)
  const found = distinct(toSuggestions(rows, match, context))
  if (found.length >= first || rows.length < take || rowsPerSuggestion === maxRows) return found
  return findTitles(period, match, first, context, maxRows)
}

/** Titles by the end of the event, the nearest first. */
async function readTitles(
  { when, isFrequent, take, containing = '' }: Period & { readonly take: number; readonly containing?: string },
  { where, ids }: EventTitles,
  context: Context,
): Promise<TextRow[]> {
  const { db, now, language } = context
  const ends = { endsAt: when === 'upcoming' ? { gte: now } : { lt: now } }
  const events = await db.event.matchingRows({ AND: [listedEvents(context), inLanguage(context), ends, where] })
  const direction = raw(when === 'upcoming' ? 'ASC' : 'DESC')
  const order = sql`ends_at ${direction}, published_at ${direction}, id ${direction}`
  // The planner does not know how many there are. It turns IN into a join, but not IN with IS TRUE.
  const among = ids && (isFrequent ? sql`(id IN (${ids})) IS TRUE` : sql`id = ANY(ARRAY(${ids}))`)
  return querySql(
    db,
    sql`SELECT 'event' AS kind, e.id, t.name, t.folded_name AS folded, t.source, ARRAY[t.slug] AS slugs
      FROM (SELECT id, ends_at, published_at FROM (${events}) found
            WHERE ${among ?? raw('TRUE')} ORDER BY ${order} LIMIT ${take}::int) e
        JOIN event_text t ON t.event_id = e.id AND t.language = ${language}
      WHERE t.folded_name LIKE ${`%${escapeLikePattern(containing)}%`}
      ORDER BY ${order}`,
  )
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

/** Names that differ in case or accents alone are one suggestion. Of categories and tags, slugs are compared, too. */
const namesPerSuggestion = { venue: 2, organizer: 2, category: 5, tag: 5 } satisfies Record<OtherKind, number>

/** Names of the other kinds, in the order of the kinds and then by name. */
async function findNames(match: Match, first: number, context: Context, factor = 1): Promise<Suggestion[]> {
  const takeOf = (kind: OtherKind) => first * namesPerSuggestion[kind] * factor
  const statements = await Promise.all(otherKinds.map((kind) => namesOf(kind, match, takeOf(kind), context)))
  const { text, values } = Prisma.join(statements, ' UNION ALL ')
  const rows = Map.groupBy(
    await queryRows<TextRow>(context.db, { text, values, prepared: 'constant' }),
    ({ kind }) => kind,
  )
  const lists = otherKinds.map((kind) => {
    const found = rows.get(kind) ?? []
    const suggestions = distinct(toSuggestions(found, match, context))
    return { suggestions, hasAll: found.length < takeOf(kind) || suggestions.length >= first }
  })
  if (lists.some(({ hasAll }) => !hasAll)) return findNames(match, first, context, factor * 10)
  return lists.flatMap(({ suggestions }) => suggestions)
}

/** Venues or organizers whose names are sorted. Of more, the index of names soon has enough in their order. */
const maxSorted = 100

/** The first different names. Only for them are the other columns read, which the index of names does not have. */
async function namesOf(kind: OtherKind, { names, term }: Match, take: number, context: Context): Promise<Prisma.Sql> {
  const { language } = context
  const visible = await listed[kind](context)
  const [texts, id] = [raw(`${kind}_text`), raw(`${kind}_id`)]
  const firstOf = (rows: Prisma.Sql, condition: Prisma.Sql) => sql`
    SELECT DISTINCT ON (n.name) n.name, n.${id} FROM (${rows}) n JOIN (${visible}) visible ON visible.id = n.${id}
    WHERE ${names(kind)} AND ${condition} ORDER BY n.name, n.${id} LIMIT ${take}::int`
  const all = sql`SELECT * FROM ${texts} WHERE language = ${language}`
  // A beginning of one letter (`^` and the letter) is in so many names that reading the index of names in order is faster.
  const isFrequent = term === undefined || term.length <= 2
  const found =
    isFrequent || !isPost(kind)
      ? firstOf(all, raw('TRUE'))
      : sql`
        WITH few AS MATERIALIZED (
            SELECT name, ${id}, words FROM (${all}) texts WHERE terms && ${[term]}::text[] LIMIT ${maxSorted + 1}::int),
          size AS (SELECT count(*) AS names FROM few)
        (${firstOf(sql`SELECT * FROM few`, sql`(SELECT names FROM size) <= ${maxSorted}::int`)})
        UNION ALL (${firstOf(all, sql`(SELECT names FROM size) > ${maxSorted}::int`)})`
  const folded = raw(isPost(kind) ? 't.folded_name' : `split_part(t.folded, E'\\n', 1)`)
  const slugs =
    kind === 'category'
      ? sql`ARRAY(
        SELECT coalesce(a.slug, '')
        FROM category_path p LEFT JOIN category_text a ON a.category_id = p.ancestor_id AND a.language = ${language}
        WHERE p.descendant_id = t.category_id ORDER BY p.depth DESC)`
      : raw('ARRAY[t.slug]')
  return sql`(
    SELECT ${raw(`'${kind}'`)} AS kind, t.${id} AS id, t.name, ${folded} AS folded, t.source, ${slugs} AS slugs
    FROM (${found}) found
      JOIN ${texts} t ON t.${id} = found.${id} AND t.language = ${language}
    ORDER BY found.name, found.${id})`
}

/** The first suggestion with each text. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const byText = new Map<string, Suggestion>()
  for (const suggestion of suggestions) {
    const key = foldLine(suggestion.text)
    if (!byText.has(key)) byText.set(key, suggestion)
  }
  return [...byText.values()]
}
