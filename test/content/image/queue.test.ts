// The order in which images are processed.
import { expect, test } from 'vitest'
import { createFairQueue } from '../../../src/calendar/image/storage/queue.ts'

/** A queue whose work ends when told to. */
function open(maxWaiting: number, maxOfClient: number) {
  const queue = createFairQueue({ maxWaiting, maxOfClient })
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (client: string, options: { maxWaitMs?: number; signal?: AbortSignal } = {}) =>
    queue.run({ client, maxWaitMs: 1e6, ...options }, async () => {
      started.push(client)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const endNext = async () => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return { add, started, endNext }
}

const busy = { code: 'UNAVAILABLE', data: { retryAfter: 10 } }

test('the first work of each client comes before the second of any other', async () => {
  const { add, started, endNext } = open(20, 10)
  const all = [...'aaabcb'].map((client) => add(client))
  for (const _ of all) await endNext()
  await Promise.all(all)
  expect(started.join('')).toBe('abcaba')
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
  all.push(add('c'))
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
