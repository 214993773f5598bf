// Finds the JSON document in what PHP sites send: notices, comments of caches and scripts may surround it.

/**
 * The value, and what the site printed around the document, without comments. Undefined if the text has no complete JSON
 * document.
 */
export function readJson(text: string) {
  const whole = parse(text.trim())
  if (whole !== undefined) return { value: whole, printed: '' }
  const document = findJsonDocument(text)
  const value = document && parse(document.text)
  if (value === undefined) return undefined
  const around = [text.slice(0, document?.start), text.slice(document?.end)].map((part) => part.slice(0, 10_000))
  const printed = around.flatMap((part) => part.replace(/<!--.*?(?:-->|$)/gs, '').trim() || [])
  return { value, printed: printed.join(' … ') }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What begins outside of a document: an object, something whose content is no document, or a page. */
const opening = /\{(?=\s*(?:"(?:[^"\\]|\\.){0,200}"\s*:|\}))|<!--|<(script|style)\b|<(?:!doctype|html|head|body)\b/gi
const endings = { comment: /-->/g, script: /<\/script\b/gi, style: /<\/style\b/gi }
const outsideStrings = /[\s,:]+|-?\d[\d.eE+-]*|true|false|null|["{}[\]]/y
const insideString = /[^"\\]+|\\.|"/sy

/**
 * The longest object outside of scripts, styles and comments, complete or not. Objects in one that is not complete do not
 * count: they are parts of a document that was cut off.
 */
export function findJsonDocument(text: string) {
  let longest: { readonly start: number; readonly end: number; readonly text: string } | undefined
  for (let position = 0; ; ) {
    opening.lastIndex = position
    const match = opening.exec(text)
    if (!match) return longest
    const name = match[0] === '<!--' ? 'comment' : (match[1]?.toLowerCase() as 'script' | 'style' | undefined)
    if (name) {
      position = endOf(text, endings[name], match.index)
    } else if (match[0] === '{') {
      position = endOfObject(text, match.index)
      const found = { start: match.index, end: position, text: text.slice(match.index, position) }
      if (found.text.length > (longest?.text.length ?? 0)) longest = found
    } else {
      return longest
    }
  }
}

function endOf(text: string, end: RegExp, start: number): number {
  end.lastIndex = start
  return end.test(text) ? end.lastIndex : text.length
}

/** The end of the object, or where it stops being JSON: at the start of a string that does not end, too. */
function endOfObject(text: string, start: number): number {
  let [end, depth, token] = [start, 0, outsideStrings]
  for (let position = start; ; ) {
    token.lastIndex = position
    const match = token.exec(text)?.[0]
    if (match === undefined) return end
    position = token.lastIndex
    if (match === '"') token = token === outsideStrings ? insideString : outsideStrings
    if (token === insideString) continue
    end = position
    if (match === '{' || match === '[') depth++
    if ((match === '}' || match === ']') && --depth === 0) return end
  }
}
