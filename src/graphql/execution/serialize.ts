// Serializes results to JSON. Cached results occur in many responses, so their bytes are cached.
import { memoizeByObject } from '../../memoize.ts'

const cachedResults = new WeakSet<object>()

/** Caches the bytes of this object when it is first serialized. It must not change any more. */
export function cacheSerialized(result: object): void {
  cachedResults.add(result)
}

const bytesOf = memoizeByObject((result: object) => Buffer.from(JSON.stringify(result)))

/** The bytes of JSON.stringify(result). */
export function serialize(result: object): Buffer {
  const parts: Buffer[] = []
  let text = ''
  write(result)
  parts.push(Buffer.from(text))
  return Buffer.concat(parts)

  function write(value: unknown): void {
    if (typeof value !== 'object' || value === null || 'toJSON' in value) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    if (cachedResults.has(value)) {
      parts.push(Buffer.from(text), bytesOf(value))
      text = ''
    } else if (Array.isArray(value)) writeItems(value)
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
