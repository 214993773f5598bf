/** What is made of a value, kept for when it comes again: the same records are shown over and over. */
export function remember<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const before = known.get(key)
    if (before) return before.value
    const value = make(key)
    // Those of long ago make way, with the others: to know which they are would cost more.
    if (known.size >= most) known.clear()
    known.set(key, { value })
    return value
  }
}
