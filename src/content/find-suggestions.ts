// Finds titles and names for search suggestions.
import type { Context } from '../context.ts'
import { memoizeOnce } from '../memoize.ts'
import { listedEvents } from './event/visibility.ts'
import { isPost, type RecordKind } from './kinds.ts'
import { delegateOf } from './list/records.ts'
import { listedOrganizers } from './organizer/visibility.ts'
import { pageUrl } from './page-url.ts'
import { type EventTitles, nameContains, titleBegins, titleHas } from './text/search.ts'
import { isComparable, lookUpTerms } from './text/search-terms.ts'
import { inLanguage } from './text/served-text.ts'
import { foldLine } from './text/text-rows.ts'
import { slugsOfRecord, type TextRow, urlOf } from './text/translations.ts'
import { listedVenues } from './venue/visibility.ts'

export interface Suggestion {
  readonly kind: RecordKind
  readonly id: number
  readonly text: string
  readonly url: string
}

/** The records whose names are suggested beside the titles of events, as lists show them to the caller. */
const listed = {
  venue: listedVenues,
  organizer: listedOrganizers,
  category: () => ({}),
  tag: () => ({}),
} satisfies Partial<Record<RecordKind, (context: Context) => object>>

type OtherKind = keyof typeof listed
const otherKinds = Object.keys(listed) as OtherKind[]

/** Conditions on titles and names, and the same for a folded one. */
interface Match {
  /** Undefined if there are none. Takes several statements, so it is called only if the nearest events do not suffice. */
  readonly titles: () => Promise<EventTitles | undefined>
  readonly names: (kind: OtherKind) => object
  readonly fits: (name: string) => boolean
}

/** Letters of a word that an index of the beginnings of words has: of titles, and of other names. */
const [indexedOfTitle, indexedOfName] = [2, 6]

const startOf = (word: string, length: number): string => [...word].slice(0, length).join('')

/** Titles and names with a word that begins with the text, then those that contain it, or else those with similar words. */
export async function findSuggestions(text: string, first: number, context: Context): Promise<Suggestion[]> {
  const prefix = foldLine(text)
  if (prefix === '' || first === 0) return []
  let found: Suggestion[] = []
  const nearest = findNearest(context)
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
    start === word ? titleBegins(start, context) : titlesWith(word, (token) => hasWordBeginning(token, word), context)
  const nameStart = startOf(word, indexedOfName)
  return {
    titles: memoizeOnce(async () => {
      const titles = await findTitles()
      return isWord || !titles ? titles : { AND: [titles, { texts: { some: { language, ...nameContains(prefix) } } }] }
    }),
    // The beginning is in the name, too: comparing the name is faster than comparing the terms.
    names: (kind) => ({ ...nameColumn(kind, prefix), terms: { hasSome: [`^${nameStart}`] } }),
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

/** Terms of categories and tags contain the slug, too: their names are compared again. */
const nameColumn = (kind: OtherKind, part: string) =>
  isPost(kind) ? nameContains(part) : { folded: { contains: nameContains(part).foldedName.contains } }

async function titlesWith(word: string, isWanted: (token: string) => boolean, context: Context) {
  const [terms] = await lookUpTerms([word], {}, context)
  return terms && titleHas({ ...terms, tokens: terms.tokens?.filter(isWanted) }, context)
}

const containing = (part: string, context: Context): Match => ({
  titles: memoizeOnce(() => titlesWith(part, () => true, context)),
  names: (kind) => nameColumn(kind, part),
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
    titles: memoizeOnce(async () => terms && titleHas(terms, context)),
    names: (kind) => ({ [`${kind}Id`]: { in: ids.get(kind)?.map(({ id }) => id) ?? [] } }),
    fits: () => true,
  }
}

async function findMatches(match: Match, nearest: Nearest | undefined, first: number, context: Context) {
  const [upcoming, ...others] = await Promise.all([
    findUpcoming(match, nearest, first, context),
    ...otherKinds.map((kind) => findNames(kind, match, first, context)),
  ])
  const rest = distinct(others.flat())
  // Other records get up to half of the list.
  const titles = distinct(upcoming).slice(0, Math.max(first - rest.length, Math.ceil(first / 2)))
  const found = distinct([...titles, ...rest]).slice(0, first)
  if (found.length === first) return found
  return distinct([...found, ...(await findTitles('past', match, first, context))]).slice(0, first)
}

/** Several events may have one title. */
const rowsPerSuggestion = 5

interface TitleRow {
  readonly id: number
  readonly texts: readonly { readonly name: string; readonly slug: string; readonly source: string }[]
}

/** Events whose titles are compared first. */
const nearestRows = 200

type Nearest = () => Promise<readonly TitleRow[]>

/** The upcoming events that end first. */
const findNearest = (context: Context): Nearest => memoizeOnce(() => readTitles('upcoming', {}, nearestRows, context))

/** Titles of upcoming events: of the nearest ones if they suffice, as for most beginnings of a few letters. */
async function findUpcoming(match: Match, nearest: Nearest | undefined, first: number, context: Context) {
  if (nearest) {
    const found = toSuggestions(await nearest(), match, context).slice(0, first * rowsPerSuggestion)
    if (distinct(found).length >= first) return found
  }
  return findTitles('upcoming', match, first, context)
}

type When = 'upcoming' | 'past'

async function findTitles(when: When, match: Match, first: number, context: Context): Promise<Suggestion[]> {
  const titles = await match.titles()
  if (!titles) return []
  return toSuggestions(await readTitles(when, titles, first * rowsPerSuggestion, context), match, context)
}

/** Titles by the end of the event, the nearest first. */
async function readTitles(when: When, titles: EventTitles, take: number, context: Context): Promise<TitleRow[]> {
  const { now, language } = context
  const direction = when === 'upcoming' ? 'asc' : 'desc'
  return (await delegateOf(context, 'event').findMany({
    where: {
      AND: [
        listedEvents(context),
        inLanguage(context),
        { endsAt: when === 'upcoming' ? { gte: now } : { lt: now } },
        titles,
      ],
    },
    select: { id: true, texts: { where: { language }, select: { name: true, slug: true, source: true } } },
    orderBy: [{ endsAt: direction }, { publishedAt: direction }, { id: direction }],
    take,
  })) as TitleRow[]
}

const toSuggestions = (rows: readonly TitleRow[], { fits }: Match, context: Context): Suggestion[] =>
  rows.flatMap(({ id, texts: [text] }) => {
    if (!text || !fits(foldLine(text.name))) return []
    return [{ kind: 'event', id, text: text.name, url: pageUrl(context, 'event', [text.slug], { id, ...text }) }]
  })

async function findNames(kind: OtherKind, { names, fits }: Match, first: number, context: Context) {
  const { language } = context
  const id = `${kind}Id`
  const rows = (await delegateOf(context, `${kind}Text`).findMany({
    where: { language, [kind]: { AND: [listed[kind](context), inLanguage(context)] }, ...names(kind) },
    select: { [id]: true, language: true, name: true, slug: true, source: true, ...slugsOfRecord(kind, [language]) },
    orderBy: [{ name: 'asc' }, { [id]: 'asc' }],
    take: first * rowsPerSuggestion,
  })) as TextRow[]
  return rows.flatMap((row): Suggestion[] => {
    const url = urlOf(context, kind, row)
    return url !== null && fits(foldLine(row.name)) ? [{ kind, id: Number(row[id]), text: row.name, url }] : []
  })
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
