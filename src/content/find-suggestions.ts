// Finds titles and names for search suggestions.
import type { Context } from '../context.ts'
import { listedEvents } from './event/visibility.ts'
import { isPost, type RecordKind, recordKinds } from './kinds.ts'
import { delegateOf } from './list/records.ts'
import { listedOrganizers } from './organizer/visibility.ts'
import { escapeLikePattern } from './text/search-terms.ts'
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

/** The records that lists show to the caller. */
const listed: Readonly<Record<RecordKind, (context: Context) => object>> = {
  event: listedEvents,
  venue: listedVenues,
  organizer: listedOrganizers,
  category: () => ({}),
  tag: () => ({}),
}

interface Source {
  readonly kind: RecordKind
  readonly where: object
  readonly orderBy: readonly object[]
}

/** Lists of records, those to suggest first in front. */
function sources(context: Context): Source[] {
  const { now } = context
  const byStart = (direction: 'asc' | 'desc') => [{ event: { startsAt: direction } }, { eventId: direction }]
  const upcoming = { kind: 'event', where: { endsAt: { gte: now } }, orderBy: byStart('asc') } as const
  const past = { kind: 'event', where: { endsAt: { lt: now } }, orderBy: byStart('desc') } as const
  const others = recordKinds
    .filter((kind) => kind !== 'event')
    .map((kind) => ({ kind, where: {}, orderBy: [{ name: 'asc' }, { [`${kind}Id`]: 'asc' }] }))
  return [upcoming, ...others, past].map((source) => ({
    ...source,
    where: { AND: [listed[source.kind](context), inLanguage(context), source.where] },
  }))
}

/** A condition on a column with the folded name, and the same for a folded name. */
interface Match {
  readonly condition: (column: string) => object
  readonly fits: (name: string) => boolean
}

/** Characters after which a word begins, in addition to the start of the text. */
const separators = [' ', "'", '’', '-', '(', '"', '“', '«', '/', '¡', '¿']

function beginsWith(prefix: string): Match {
  const pattern = escapeLikePattern(prefix)
  return {
    condition: (column) => ({
      OR: [
        { [column]: { startsWith: pattern } },
        ...separators.map((separator) => ({ [column]: { contains: `${separator}${pattern}` } })),
      ],
    }),
    fits: (name) => name.startsWith(prefix) || separators.some((separator) => name.includes(`${separator}${prefix}`)),
  }
}

const contains = (part: string): Match => ({
  condition: (column) => ({ [column]: { contains: escapeLikePattern(part) } }),
  fits: (name) => name.includes(part),
})

/** Titles and names with a word that begins with the text, then those that contain it. */
export async function findSuggestions(text: string, first: number, context: Context): Promise<Suggestion[]> {
  const prefix = foldLine(text)
  if (prefix === '' || first === 0) return []
  const begins = await findMatches(beginsWith(prefix), first, context)
  if (begins.length === first) return begins
  return distinct([...begins, ...(await findMatches(contains(prefix), first, context))]).slice(0, first)
}

async function findMatches(match: Match, first: number, context: Context): Promise<Suggestion[]> {
  const found = await Promise.all(sources(context).map((source) => find(source, match, first, context)))
  const [upcoming = [], ...others] = found
  const rest = distinct(others.flat())
  // Other records get up to half of the list.
  const titles = distinct(upcoming).slice(0, Math.max(first - rest.length, Math.ceil(first / 2)))
  return distinct([...titles, ...rest]).slice(0, first)
}

/** Several events may have one title. */
const rowsPerSuggestion = 5

async function find(
  { kind, where, orderBy }: Source,
  { condition, fits }: Match,
  first: number,
  context: Context,
): Promise<Suggestion[]> {
  const { language } = context
  const id = `${kind}Id`
  const rows = (await delegateOf(context, `${kind}Text`).findMany({
    where: { language, [kind]: where, ...condition(isPost(kind) ? 'foldedName' : 'folded') },
    select: { [id]: true, language: true, name: true, slug: true, source: true, ...slugsOfRecord(kind, [language]) },
    orderBy,
    take: first * rowsPerSuggestion,
  })) as TextRow[]
  return rows.flatMap((row) => {
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
