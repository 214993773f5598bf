// Finds other forms of the words of a search: words with the same stem, and similar words.

import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { textSearchConfigName, textSearchConfigOrSimpleSql } from '../text/text-rows.ts'
import { hasStems, isComparable } from './words.ts'

const { sql, raw } = Prisma

/** `words` also finds other forms of a word, by its stem; `similar` also words that resemble it. */
export type SearchMode = 'substring' | 'words' | 'similar'

/** A word of a search, with the other forms that the search finds. */
export interface FormsOfSearchWord {
  readonly word: string
  /** The stems of the word, as a query for full text search; empty for a word without, such as `the`. */
  readonly stems: string
  readonly similar: readonly string[]
}

const maxSimilar = 100
/** Minimum similarity of a similar word, as a share of that of the most similar word. */
const minShareOfHighest = 0.7

/** The text search configuration of the language of the operation, in SQL. */
export const textSearchConfigSql = ({ language }: Context): Prisma.Sql =>
  textSearchConfigOrSimpleSql(sql`${textSearchConfigName(language)}`)

/** The forms of the words of the search, in one statement. A search by parts of words has none. */
export async function findWordForms(
  words: readonly string[],
  mode: SearchMode,
  context: Context,
): Promise<ReadonlyMap<string, FormsOfSearchWord>> {
  const others = words.filter(hasStems)
  if (mode === 'substring' || others.length === 0) return new Map()
  const similar =
    mode === 'similar'
      ? sql`CASE WHEN word = ANY(${others.filter(isComparable)}) THEN ${similarWords} END`
      : raw('NULL')
  const rows = await context.reads.rows<
    FormsOfSearchWord & { similar: string[] | null }
  >(sql`SELECT word, plainto_tsquery(${textSearchConfigSql(context)}, word)::text AS stems, ${similar} AS similar
      FROM unnest(${others}::text[]) AS word`)
  return new Map(rows.map((row) => [row.word, { ...row, similar: row.similar ?? [] }]))
}

const similarWords = sql`ARRAY(
  SELECT token FROM (
    SELECT token, similarity(token, word) AS similarity, max(similarity(token, word)) OVER () AS highest
    FROM search_token WHERE token % word
  ) AS resembling
  WHERE similarity >= highest * ${minShareOfHighest}::float4
  GROUP BY token, similarity ORDER BY similarity DESC, token LIMIT ${maxSimilar}::int)`
