// Serializes results to JSON. Cached results occur in many responses, so their bytes are cached.
import { cachedBytes } from '../../service/graphql/serializations.ts'
import type { ReaderCache } from './result-cache.ts'

/** The name of the format: the result as JSON, without any changes. */
const format = 'graphql'

/** The bytes of JSON.stringify(result). */
export function serialize(result: object, readerCache: Pick<ReaderCache, 'isUncached'>): Buffer {
  const parts: Buffer[] = []
  let text = ''
  write(result)
  const rest = Buffer.from(text)
  return parts.length === 0 ? rest : Buffer.concat([...parts, rest])

  function write(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    const bytes = cachedBytes(value, format, JSON.stringify)
    if (bytes) {
      parts.push(Buffer.from(text), bytes)
      text = ''
    } else if (readerCache.isUncached(value)) {
      parts.push(Buffer.from(text), Buffer.from(JSON.stringify(value)))
      text = ''
    } else if ('toJSON' in value) text += JSON.stringify(value) ?? 'null'
    else if (Array.isArray(value)) writeItems(value)
    else writeFields(value)
  }

  function writeItems(items: readonly unknown[]): void {
    text += '['
    for (const [index, item] of items.entries()) {
      if (index > 0) text += ','
      write(item)
    }
    text += ']'
  }

  function writeFields(fields: object): void {
    let separator = '{'
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined || typeof value === 'function') continue
      text += `${separator}${JSON.stringify(name)}:`
      separator = ','
      write(value)
    }
    text += separator === '{' ? '{}' : '}'
  }
}
