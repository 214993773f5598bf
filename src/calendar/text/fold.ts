// How texts are compared: all spellings of a word fold to the same text. The function `fold_line` of the database does the same
// for columns that are compared there.
import { normalizeUnicode } from './normalize.ts'

/** Replaces characters that people type in different ways, or omit, and that Unicode does not decompose. */
const replacements: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k' },
  ...{ '×': 'x', '⁄': '/', ' \u0301': "'" },
  ...Object.fromEntries([...'`‘’‚‛′ʹʻʼʽˈ'].map((apostrophe) => [apostrophe, "'"])),
  ...Object.fromEntries([...'“”„‟«»‹›'].map((quote) => [quote, '"'])),
  ...Object.fromEntries([...'‐‒–—―−'].map((dash) => [dash, '-'])),
}

const replaced = new RegExp(Object.keys(replacements).join('|'), 'g')

/** Removes soft hyphens, joiners, bidirectional control characters and similar characters, which nobody types. */
export const removeInvisible = (text: string): string => text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '')

/** Folds text for comparison: lower case without accents, ligatures, typographic and invisible characters. */
export const foldText = (text: string): string =>
  removeInvisible(normalizeUnicode(text, 'NFKD').toLowerCase())
    .replace(replaced, (found) => replacements[found] ?? found)
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

export const foldLine = (text: string): string => foldText(text).replace(/\s+/g, ' ').trim()
