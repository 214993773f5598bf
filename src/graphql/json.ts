// The JSON of results. What was made of records once stands in many of them: its bytes are written once, too.

const known = new WeakMap<object, { bytes?: Buffer }>()

/** From now on the bytes of this object, which nobody changes, are remembered. */
export function rememberBytes(made: object): void {
  known.set(made, {})
}

/** As JSON.stringify. */
export function toBytes(result: object): Buffer {
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
    const remembered = known.get(value)
    if (remembered) {
      remembered.bytes ??= Buffer.from(JSON.stringify(value))
      parts.push(Buffer.from(text), remembered.bytes)
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
