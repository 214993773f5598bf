import { memoize } from '../../basics/memoize.ts'

const blocks =
  'address|article|aside|blockquote|dd|div|dl|dt|figure|figcaption|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|ul'
const blockTag = new RegExp(`(</?(?:${blocks})(?:\\s[^>]*)?>)`, 'gi')
const outerBlock =
  /<(address|article|aside|blockquote|div|dl|figure|footer|h[1-6]|header|ol|p|pre|section|table|ul)\b[^>]*>[\s\S]*?<\/\1>|<hr[^>]*>/gi

/**
 * Converts stored text to HTML (contract c.1): a blank line ends a paragraph, a single newline becomes a line break, and existing
 * block elements stay unchanged. Returns an empty string for empty text.
 */
export const textToHtmlParagraphs = memoize(
  { name: 'paragraphs', max: 1000, maxSize: 10_000_000, sizeOf: (html: string) => html.length },
  (text: string): string => {
    const parts: string[] = []
    let end = 0
    for (const block of text.matchAll(outerBlock)) {
      parts.push(...wrap(text.slice(end, block.index)), block[0])
      end = block.index + block[0].length
    }
    return [...parts, ...wrap(text.slice(end))].join('\n').trim()
  },
)

function wrap(text: string): string[] {
  return text
    .replace(blockTag, '\n\n$1\n\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => (paragraph.match(blockTag) ? paragraph : `<p>${withBreaks(paragraph)}</p>`))
}

/** Adds line breaks. Splits into lines first, because a pattern for trailing blanks would take quadratic time. */
const withBreaks = (paragraph: string) =>
  paragraph
    .split('\n')
    .map((line) => line.trimEnd())
    .join('<br />\n')
