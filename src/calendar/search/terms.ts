// Finds categories and tags by their texts in the language of the operation (contract c.14).

import { Prisma } from '../../generated/prisma/client.ts'
import type { TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { foldLine } from '../text/fold.ts'
import { idsOf } from './found-ids.ts'
import { hasPresent } from './text-condition.ts'
import { type SearchMode, wordFormsOf } from './word-forms.ts'
import { checkSearchText, foldWord, limitWords, wordsAmong } from './words.ts'

const { sql, raw } = Prisma

/** Terms whose name or slug contains the text or, by words, each word of it. Undefined if the search is blank. */
export async function termTextMatches(
  kind: TermKind,
  search: string,
  mode: Exclude<SearchMode, 'similar'>,
  context: Context,
) {
  checkSearchText('search', search)
  const text = foldLine(search)
  if (text === '') return undefined
  const present = mode === 'substring' ? [foldWord(search) || text] : limitWords(wordsAmong(text.split(' ')))
  const comparison = { mode, forms: await wordFormsOf(present, mode, context) }
  const condition = hasPresent({ present, absent: [] }, 'text', comparison)
  const rows = sql`FROM ${raw(`"${kind}_text" t`)} WHERE t.language = ${context.language} AND ${condition}`
  return { id: await idsOf({ id: raw(`t."${kind}_id"`), rows }, context) }
}
