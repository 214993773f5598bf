// Finds the JSON document in a response. PHP sites may send PHP notices, HTML comments and scripts before or after it.
import { parseJson } from '../../basics/parse-json.ts'

/**
 * Returns the value of the JSON document, and the other text in the response without HTML comments. Undefined if there is no
 * complete document.
 */
export function extractJson(text: string) {
  const whole = parseJson(text.trim())
  if (whole !== undefined) return { value: whole, printed: '' }
  const document = findLongestJsonObject(text)
  const value = document && parseJson(document.text)
  if (value === undefined) return undefined
  const around = [text.slice(0, document?.start), text.slice(document?.end)].map((part) => part.slice(0, 10_000))
  const printed = around.flatMap((part) => part.replace(/<!--.*?(?:-->|$)/gs, '').trim() || [])
  return { value, printed: printed.join(' … ') }
}

/** The start of an object, of a comment, script or style, whose content is skipped, or of an HTML page. */
const opening = /\{(?=\s*(?:"(?:[^"\\]|\\.){0,200}"\s*:|\}))|<!--|<(script|style)\b|<(?:!doctype|html|head|body)\b/gi
const endings = { comment: /-->/g, script: /<\/script\b/gi, style: /<\/style\b/gi }
const outsideStrings = /[\s,:]+|-?\d[\d.eE+-]*|true|false|null|["{}[\]]/y
const insideString = /[^"\\]+|\\.|"/sy

/**
 * Returns the longest JSON object outside of scripts, styles and comments, even if its end is missing. Objects nested in an
 * incomplete one do not count.
 */
export function findLongestJsonObject(text: string) {
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

/** Returns the end of an object, or the position where it stops being valid JSON, such as at an unterminated string. */
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
