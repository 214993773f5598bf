// Chooses a part of a list that represents it.

/** `count` items with equal distances, the first and the last included. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item)
}

/** All items, the first, last and middle ones before those between them: each start of the result is spread. */
export function scattered<Item>(items: readonly Item[]): Item[] {
  const indexes = new Set<number>()
  for (let parts = 1; indexes.size < items.length; parts *= 2) {
    for (let part = 0; part <= parts; part++) indexes.add(Math.round((part * (items.length - 1)) / parts))
  }
  return [...indexes].map((index) => items[index] as Item)
}

/** One item of each list in turn. */
export function inTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
