// Converts HTML to plain text.

/** The patterns never match past the next `<`, so that the time is linear in the length of the text. */
const tag = /<(?:!--|(script|style)\b[^<>]*>|(?:\/?[a-z]|!)[^<>]*>)/gi
const ends = { script: /<\/script\b[^<>]*>/gi, style: /<\/style\b[^<>]*>/gi, comment: /-->/g }

/** Removes scripts, styles and comments with their content, and other tags without it. */
export function stripTags(text: string): string {
  if (!text.includes('<')) return text
  let result = ''
  let start = 0
  for (const match of text.matchAll(tag)) {
    if (match.index < start) continue
    result += text.slice(start, match.index)
    const name = match[0] === '<!--' ? 'comment' : (match[1]?.toLowerCase() as 'script' | 'style' | undefined)
    start = match.index + match[0].length
    if (name) start = endOf(text, ends[name], start)
  }
  return result + text.slice(start)
}

function endOf(text: string, end: RegExp, start: number): number {
  end.lastIndex = start
  return end.test(text) ? end.lastIndex : text.length
}
