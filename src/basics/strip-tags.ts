// Converts HTML to plain text, and the reverse.
import { decodeHTML } from 'entities'

/** Matches one HTML tag. Never matches past the next `<`, so that the time is linear in the length of the text. */
const tag = /<(?:!--|(script|style)\b[^<>]*>|(?:\/?([a-z][a-z0-9]*)(?![a-z0-9])|!)[^<>]*>)/gi
const ends = { script: /<\/script\b[^<>]*>/gi, style: /<\/style\b[^<>]*>/gi, comment: /-->/g }

/** Elements that separate words; other elements, such as `strong`, can be in the middle of a word. */
const blocks = new Set(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe img legend li main menu nav ol option p pre section select summary table tbody td tfoot th thead tr ul video'.split(
    ' ',
  ),
)

/**
 * Removes scripts, styles and comments with their content, and other tags without their content. Replaces block elements with
 * blanks, so that the words before and after stay separate.
 */
export function stripTags(html: string): string {
  if (!html.includes('<')) return html
  let result = ''
  let start = 0
  let last = ''
  let endsWord = false
  const append = (text: string) => {
    if (text === '') return
    result += endsWord && /\S$/.test(last) && /^\S/.test(text) ? ` ${text}` : text
    last = text.slice(-1)
    endsWord = false
  }
  for (const { 0: text, 1: hidden, 2: name = '', index } of html.matchAll(tag)) {
    if (index < start) continue
    append(html.slice(start, index))
    endsWord ||= blocks.has(name.toLowerCase())
    start = index + text.length
    const skipped = text === '<!--' ? 'comment' : (hidden?.toLowerCase() as 'script' | 'style' | undefined)
    if (skipped) start = endOf(html, ends[skipped], start)
  }
  append(html.slice(start))
  return result
}

/** Escapes plain text as HTML. */
export const escapeHtml = (text: string): string =>
  /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text

/** Converts HTML to plain text on one line. */
export const htmlToLine = (html: string): string => decodeHTML(stripTags(html)).replace(/\s+/g, ' ').trim()

function endOf(text: string, end: RegExp, start: number): number {
  end.lastIndex = start
  return end.test(text) ? end.lastIndex : text.length
}
