// Serializes results to JSON. Cached results occur in many responses, so their bytes are cached.

interface Serialized {
  wasSerialized: boolean
  /** Cached when it is serialized for the second time: most results occur in one response only. */
  bytes: Buffer | undefined
}

const cachedResults = new WeakMap<object, Serialized>()

/** Serializes this object as a whole, which is faster than field by field. It must not change any more. */
export function cacheSerialized(result: object): void {
  cachedResults.set(result, { wasSerialized: false, bytes: undefined })
}

function bytesOf(result: object, cached: Serialized): Buffer {
  if (cached.bytes) return cached.bytes
  const bytes = Buffer.from(JSON.stringify(result))
  if (cached.wasSerialized) cached.bytes = bytes
  cached.wasSerialized = true
  return bytes
}

/** The bytes of JSON.stringify(result). */
export function serialize(result: object): Buffer {
  const parts: Buffer[] = []
  let text = ''
  write(result)
  const rest = Buffer.from(text)
  return parts.length === 0 ? rest : Buffer.concat([...parts, rest])

  function write(value: unknown): void {
    if (typeof value !== 'object' || value === null || 'toJSON' in value) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    const cached = cachedResults.get(value)
    if (cached) {
      parts.push(Buffer.from(text), bytesOf(value, cached))
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
