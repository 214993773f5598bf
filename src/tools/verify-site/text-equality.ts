// Whether two texts say the same, written in another way.
import { decodeHTML } from 'entities'
import { stripTags } from '../../basics/strip-tags.ts'

const typography: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′ʼ´`]/g, "'"],
  [/[“”„‟″«»]/g, '"'],
  [/[-‐‑‒–—−]+/g, '-'],
  [/…/g, '...'],
  [/×/g, 'x'],
  [/\s+/g, ' '],
]

const plain = (text: string) =>
  typography.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), decodeTwice(text)).trim()

/** Some sites encode names twice. */
const decodeTwice = (text: string) => decodeHTML(decodeHTML(text))

/** Texts that differ only in HTML entities and in typographic replacements. */
export const sameText = (one: string, other: string): boolean => plain(one) === plain(other)

const withoutBlanks = (html: string) => plain(stripTags(html)).replaceAll(' ', '')

/** HTML with the same text in other elements. */
export const sameHtmlText = (one: string, other: string): boolean => withoutBlanks(one) === withoutBlanks(other)
