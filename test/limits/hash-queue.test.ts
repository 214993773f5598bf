// The order in which queued passwords are checked.
import { expect, test } from 'vitest'
import { createHashQueue } from '../../src/service/auth/hash-queue.ts'

const minute = 60_000

/** Jobs that end when the test calls `end`. `begun` lists the jobs that have started. */
function worker() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  const end = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, work, end }
}

test('addresses with fewer failures and fewer waiting jobs run first', async () => {
  const { begun, work, end } = worker()
  const turns = createHashQueue(minute)
  const all = [
    turns.run('192.0.2.1', 0, work('first')),
    turns.run('192.0.2.1', 0, work('first again')),
    turns.run('192.0.2.2', 3, work('failed before')),
    turns.run('192.0.2.1', 0, work('first once more')),
    turns.run('192.0.2.3', 0, work('another')),
    turns.run('192.0.2.4', 0, work('one more')),
  ]
  for (let n = 0; n < all.length; n += 1) await end()
  await Promise.all(all)
  expect(begun).toEqual(['first', 'another', 'one more', 'first again', 'first once more', 'failed before'])
})

test('one job runs at a time, and the next starts after a failure', async () => {
  const { begun, work, end } = worker()
  const turns = createHashQueue(minute)
  const failing = turns.run('192.0.2.1', 0, () => Promise.reject(new Error('broken')))
  const second = turns.run('192.0.2.2', 0, work('second'))
  const third = turns.run('192.0.2.3', 0, work('third'))
  await expect(failing).rejects.toThrow('broken')
  expect(begun).toEqual(['second'])
  await end()
  expect(await second).toBe('second')
  expect(begun).toEqual(['second', 'third'])
  await end()
  expect(await third).toBe('third')
  expect(await turns.run('192.0.2.4', 0, async () => 'fourth')).toBe('fourth')
})

test('when the queue is full, the last job is rejected', async () => {
  const { begun, work, end } = worker()
  const turns = createHashQueue(minute, 2)
  const running = turns.run('192.0.2.1', 0, work('running'))
  const waiting = turns.run('192.0.2.2', 0, work('waiting'))
  const guessing = turns.run('192.0.2.3', 9, work('guessing'))
  const fresh = turns.run('192.0.2.4', 0, work('fresh'))
  await expect(guessing).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', data: { retryAfter: 5 } })
  await expect(turns.run('192.0.2.5', 1, work('late'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  for (let n = 0; n < 3; n += 1) await end()
  expect(await Promise.all([running, waiting, fresh])).toEqual(['running', 'waiting', 'fresh'])
  expect(begun).toEqual(['running', 'waiting', 'fresh'])
})

test('a job that waited too long is rejected', async () => {
  const { begun, work, end } = worker()
  const turns = createHashQueue(-1)
  const running = turns.run('192.0.2.1', 0, work('running'))
  const late = expect(turns.run('192.0.2.2', 0, work('late'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await end()
  await late
  expect(await running).toBe('running')
  expect(begun).toEqual(['running'])
})
