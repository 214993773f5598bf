// SQL conditions on the row `t` of a text: which words it has. An index finds the rows of words of three and more letters, of
// beginnings of words, and of stems.

import { type SelectedIds, selectedIdsFilter, selectIdsSql } from '../../engine/postgres/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { FormsOfSearchWord, SearchMode } from './word-forms.ts'
import { isIndexedPart, isShortWord, type ParsedSearch, toContainsPattern } from './words.ts'

const { sql, raw, join } = Prisma

/** Which part of the text is searched: all, or only the title or name, which is visible on locked records. */
export type TextScope = 'text' | 'name'

/** How the words of a search are compared with texts. */
export interface WordSearch {
  readonly mode: SearchMode
  readonly forms: ReadonlyMap<string, FormsOfSearchWord>
}

const lexeme = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`

/** Returns a tsquery for all words of the text; the last word may be the beginning of a word. */
export function toPrefixTsquery(text: string): string {
  const words = text.split(/[^\p{L}\p{Nd}]+/u).filter((word) => word !== '')
  return words.length === 0 ? '' : `(${words.map(lexeme).join(' & ')}:*)`
}

/**
 * Converts text to a tsquery that is hidden from the planner, which would read all texts for a frequent word, because it does not
 * know how long it takes to read their lexemes.
 */
export const tsquerySql = (query: string): Prisma.Sql => sql`(SELECT ${query}::tsquery)`

/**
 * Condition: the column contains the part. An index finds three letters or digits in a row, in other scripts unless the locale of
 * the database is C, which only the planner knows. For shorter parts, the planner would read the whole index.
 */
export function hasPartSql(column: Prisma.Sql, part: string): Prisma.Sql {
  if (/[a-z0-9]{3}/.test(part)) return sql`${column} LIKE (SELECT ${toContainsPattern(part)}::text)`
  if (isIndexedPart(part)) return sql`${column} LIKE ${toContainsPattern(part)}`
  return containsPartSql(column, part)
}

/** Like `hasPartSql`, without an index. */
export const containsPartSql = (column: Prisma.Sql, part: string): Prisma.Sql => sql`strpos(${column}, ${part}) > 0`

const columns: Readonly<Record<TextScope, Prisma.Sql>> = { text: raw('t.folded'), name: raw('t.folded_name') }
/** Columns of stems. Stems of names have the weight A, and no index of their own. */
const stems: Readonly<Record<TextScope, Prisma.Sql>> = { text: raw('t.stems'), name: raw(`ts_filter(t.stems, '{a}')`) }

function hasWord(word: string, scope: TextScope, { mode, forms }: WordSearch): Prisma.Sql {
  if (mode !== 'substring' && isShortWord(word)) return sql`${stems[scope]} @@ ${tsquerySql(`${lexeme(word)}:*`)}`
  const { stems: query = '', similar = [] } = forms.get(word) ?? {}
  const queries = [query, ...similar.map(lexeme)].filter((each) => each !== '')
  const part = hasPartSql(columns[scope], word)
  if (queries.length === 0) return part
  return sql`(${part} OR ${stems[scope]} @@ ${tsquerySql(queries.map((each) => `(${each})`).join(' | '))})`
}

/** Condition: the text has all words of the search. */
export const hasPresentWordsSql = ({ present }: ParsedSearch, scope: TextScope, comparison: WordSearch): Prisma.Sql =>
  join([raw('TRUE'), ...present.map((word) => hasWord(word, scope, comparison))], ' AND ')

/** Condition: the text has none of the excluded words. */
export const lacksAbsentWordsSql = ({ absent }: ParsedSearch, scope: TextScope, comparison: WordSearch): Prisma.Sql =>
  sql`NOT (${join([raw('FALSE'), ...absent.map((word) => hasWord(word, scope, comparison))], ' OR ')})`

/** Up to this number of matches, lists filter by ID; above, they search the texts again. */
const maxListed = 1000

/**
 * Returns a filter by the selected IDs. Reading stops if there are too many. With the limit in the same query as the conditions,
 * the planner would expect many, and choose a scan that is slow for few IDs.
 */
export async function matchingIdsFilter(selected: SelectedIds, { reads }: Context): Promise<{ in?: number[] }> {
  const [row] = await reads.rows<{
    ids: number[]
  }>(Prisma.sql`WITH found (id) AS MATERIALIZED (${selectIdsSql(selected)})
      SELECT ARRAY(SELECT id FROM found LIMIT ${maxListed + 1}::int) AS ids`)
  const ids = row?.ids ?? []
  return ids.length <= maxListed ? { in: ids } : (selectedIdsFilter(selected) as object)
}
