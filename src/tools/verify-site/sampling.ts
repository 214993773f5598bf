// Picks and orders items, so that a small sample is spread over a list.

/** Returns `count` items at equal distances, including the first and the last one. */
export function pickSpread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item)
}

/** Sorts the items (first, last, middle, …) so that the start of the result is always spread over the whole list. */
export function orderFromCoarseToFine<Item>(items: readonly Item[]): Item[] {
  const indexes = new Set<number>()
  for (let parts = 1; indexes.size < items.length; parts *= 2) {
    for (let part = 0; part <= parts; part++) indexes.add(Math.round((part * (items.length - 1)) / parts))
  }
  return [...indexes].map((index) => items[index] as Item)
}

/** Returns the first item of each list, then the second item of each list, and so on. */
export function interleaveLists<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
