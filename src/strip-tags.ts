// Plain text of what people write with tags.

/** Neither pattern looks past the next `<`, so that time stays in proportion to the text. */
const tag = /<(?:!--|(script|style)\b[^<>]*>|(?:\/?[a-z]|!)[^<>]*>)/gi
const ends = { script: /<\/script\b[^<>]*>/gi, style: /<\/style\b[^<>]*>/gi, comment: /-->/g }

/** Text without tags: scripts, styles and comments go as a whole, of other tags what they enclose stays. */
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
