// Reads JSON of unknown shape.

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list; none for another value. */
export const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** IDs are numbers; some sites send them as text. */
export function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id > 0 ? id : undefined
}

/** `count` items with equal distances, the first and the last included. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item)
}

/** All items, the first, last and middle ones before those between them: each start of the result is spread. */
export function scattered<Item>(items: readonly Item[]): Item[] {
  const order: number[] = []
  const seen = new Set<number>()
  for (let parts = 1; order.length < items.length; parts *= 2) {
    for (let part = 0; part <= parts; part++) {
      const index = Math.round((part * (items.length - 1)) / parts)
      if (seen.has(index)) continue
      seen.add(index)
      order.push(index)
    }
  }
  return order.map((index) => items[index] as Item)
}
