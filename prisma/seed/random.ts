/** A pseudorandom number generator with a seed (mulberry32). */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from `min` to `max`, inclusive. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Returns an item, the first item most often: by Zipf's law, the probability is about the inverse of the rank. */
  pickRanked<T>(items: readonly T[]): T
  /** Returns `count` different items, at most all items. */
  some<T>(items: readonly T[], count: number): T[]
  /** Returns different items like `some`, the first items most often. */
  someRanked<T>(items: readonly T[], count: number): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const at = <T>(items: readonly T[], index: number): T => {
    const item = items[index]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }
  const pick = <T>(items: readonly T[]) => at(items, int(0, items.length - 1))
  const pickRanked = <T>(items: readonly T[]) => at(items, Math.floor((items.length + 1) ** next()) - 1)
  const different = <T>(items: readonly T[], count: number, choose: (items: readonly T[]) => T): T[] => {
    const picked = new Set<T>()
    while (picked.size < Math.min(count, items.length)) picked.add(choose(items))
    return [...picked]
  }
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick,
    pickRanked,
    some: (items, count) => different(items, count, pick),
    someRanked: (items, count) => different(items, count, pickRanked),
  }
}
