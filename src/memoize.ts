// The one way to memoize: by a key, least recently used first out; by an object, for as long as it lives; or once.
import { LRUCache } from 'lru-cache'

interface Options<Key extends string | number, Value> {
  /** Name of the memoized function, for heap snapshots and profiles. */
  readonly name: string
  /** Entries that are kept, where each takes about the same space. */
  readonly max?: number
  /** Space that all entries together may take, in the unit of `sizeOf`. */
  readonly maxSize?: number
  readonly sizeOf?: (value: Value, key: Key) => number
}

type CachedValue<Value> = { readonly value: Value }

/**
 * Calls `compute` once for each key that is kept. It gets the other arguments of the call that misses. Nothing is kept of a
 * call that throws.
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
 * Calls `compute` once for each object, which is compared by identity: the value lives as long as the object does. It gets
 * the other arguments of the call that misses. Nothing is kept of a call that throws.
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

/** A number of its own for each object, to tell objects apart in a key. */
export const objectNumber = memoizeByObject((_object: object): number => {
  objectCount += 1
  return objectCount
})
