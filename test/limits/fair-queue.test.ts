// The order in which images are processed and passwords are checked.
import { expect, test } from 'vitest'
import { DomainError } from '../../src/basics/errors.ts'
import { createFairQueue } from '../../src/basics/fair-queue.ts'

/** A queue whose work ends when told to. */
function open(maxWaiting: number, maxOfClient: number) {
  const tooMany = () => new DomainError('UNAVAILABLE', 'Too much is waiting.', { retryAfter: 10 })
  const queue = createFairQueue({ maxWaiting, maxOfClient, tooMany })
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (client: string, options: { maxWaitMs?: number; penalty?: number; signal?: AbortSignal } = {}) =>
    queue.run({ client, maxWaitMs: 1e6, ...options }, async () => {
      started.push(client)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const endNext = async () => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return { queue, add, started, endNext }
}

const busy = { code: 'UNAVAILABLE', data: { retryAfter: 10 } }

test('the first work of each client comes before the second of any other', async () => {
  const { add, started, endNext } = open(20, 10)
  const all = [...'aaabcb'].map((client) => add(client))
  for (const _ of all) await endNext()
  await Promise.all(all)
  expect(started.join('')).toBe('abcaba')
})

test('work with a penalty comes later, and not at all if the queue is full', async () => {
  const { add, started, endNext } = open(3, 10)
  const all = [add('a'), add('a'), add('b', { penalty: 3 }), add('a'), add('c')]
  await expect(add('d', { penalty: 1 })).rejects.toMatchObject(busy)
  all.push(add('e'))
  for (const _ of all) await endNext()
  await Promise.all(all)
  expect(started.join('')).toBe('aceaab')
})

test('after work that fails, the next starts', async () => {
  const { queue, add, started, endNext } = open(20, 10)
  const failing = queue.run({ maxWaitMs: 1e6 }, () => Promise.reject(new Error('broken')))
  const next = add('a')
  await expect(failing).rejects.toThrow('broken')
  await endNext()
  await next
  expect(started).toEqual(['a'])
})

test('a client has a limit, and what is done does not count', async () => {
  const { add, endNext } = open(20, 2)
  const all = [add('a'), add('a')]
  await expect(add('a')).rejects.toMatchObject(busy)
  await endNext()
  await all[0]
  all.push(add('a'))
  await endNext()
  await endNext()
  await Promise.all(all)
})

test('a full queue accepts only clients that have nothing in it', async () => {
  const { add, endNext } = open(2, 10)
  const all = [add('a'), add('a'), add('b')]
  await expect(add('b')).rejects.toMatchObject(busy)
  all.push(add('c'), add('d'))
  await expect(add('e')).rejects.toMatchObject(busy)
  for (const _ of all) await endNext()
  await Promise.all(all)
})

test('work that waited too long, or that nobody waits for, does not start', async () => {
  const { add, started, endNext } = open(20, 10)
  const aborting = new AbortController()
  const first = add('a')
  const late = expect(add('b', { maxWaitMs: -1 })).rejects.toMatchObject(busy)
  const aborted = expect(add('c', { signal: aborting.signal })).rejects.toThrow('aborted')
  aborting.abort()
  await endNext()
  await Promise.all([first, late, aborted])
  expect(started).toEqual(['a'])
})
