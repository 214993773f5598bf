// Splits a search into words and phrases.
import { badInputError } from '../../basics/errors.ts'
import { escapeLikePattern } from '../../engine/postgres/query.ts'
import { foldLine, foldText, removeInvisible } from '../text/fold.ts'

export interface ParsedSearch {
  /** Words and phrases that a text must contain. */
  readonly present: readonly string[]
  /** Words and phrases that a text must not contain. */
  readonly absent: readonly string[]
}

/** Maximum of words and phrases in a search: each is compared with the texts. */
const maxWords = 30

/** Throws badInputError for more words than a search can have. */
export function limitWords(words: readonly string[], field = 'search'): readonly string[] {
  if (words.length <= maxWords) return words
  throw badInputError({ [field]: `${field} can have at most ${maxWords} words; it has ${words.length}.` })
}

/** Matches punctuation before and after a word, except in `#tag`, `@name`, `50%` and `C++`. */
const [leading, trailing] = ['\\-', '+'].map((kept) => String.raw`[[\s\p{P}\p{Sk}\p{Sm}]--[#@%\&${kept}]]`)
const edges = new RegExp(`^${leading}+|(?<!${trailing})${trailing}+$`, 'gv')

/** Folds a word for comparison, and removes the punctuation around it. */
export const foldWord = (text: string): string => foldLine(removeInvisible(text).replace(edges, ''))

/** Punctuation alone is no word. */
const isWord = (text: string): boolean => /[\p{L}\p{N}\p{Sc}\p{So}]/u.test(text)

/** Returns the texts that are words; all texts if they are punctuation alone, so that a search for `%` finds it. */
export function dropPunctuation(texts: readonly string[]): readonly string[] {
  const words = texts.map(foldWord).filter(isWord)
  return [...new Set(words.length > 0 ? words : texts)].filter((text) => text !== '')
}

const wordOrPhrase = /([-－]*)(?:["“”„‟«»‹›＂]([^"“”„‟«»‹›＂]*)["“”„‟«»‹›＂]?|([^\s"“”„‟«»‹›＂]+))/g

/** Separates words even without white space. */
const betweenWords = /[,;!?…()[\]{}—]/

/** Splits at white space. Quotes make a phrase, a leading hyphen excludes the word or phrase. Throws like `limitWords`. */
export function parseSearchWords(search: string, field = 'search'): ParsedSearch {
  const present = new Set<string>()
  const absent = new Set<string>()
  for (const [, hyphen, phrase, word = ''] of removeInvisible(search).matchAll(wordOrPhrase)) {
    for (const text of phrase === undefined ? word.split(betweenWords).map(foldWord) : [foldWord(phrase)]) {
      if (isWord(text)) (hyphen ? absent : present).add(text)
    }
  }
  if (present.size + absent.size === 0) {
    return { present: limitWords(dropPunctuation(foldText(search).match(/[^\s"]+/g) ?? []), field), absent: [] }
  }
  limitWords([...present, ...absent], field)
  return { present: [...present], absent: [...absent] }
}

/** Splits at characters other than letters, digits and hyphens. Used for venues and organizers. Throws like `limitWords`. */
export const splitIntoWords = (search: string): readonly string[] =>
  limitWords(dropPunctuation(foldText(search.replace(/[‒–—―]/g, ' ')).match(/[\p{L}\p{M}\p{N}-]+/gu) ?? []))

/** Maximum of characters of a search text, and of a name or slug in a filter. */
const maxLength = 1000

export function checkSearchText(field: string, text: string): void {
  if (text.includes('\0')) throw badInputError({ [field]: 'NUL characters are not allowed.' })
  if (text.length > maxLength) throw badInputError({ [field]: `${field} can have at most ${maxLength} characters.` })
}

/** Returns a LIKE pattern for texts that contain the part. */
export const toContainsPattern = (part: string): string => `%${escapeLikePattern(part)}%`

/** Short words only match the beginning of words. The letter classes exclude scripts without spaces, such as Chinese. */
export const isShortWord = (word: string): boolean => /^[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{M}\p{Nd}]{1,2}$/u.test(word)

/** Whether to compare stems: `c++` and `a_b` would have stems of other words, and short words have no other forms. */
export const hasStems = (word: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]+$/u.test(word) && !isShortWord(word.replace(/['’-]/g, ''))

/** Whether an index finds the texts with this part: by three letters or digits in a row. */
export const isIndexedPart = (part: string): boolean => /[\p{L}\p{N}]{3}/u.test(part)

/** Characters of the shortest and the longest word that is compared by similarity. */
const [minSimilarLength, maxSimilarLength] = [4, 50]

export const isComparable = (word: string): boolean =>
  !word.includes(' ') && word.length >= minSimilarLength && word.length <= maxSimilarLength
