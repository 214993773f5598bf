/** Numbers that look random and are the same in every run (mulberry32). */
export interface Random {
  /** From 0 up to, but without, 1. */
  next(): number
  /** Both bounds included. */
  int(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Different ones, at most as many as there are. */
  some<T>(items: readonly T[], count: number): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(0, items.length - 1)]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }
  const some = <T>(items: readonly T[], count: number): T[] => {
    const found = new Set<T>()
    while (found.size < Math.min(count, items.length)) found.add(pick(items))
    return [...found]
  }
  return { next, int, chance: (probability) => next() < probability, pick, some }
}
