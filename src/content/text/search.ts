// Searches texts in the language of the operation (contract c.14).
import type { Context } from '../../context.ts'
import { oneByOne } from '../../db/record-reads.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PostKind } from '../kinds.ts'
import { lockedFor, unlocked } from '../lifecycle/record-password.ts'
import { delegateOf } from '../list/records.ts'
import { lookUpEvents, setWithTerms, type TermLists, withTerms } from './events-with-terms.ts'
import {
  escapeLikePattern,
  isComparable,
  lookUpStems,
  lookUpTerms,
  type WordStems,
  type WordTerms,
} from './search-terms.ts'
import { fold, foldLine } from './text-rows.ts'

interface Words {
  /** Words or phrases that must occur. */
  readonly present: readonly string[]
  /** Words or phrases that must not occur. */
  readonly absent: readonly string[]
}

/** Splits at white space. Quotes make a phrase, a leading hyphen excludes the word or phrase. */
export function searchWords(search: string): Words {
  const present = new Set<string>()
  const absent = new Set<string>()
  for (const [, hyphen, phrase, word = ''] of fold(search).matchAll(/(-?)(?:["“”]([^"“”]*)["“”]?|([^\s"“”]+))/g)) {
    const text = foldLine(phrase ?? word)
    if (text !== '') (hyphen ? absent : present).add(text)
  }
  return { present: [...present], absent: [...absent] }
}

/** Splits at characters other than letters, digits and hyphens. Used for venues and organizers. */
const fragments = (search: string): string[] =>
  fold(search)
    .split(/[^\p{L}\p{M}\p{N}-]+/u)
    .filter((fragment) => fragment !== '')

/** Characters of a search text, or of a term in a filter. */
const maxLength = 1000

/** Throws badInput for text with a NUL character, and for text that is too long. */
export function checkSearchText(field: string, text: string): void {
  if (text.includes('\0')) throw badInput({ [field]: 'NUL characters are not allowed.' })
  if (text.length > maxLength) throw badInput({ [field]: `${field} can have at most ${maxLength} characters.` })
}

const textContains = (text: string) => ({ folded: { contains: escapeLikePattern(text) } })
/** A condition on the name of posts. */
export const nameContains = (text: string) => ({ foldedName: { contains: escapeLikePattern(text) } })

/** `words` also finds other forms of a word, by its stem; `similar` also words that resemble it. */
export type SearchMode = 'substring' | 'words' | 'similar'

/**
 * Events whose text contains all words and no excluded word. Of a locked event, only the title is searched, because no
 * other text of it is shown (contract c.15). Undefined if the search is blank.
 */
export async function eventTextMatches(
  search: string,
  mode: SearchMode,
  context: Context,
): Promise<Prisma.EventWhereInput | undefined> {
  checkSearchText('search', search)
  const { present, absent } = searchWords(search)
  if (present.length + absent.length === 0) return undefined
  const stems = mode !== 'substring'
  const [required, excluded] = await Promise.all([
    lookUpTerms(present, { stems, similar: mode === 'similar' }, context),
    lookUpTerms(absent, { stems }, context),
  ])
  const { words, inTitle: byTitle } = await eventsWith(required, context)
  const withoutExcluded: Prisma.EventWhereInput = { NOT: excluded.map((word) => eventHas(word, inText, context)) }
  const locked = lockedFor(context)
  if (!locked) return { AND: [...words, withoutExcluded] }
  if (!byTitle) return { AND: [...words, withoutExcluded, unlocked(context)] }
  const title = [...byTitle, { NOT: excluded.map((word) => eventHas(word, inTitle, context)) }]
  const lockedWithTitle = { AND: [{ passwordKey: { not: null } }, locked, ...title] }
  // The text contains the title: required words restrict both kinds of matches.
  return { AND: [...words, { OR: [{ AND: [unlocked(context), withoutExcluded] }, lockedWithTitle] }] }
}

/** Whether events with similar words may be found if none has the words. */
export const hasSimilarWords = (search: string): boolean => searchWords(search).present.some(isComparable)

/** Where a word is searched: the signs of terms of events, and the column with the text. */
interface Scope {
  readonly token: string
  readonly stem: string
  readonly contains: (word: string) => { folded: { contains: string } } | { foldedName: { contains: string } }
}

const inText: Scope = { token: '=', stem: '~', contains: textContains }
const inTitle: Scope = { token: '#', stem: '!', contains: nameContains }
/** The first one or two letters of a word of the title. */
const beginningInTitle: Scope = { ...inTitle, token: '^' }

const inTerms = (...conditions: Prisma.EventSearchWhereInput[]): Prisma.EventWhereInput => ({
  search: { is: conditions.length === 1 ? (conditions[0] ?? {}) : { AND: conditions } },
})

const tokenTerms = (token: string, scope: Scope, language: string): string[] => [
  `*${scope.token}${token}`,
  `${language}${scope.token}${token}`,
]

/** Terms of which each event with the word has one, and whether each event with one of them has the word. */
function termsOf({ tokens, isToken, isSimilar, stems }: WordTerms, scope: Scope, language: string) {
  const ofTokens = tokens?.flatMap((token) => tokenTerms(token, scope, language))
  if (!ofTokens || stems.length > 1 || (stems.length > 0 && !isToken)) return undefined
  const ofStems = [...stems, ...(isSimilar ? (tokens ?? []) : [])].map((stem) => `${language}${scope.stem}${stem}`)
  return { terms: [...ofTokens, ...ofStems], isComplete: isToken }
}

function eventHas(word: WordTerms, scope: Scope, { language }: Context): Prisma.EventWhereInput {
  const found = termsOf(word, scope, language)
  // One list takes one scan of the index.
  if (found?.isComplete) return inTerms({ terms: { hasSome: found.terms } })
  const inRow: Prisma.EventWhereInput = { texts: { some: { language, ...scope.contains(word.word) } } }
  if (found) return { AND: [inTerms({ terms: { hasSome: found.terms } }), inRow] }
  if (word.stems.length === 0) return inRow
  const byStem = word.stems.map((stem) => ({ terms: { hasSome: [`${language}${scope.stem}${stem}`] } }))
  return { OR: [inRow, inTerms(...byStem)] }
}

type Found = Prisma.EventWhereInput[]

/**
 * Words that only the text itself can tell share one subquery: the planner misjudges several of them. `haveTerms` means that
 * the events are known to have the terms of the words. Then most of them match, unlike what the planner assumes of a text: it
 * would compare the texts of all.
 */
function eventHasAll(words: readonly WordTerms[], scope: Scope, context: Context, haveTerms = false): Found {
  const { language } = context
  const { inRow = [], others = [] } = Object.groupBy(words, (word) =>
    word.stems.length === 0 && (haveTerms || !termsOf(word, scope, language)) ? 'inRow' : 'others',
  )
  const found = others.map((word) => eventHas(word, scope, context))
  if (inRow.length === 0) return found
  const some = { language, AND: inRow.map(({ word }) => scope.contains(word)) }
  return [{ texts: haveTerms ? ({ some, [oneByOne]: true } as object) : { some } }, ...found]
}

/** The terms of each word that has terms, and of the words in phrases. */
const termLists = (words: readonly WordTerms[], scope: Scope, language: string): TermLists =>
  words.flatMap((word) => {
    const found = termsOf(word, scope, language)
    const inner = word.inner.map((token) => tokenTerms(token, scope, language))
    return found ? [found.terms, ...inner] : inner
  })

/** Conditions on events with all words: on those with these terms of the words, which are these or this frequent. */
function among(
  found: { readonly ids: readonly number[] } | { readonly frequency: number },
  { words, lists }: { readonly words: readonly WordTerms[]; readonly lists: TermLists },
  scope: Scope,
  context: Context,
): Found {
  const set = 'ids' in found ? { id: { in: [...found.ids] } } : setWithTerms(lists, found.frequency)
  return set ? [set, ...incomplete(words, scope, context)] : eventHasAll(words, scope, context)
}

/** Conditions on events with the terms of all words, for those words that not all events with their terms have. */
const incomplete = (words: readonly WordTerms[], scope: Scope, context: Context): Found =>
  eventHasAll(
    words.filter((word) => !termsOf(word, scope, context.language)?.isComplete),
    scope,
    context,
    true,
  )

/**
 * Conditions on events that have all words, by their IDs if they are few, and on those that have all words in the title, which
 * apply to events with a password; undefined if there are none of these.
 */
async function eventsWith(
  words: readonly WordTerms[],
  context: Context,
): Promise<{ readonly words: Found; readonly inTitle: Found | undefined }> {
  const { db, language } = context
  const lists = termLists(words, inText, language)
  const titles = termLists(words, inTitle, language)
  const found = await lookUpEvents(lists, db, titles)
  const inTexts = among(found, { words, lists }, inText, context)
  if ('ids' in found && found.lockedByTitle.length === 0) return { words: inTexts, inTitle: undefined }
  // In titles, the words are at most as frequent as in the texts, and only those of events with a password are compared.
  const locked = 'ids' in found ? { ids: found.lockedByTitle } : found
  return { words: inTexts, inTitle: among(locked, { words, lists: titles }, inTitle, context) }
}

/** Events by a condition on the title in the language of the operation. */
export interface EventTitles {
  readonly where: Prisma.EventWhereInput
  /** Selects the IDs of events, among which those that match are. */
  readonly ids?: Prisma.Sql
}

/** Comparing the terms of each event would be slower than looking up those that have the word. */
function titlesWith(word: WordTerms, scope: Scope, context: Context): EventTitles | undefined {
  const lists = termLists([word], scope, context.language)
  if (lists.length === 0) return { where: eventHas(word, scope, context) }
  return lists.some((terms) => terms.length === 0)
    ? undefined
    : { where: { AND: incomplete([word], scope, context) }, ids: withTerms(lists) }
}

/** A condition on events with all words in the title; undefined if there are none. */
export async function allWordsInTitle(search: string, context: Context): Promise<Prisma.EventWhereInput | undefined> {
  const words = await lookUpTerms(searchWords(search).present, { stems: true }, context)
  if (words.length === 0) return undefined
  const lists = termLists(words, inTitle, context.language)
  const found = await lookUpEvents(lists, context.db)
  if ('ids' in found && found.ids.length === 0) return undefined
  return { AND: among(found, { words, lists }, inTitle, context) }
}

/** Undefined if no title has the word. */
export const titlesWithWord = (word: WordTerms, context: Context): EventTitles | undefined =>
  titlesWith(word, inTitle, context)

/** Titles with a word that begins with these one or two letters. */
export function titlesBeginningWith(start: string, context: Context): EventTitles | undefined {
  const word = { word: start, tokens: [start], isToken: true, inner: [], isSimilar: false, stems: [] }
  return titlesWith(word, beginningInTitle, context)
}

/**
 * IDs of records that are locked for this operation and whose text matches; undefined if nothing can be locked. Throws
 * badInput for more than `maxMatches`.
 */
async function lockedMatches(kind: PostKind, matches: object, context: Context): Promise<number[] | undefined> {
  const locked = lockedFor(context)
  if (!locked) return undefined
  const where = { AND: [{ passwordKey: { not: null } }, locked, matches] }
  const records = await delegateOf(context, kind).findMany({ select: { id: true }, where, take: maxMatches + 1 })
  if (records.length > maxMatches)
    throw badInput({ search: `More than ${maxMatches} protected ${kind}s match. Use a more specific search.` })
  return records.map((record) => (record as { id: number }).id)
}

/** Terms whose name or slug contains the text or, by words, each word of it. Undefined if the search is blank. */
export async function termTextMatches(search: string, mode: SearchMode, context: Context) {
  checkSearchText('search', search)
  const { language } = context
  const text = foldLine(search)
  if (text === '') return undefined
  if (mode === 'substring') return { texts: { some: { language, AND: [textContains(text)] } } }
  const words = await lookUpStems(text.split(' '), context)
  return {
    texts: { some: { language, AND: words.map((word) => textHas(word, { ...inText, contains: textContains })) } },
  }
}

/** More IDs exceed the number of parameters of a statement. */
export const maxMatches = 30_000

/**
 * Venues or organizers with all words: each in any field, or all in one field as substrings. Of locked records, only the
 * name is searched. Undefined if the search is blank. Throws badInput for more than `maxMatches`.
 */
export async function fieldMatches(kind: PostKind, search: string, mode: SearchMode, context: Context) {
  checkSearchText('search', search)
  const all = fragments(search)
  if (all.length === 0) return search.trim() === '' ? undefined : { id: { in: [] } }
  return mode === 'substring' ? substringMatches(kind, all, context) : wordMatches(kind, all, context)
}

async function wordMatches(kind: PostKind, all: readonly string[], context: Context) {
  const { language } = context
  const words = await lookUpStems(all, context)
  const matching = (scope: Scope) => ({ texts: { some: { language, AND: words.map((word) => textHas(word, scope)) } } })
  const matchesByName = await lockedMatches(kind, matching(inTitle), context)
  return { ...matching(inText), ...unlessLocked(matchesByName, context) }
}

async function substringMatches(kind: PostKind, all: readonly string[], context: Context) {
  const { db, language } = context
  const [first = '', ...others] = all
  const inName = { texts: { some: { language, AND: all.map(nameContains) } } }
  const matchesByName = await lockedMatches(kind, inName, context)
  const unlessHidden = unlessLocked(matchesByName, context)
  if (others.length === 0) return { texts: { some: { language, AND: [textContains(first)] } }, ...unlessHidden }
  const [textTable, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const patterns = all.map((fragment) => `%${escapeLikePattern(fragment)}%`)
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT ${key} AS id FROM ${textTable}
    WHERE language = ${language} AND folded LIKE ALL(${patterns}::text[])
      AND EXISTS (SELECT FROM string_to_table(folded, E'\n') AS field WHERE field LIKE ALL(${patterns}::text[]))
    LIMIT ${maxMatches + 1}`
  if (rows.length > maxMatches)
    throw badInput({ search: `More than ${maxMatches} ${kind}s match. Use a more specific search.` })
  return { id: { in: rows.map((row) => row.id) }, ...unlessHidden }
}

const unlessLocked = (matchesByName: number[] | undefined, context: Context) =>
  matchesByName ? { OR: [unlocked(context), { id: { in: matchesByName } }] } : {}

/** A condition on the texts of venues, organizers, categories and tags, which have the terms in their own rows. */
function textHas<Contains>(
  { word, stems }: WordStems,
  { contains, stem: sign }: { readonly contains: (word: string) => Contains; readonly stem: string },
) {
  const byStem = { terms: { hasEvery: stems.map((stem) => `${sign}${stem}`) } }
  return stems.length === 0 ? contains(word) : { OR: [contains(word), byStem] }
}
