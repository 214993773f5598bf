import type { EventFilterInput } from '../filter.ts'
import type { CountedValue } from './statement.ts'

/** The price kinds with events and the one that the filter selects, those with most events first. */
export function priceCounts(values: readonly CountedValue[], { price }: EventFilterInput) {
  const counts = new Map(values)
  const selected = price?.free == null ? undefined : price.free ? 'free' : 'paid'
  return (['free', 'paid'] as const)
    .map((kind) => ({ price: kind, count: counts.get(kind) ?? 0 }))
    .filter(({ price: kind, count }) => count > 0 || kind === selected)
    .sort((a, b) => b.count - a.count)
}
