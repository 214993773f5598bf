// Finds records by their texts in the language of the operation (contract c.14).

import { type SelectedIds, selectedIdsFilter } from '../../engine/postgres/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { PostKind, TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { lockedFilter, unlockedFilter } from '../rules/record-password.ts'
import { foldLine } from '../text/fold.ts'
import {
  hasPresentWordsSql,
  lacksAbsentWordsSql,
  matchingIdsFilter,
  type TextScope,
  toPrefixTsquery,
  tsquerySql,
} from './text-condition.ts'
import { findWordForms, type SearchMode } from './word-forms.ts'
import {
  checkSearchText,
  dropPunctuation,
  foldWord,
  isComparable,
  limitWords,
  type ParsedSearch,
  parseSearchWords,
  splitIntoWords,
  toContainsPattern,
} from './words.ts'

const { sql, raw } = Prisma

/** Finds events whose text contains all words and no excluded word. Undefined if the search is blank. */
export async function matchEventTexts(search: string, mode: SearchMode, context: Context) {
  checkSearchText('search', search)
  const words = parseSearchWords(search)
  if (words.present.length + words.absent.length === 0) return undefined
  return postsWith('event', words, mode, context)
}

/** Whether events with similar words may be found if none has the words. */
export const hasSimilarWords = (search: string): boolean => parseSearchWords(search).present.some(isComparable)

/** Finds venues or organizers with each word in any field, or all words as substrings of one field. Undefined if blank. */
export async function matchPostFields(
  kind: Exclude<PostKind, 'event'>,
  search: string,
  mode: Exclude<SearchMode, 'similar'>,
  context: Context,
) {
  checkSearchText('search', search)
  const present = splitIntoWords(search)
  if (present.length === 0) return search.trim() === '' ? undefined : { id: { in: [] } }
  const inOneField = sql`EXISTS (
    SELECT FROM string_to_table(t.folded, E'\n') AS field WHERE field LIKE ALL(${present.map(toContainsPattern)}::text[]))`
  const fields = mode === 'substring' && present.length > 1 ? inOneField : raw('TRUE')
  return postsWith(kind, { present, absent: [] }, mode, context, fields)
}

/** Finds posts by words. Of a locked record, only the title or name is searched, the only text that is shown (contract c.15). */
async function postsWith(
  kind: PostKind,
  words: ParsedSearch,
  mode: SearchMode,
  context: Context,
  fields = raw('TRUE'),
) {
  const comparison = { mode, forms: await findWordForms([...words.present, ...words.absent], mode, context) }
  const [texts, id] = [raw(`"${kind}_text" t`), raw(`t."${kind}_id"`)]
  const has = (scope: TextScope) =>
    sql`${hasPresentWordsSql(words, scope, comparison)} AND ${lacksAbsentWordsSql(words, scope, comparison)}`
  const inLanguage = sql`t.language = ${context.language}`
  const byText = await matchingIdsFilter(
    { id, rows: sql`FROM ${texts} WHERE ${inLanguage} AND ${has('text')} AND ${fields}` },
    context,
  )
  const locked = lockedFilter(context)
  if (!locked) return { id: byText }
  // The text contains the name, so that without excluded words, each locked record that matches was found by its text.
  const found = words.absent.length === 0 ? byText.in : undefined
  if (found?.length === 0) return { id: byText }
  const named: SelectedIds = {
    id,
    rows: sql`FROM ${raw(`"${kind}"`)} locked JOIN ${texts} ON ${id} = locked.id
      WHERE locked.password_key IS NOT NULL AND ${found ? sql`locked.id = ANY(${found}::int[])` : raw('TRUE')}
        AND ${inLanguage} AND ${has('name')}`,
  }
  const byName = { id: found ? await matchingIdsFilter(named, context) : selectedIdsFilter(named) }
  return {
    OR: [{ AND: [unlockedFilter(context), { id: byText }] }, { AND: [{ passwordKey: { not: null } }, locked, byName] }],
  }
}

/** Finds events whose title has words that begin with the words of the search or their stems. Skips words with punctuation. */
export async function matchTitles({ present }: ParsedSearch, context: Context) {
  const words = present.filter((word) => /^[\p{L}\p{M}\p{N} ]+$/u.test(word) && toPrefixTsquery(word) !== '')
  if (words.length === 0) return { id: { in: [] } }
  const forms = await findWordForms(words, 'words', context)
  const each = words.map((word) =>
    [toPrefixTsquery(word), stemBeginning(forms.get(word)?.stems)].filter(Boolean).join(' | '),
  )
  const query = tsquerySql(each.map((either) => `(${either})`).join(' & '))
  const rows = sql`FROM event_text t WHERE t.language = ${context.language} AND name_words(t.folded_name) @@ ${query}`
  return { id: await matchingIdsFilter({ id: raw('t.event_id'), rows }, context) }
}

/** Returns a prefix query for a single stem; empty for a compound word, which has several stems. */
const stemBeginning = (stems = '') => (/^'[^' ]+'$/.test(stems) ? `${stems}:*` : '')

/** Finds categories or tags whose name or slug contains the text or, by words, each word of it. Undefined if the search is blank. */
export async function matchTermTexts(
  kind: TermKind,
  search: string,
  mode: Exclude<SearchMode, 'similar'>,
  context: Context,
) {
  checkSearchText('search', search)
  const text = foldLine(search)
  if (text === '') return undefined
  const present = mode === 'substring' ? [foldWord(search) || text] : limitWords(dropPunctuation(text.split(' ')))
  const comparison = { mode, forms: await findWordForms(present, mode, context) }
  const condition = hasPresentWordsSql({ present, absent: [] }, 'text', comparison)
  const rows = sql`FROM ${raw(`"${kind}_text" t`)} WHERE t.language = ${context.language} AND ${condition}`
  return { id: await matchingIdsFilter({ id: raw(`t."${kind}_id"`), rows }, context) }
}
