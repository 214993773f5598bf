/** Yields the lines of a text that arrives in chunks. Unlike node:readline, does not treat U+2028 as a line break. */
export async function* readLines(parts: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let pending: string[] = []
  for await (const part of parts) {
    const [end = '', ...lines] = part.split('\n')
    pending.push(end)
    for (const line of lines) {
      yield pending.join('')
      pending = [line]
    }
  }
  const last = pending.join('')
  if (last !== '') yield last
  return undefined
}
