import { expect, test } from 'vitest'
import { memoize, memoizeByObject, memoizeOnce, objectNumber } from '../src/basics/memoize.ts'

/** A function that counts how often it was called, and returns the count with its arguments. */
function counter() {
  let calls = 0
  return (...args: unknown[]) => {
    calls += 1
    return [calls, ...args]
  }
}

test('computes once for each key, with the other arguments of the call that misses', () => {
  const read = memoize({ name: 'read' }, counter())
  expect(read('a', 1)).toEqual([1, 'a', 1])
  expect(read('a', 2)).toEqual([1, 'a', 1])
  expect(read('b', 3)).toEqual([2, 'b', 3])
})

test('computes a result that is undefined once', () => {
  let calls = 0
  const read = memoize({ name: 'read' }, (_key: number) => {
    calls += 1
  })
  read(1)
  read(1)
  expect(calls).toBe(1)
})

test('discards the least recently used key', () => {
  const read = memoize({ name: 'read', max: 2 }, counter())
  for (const key of ['a', 'b', 'a', 'c']) read(key)
  expect(['a', 'b'].map((key) => read(key)[0])).toEqual([1, 4])
})

test('discards what exceeds the size, and does not keep what is larger by itself', () => {
  const count = counter()
  const options = { name: 'read', maxSize: 10, sizeOf: (_value: unknown, key: string) => (key === 'large' ? 100 : 3) }
  const read = memoize(options, (key: string) => count(key))
  for (const key of ['a', 'b', 'c', 'large']) read(key)
  expect(['c', 'b', 'a', 'large'].map((key) => read(key)[0])).toEqual([3, 2, 5, 6])
})

test('has the configured name', () => {
  expect(memoize({ name: 'read' }, counter()).name).toBe('read')
})

test('computes once for each object, by identity', () => {
  const read = memoizeByObject(counter())
  const [one, other] = [{}, {}]
  expect([read(one, 'x')[0], read(other)[0], read(one, 'y')[0]]).toEqual([1, 2, 1])
})

test('does not cache a call that throws', () => {
  let calls = 0
  const fail = () => {
    calls += 1
    throw new Error(`call ${calls}`)
  }
  const key = {}
  const reads = [memoize({ name: 'fail' }, fail), memoizeByObject(fail), memoizeOnce(fail)] as const
  for (const read of [() => reads[0]('key'), () => reads[1](key), () => reads[2]()]) {
    calls = 0
    expect(read).toThrow('call 1')
    expect(read).toThrow('call 2')
  }
})

test('computes a value once, when it is first needed', () => {
  const count = counter()
  const read = memoizeOnce(count)
  expect([read()[0], read()[0], count()[0]]).toEqual([1, 1, 2])
})

test('shares a promise until it rejects, and then tries again', async () => {
  let calls = 0
  const read = memoizeOnce(async () => {
    calls += 1
    if (calls === 1) throw new Error('away')
    return calls
  })
  await Promise.all([expect(read()).rejects.toThrow('away'), expect(read()).rejects.toThrow('away')])
  expect([await read(), await read()]).toEqual([2, 2])
})

test('objectNumber returns a unique number for each object', () => {
  const [one, other] = [{}, {}]
  const numbers = [one, other, one].map((object) => objectNumber(object))
  expect(numbers[0]).toBe(numbers[2])
  expect(numbers[0]).not.toBe(numbers[1])
})
