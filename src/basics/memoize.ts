// Memoizes functions: by a key in an LRU cache, by an object as long as the object lives, or once.
import { LRUCache } from 'lru-cache'

interface Options<Key extends string | number, Value> {
  /** Name of the memoized function, for heap snapshots and profiles. */
  readonly name: string
  /** Maximum number of entries, if all take about the same space. */
  readonly max?: number
  /** Maximum size of all entries together, in the unit of `sizeOf`. */
  readonly maxSize?: number
  readonly sizeOf?: (value: Value, key: Key) => number
}

type CachedValue<Value> = { readonly value: Value }

/**
 * Memoizes `compute` by its first argument, the key, in an LRU cache. Other arguments are passed on, but are not part of the
 * key. A call that throws is not cached.
 */
export function memoize<Key extends string | number, Rest extends unknown[], Value>(
  { name, max, maxSize, sizeOf }: Options<Key, Value>,
  compute: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const cache =
    maxSize === undefined
      ? new LRUCache<Key, CachedValue<Value>>({ max: max ?? 1000 })
      : new LRUCache<Key, CachedValue<Value>>({
          maxSize,
          ...(max !== undefined && { max }),
          sizeCalculation: ({ value }, key) => Math.max(1, (sizeOf?.(value, key) ?? 0) + String(key).length),
        })
  const memoized = (key: Key, ...rest: Rest): Value => {
    const hit = cache.get(key)
    if (hit) return hit.value
    const value = compute(key, ...rest)
    cache.set(key, { value })
    return value
  }
  return Object.defineProperty(memoized, 'name', { value: name })
}

/**
 * Memoizes `compute` by its first argument, an object, in a WeakMap. Other arguments are passed on, but are not part of the
 * key. A call that throws is not cached.
 */
export function memoizeByObject<Target extends object, Rest extends unknown[], Value>(
  compute: (target: Target, ...rest: Rest) => Value,
): (target: Target, ...rest: Rest) => Value {
  const cache = new WeakMap<Target, CachedValue<Value>>()
  return (target, ...rest) => {
    const hit = cache.get(target)
    if (hit) return hit.value
    const value = compute(target, ...rest)
    cache.set(target, { value })
    return value
  }
}

/** Calls `compute` when the value is first needed. After an exception, or a promise that rejects, the next call tries again. */
export function memoizeOnce<Value>(compute: () => Value): () => Value {
  let cached: CachedValue<Value> | undefined
  return () => {
    if (cached) return cached.value
    const attempt = { value: compute() }
    cached = attempt
    if (attempt.value instanceof Promise) {
      attempt.value.catch(() => {
        if (cached === attempt) cached = undefined
      })
    }
    return attempt.value
  }
}

let objectCount = 0

/** A unique number for each object, to use in cache keys. */
export const objectNumber = memoizeByObject((_object: object): number => {
  objectCount += 1
  return objectCount
})
