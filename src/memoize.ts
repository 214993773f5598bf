// The one way to memoize: bounded, least recently used first out.
import { LRUCache } from 'lru-cache'

interface Options<Key extends string | number, Value> {
  /** Names the cache in a heap snapshot. */
  readonly name: string
  /** Entries that are kept, where each takes about the same space. */
  readonly max?: number
  /** Space that all entries together may take, in the unit of `sizeOf`. */
  readonly maxSize?: number
  readonly sizeOf?: (value: Value, key: Key) => number
}

type Kept<Value> = { readonly value: Value }

/** Calls `compute` once for each key that is kept. It gets the other arguments of the call that misses. */
export function memoize<Key extends string | number, Rest extends unknown[], Value>(
  { max, maxSize, sizeOf }: Options<Key, Value>,
  compute: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const cache =
    maxSize === undefined
      ? new LRUCache<Key, Kept<Value>>({ max: max ?? 1000 })
      : new LRUCache<Key, Kept<Value>>({
          maxSize,
          ...(max !== undefined && { max }),
          sizeCalculation: ({ value }, key) => Math.max(1, (sizeOf?.(value, key) ?? 0) + String(key).length),
        })
  return (key, ...rest) => {
    const hit = cache.get(key)
    if (hit) return hit.value
    const value = compute(key, ...rest)
    cache.set(key, { value })
    return value
  }
}
