// Looks up which tokens contain a searched word, and which stems it has: the terms of events by which the database finds
// them (docs/architecture.md).
import type { Context } from '../../context.ts'
import { querySql } from '../../db/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { stemmer, stemmerOf } from './text-rows.ts'

export interface WordStems {
  readonly word: string
  /** Stems of the word in the language of the operation; empty for a phrase, and for words that have none. */
  readonly stems: readonly string[]
}

/** What finds a word or phrase in texts of events. */
export interface WordTerms extends WordStems {
  /** All tokens that contain the word, or its longest part without spaces; undefined for a part that too many contain. */
  readonly tokens: readonly string[] | undefined
  /** Whether every text with one of the tokens contains the word. */
  readonly isToken: boolean
  /** Of a phrase, words between the first and the last, which are tokens of each text with the phrase. */
  readonly inner: readonly string[]
  /** Whether the tokens include similar ones, which may be tokens or stems of a text. */
  readonly isSimilar: boolean
}

/** Escapes the wildcards of LIKE. */
export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Characters of the longest part that is always in one token. */
const maxPartLength = 50
/** Parts that are looked up; the longest ones. Other words are compared with the texts. */
const maxLookups = 10
const maxTokens = 10_000
/** Words of a phrase that are looked up, besides its longest part. */
const maxInnerWords = 3
/** Characters of the shortest word that is compared by similarity. */
const minSimilarLength = 4
/** Words that resemble the searched one much less than the most similar word are left out. */
const minShareOfHighest = 0.7

interface Lookup {
  /** Whether tokens that resemble a word count, too. */
  readonly similar?: boolean
  readonly stems?: boolean
}

interface Row {
  readonly position: number
  readonly tokens: readonly string[]
  readonly stems: readonly string[]
}

/** Whether tokens may resemble the word. */
export const isComparable = (word: string): boolean =>
  !isPhrase(word) && word.length >= minSimilarLength && word.length <= maxPartLength

/**
 * Whether a word has stems. Those of `c++` or `a_b` would be stems of other words. A single letter has no other forms than
 * those that contain it.
 */
const hasStems = (word: string): boolean => /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]+$/u.test(word)

const isPhrase = (word: string) => word.includes(' ')

/** The longest part of a word or phrase that is in one token. */
const partOf = (word: string): string =>
  word
    .split(' ')
    .reduce((longest, part) => (part.length > longest.length ? part : longest))
    .slice(0, maxPartLength)
    .toWellFormed()
    .replaceAll('\ufffd', '')

/** The longest words between the first and the last, except very long ones, which are cut into several tokens. */
const innerWords = (phrase: string): string[] =>
  phrase
    .split(' ')
    .slice(1, -1)
    .filter((word) => word.length <= maxPartLength && word.isWellFormed() && !word.includes('\x01'))
    .sort((one, other) => other.length - one.length)
    .slice(0, maxInnerWords)

/** The terms of each word, in one statement. */
export async function lookUpTerms(
  words: readonly string[],
  { similar = false, stems = false }: Lookup,
  { db, language }: Context,
): Promise<WordTerms[]> {
  const parts = words.map(partOf)
  const lookedUp = new Set(
    parts
      .map((part, position) => ({ part, position }))
      .sort((one, other) => other.part.length - one.part.length)
      .slice(0, maxLookups)
      .map(({ position }) => position),
  )
  const queries = words.flatMap((word, position) => {
    const part = parts[position] ?? ''
    const tokens = lookedUp.has(position) && part !== '' ? tokensOf(part, similar && isComparable(word)) : undefined
    const ofStems = stems && hasStems(word) ? stemsOf(word, language) : undefined
    if (!tokens && !ofStems) return []
    return [Prisma.sql`SELECT ${position}::int AS position, ${tokens ?? none} AS tokens, ${ofStems ?? none} AS stems`]
  })
  const rows = queries.length === 0 ? [] : await querySql<Row>(db, Prisma.join(queries, ' UNION ALL '))
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return words.map((word, position) => {
    const row = byPosition.get(position)
    const isKnown = row && lookedUp.has(position) && row.tokens.length <= maxTokens
    return {
      word,
      tokens: isKnown ? [...new Set(row.tokens)] : undefined,
      isToken: parts[position] === word,
      inner: innerWords(word),
      isSimilar: similar && isComparable(word),
      stems: row?.stems ?? [],
    }
  })
}

const none = Prisma.sql`'{}'::text[]`

function tokensOf(part: string, similar: boolean): Prisma.Sql {
  const containing = Prisma.sql`SELECT token FROM search_token WHERE token LIKE ${`%${escapeLikePattern(part)}%`}`
  if (!similar) return Prisma.sql`ARRAY(${containing} LIMIT ${maxTokens + 1}::int)`
  return Prisma.sql`ARRAY((${containing} LIMIT ${maxTokens + 1}::int) UNION ALL (
    SELECT token FROM (
      SELECT token, similarity(token, ${part}) AS similarity, max(similarity(token, ${part})) OVER () AS highest
      FROM search_token WHERE token % ${part}
    ) AS resembling WHERE similarity >= highest * ${minShareOfHighest}::float4 LIMIT ${maxTokens + 1}::int))`
}

const stemsOf = (word: string, language: string) =>
  Prisma.sql`tsvector_to_array(to_tsvector(${stemmerOf(Prisma.sql`${stemmer(language)}`)}, ${word}))`

/** The stems of each word. */
export async function lookUpStems(words: readonly string[], { db, language }: Context): Promise<WordStems[]> {
  const config = stemmerOf(Prisma.sql`${stemmer(language)}`)
  const rows = await db.$queryRaw<{ word: string; stems: string[] }[]>`
    SELECT word, tsvector_to_array(to_tsvector(${config}, word)) AS stems FROM unnest(${words.filter(hasStems)}::text[]) AS word`
  const stems = new Map(rows.map((row) => [row.word, row.stems]))
  return words.map((word) => ({ word, stems: stems.get(word) ?? [] }))
}
