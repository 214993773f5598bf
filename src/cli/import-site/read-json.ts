// Reads JSON as PHP sites send it: a byte order mark or warnings may come before the document.

export interface JsonDocument {
  readonly value: unknown
  /** What the site printed before the document. */
  readonly before: string
}

/** Undefined if the text does not end with a complete JSON document. */
export function readJson(text: string): JsonDocument | undefined {
  const document = text.replace(/^\ufeff/, '').trim()
  const parsed = parse(document)
  if (parsed !== undefined) return { value: parsed, before: '' }
  // Only the first start: a document that was cut off would contain complete objects further on.
  const start = document.indexOf('{"')
  const value = start > 0 ? parse(document.slice(start)) : undefined
  return value === undefined ? undefined : { value, before: document.slice(0, start).trim() }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why a text is not JSON. */
export function describeNoJson(text: string): string {
  if (text.trim() === '') return 'the response is empty'
  if (/^\ufeff?\s*</.test(text)) return 'the response is HTML instead of JSON'
  return 'the response is not complete or not valid JSON'
}
