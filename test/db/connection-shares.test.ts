// How the connections of a pool are shared among the requests of clients.
import { expect, onTestFinished, test } from 'vitest'
import { type ClientWork, createConnectionLimiter } from '../../src/engine/postgres/connection-shares.ts'

const work = (client: string): ClientWork => ({ client, held: 0, abandoned: undefined })

/** What has happened once all promises that can settle have done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

function share(connections: number, maxWaitMs = 600_000) {
  const shares = createConnectionLimiter(() => ({ connections, maxWaitMs }))
  /** Names of the work that has a connection, in order. */
  const order: string[] = []
  const releases: (() => void)[] = []
  const acquire = async (of: ClientWork, name = of.client) => {
    releases.push(await shares.acquire(of))
    order.push(name)
  }
  /** Gives back the connection that was acquired first. */
  const release = async () => {
    releases.shift()?.()
    await settled()
  }
  // Work that still waited would fail ten minutes later, in another file.
  onTestFinished(async () => {
    while (releases.length > 0) await release()
  })
  return { order, acquire, release }
}

test('a request uses at most three connections at a time', async () => {
  const { order, acquire, release } = share(10)
  const request = work('a')
  for (let n = 1; n <= 5; n += 1) void acquire(request, `a${n}`)
  await settled()
  expect(order).toEqual(['a1', 'a2', 'a3'])
  await release()
  expect(order).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('a client uses at most half of the connections, and others get theirs at once', async () => {
  const { order, acquire, release } = share(5)
  for (let n = 1; n <= 5; n += 1) void acquire(work('a'), `a${n}`)
  await settled()
  expect(order).toEqual(['a1', 'a2', 'a3'])
  await Promise.all([acquire(work('b')), acquire(work('c'))])
  void acquire(work('b'), 'b2')
  await settled()
  expect(order).toEqual(['a1', 'a2', 'a3', 'b', 'c'])
  // The client with the fewest connections comes first, although the others have waited longer.
  await release()
  expect(order.at(-1)).toBe('b2')
})

test('clients take turns on a single connection, whoever sends the most', async () => {
  const { order, acquire, release } = share(1)
  await acquire(work('a'), 'a0')
  for (let n = 1; n <= 3; n += 1) void acquire(work('a'), `a${n}`)
  for (const name of ['b1', 'b2']) void acquire(work('b'), name)
  void acquire(work('c'), 'c1')
  for (let n = 0; n < 4; n += 1) await release()
  // A client that comes again and again does not overtake those who wait.
  void acquire(work('d'), 'd1')
  for (let n = 0; n < 3; n += 1) await release()
  expect(order).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'd1'])
})

test('who waits too long fails, unless its own statements use the connections', async () => {
  const { order, acquire, release } = share(2, 20)
  const request = work('a')
  await acquire(request)
  const next = acquire(request, 'a2')
  await expect(acquire(work('a'))).rejects.toThrow('in use')
  await release()
  await next
  expect(order).toEqual(['a', 'a2'])
})

test('work that nobody waits for any more gets no further connection', async () => {
  const { order, acquire, release } = share(1)
  const request = work('a')
  await acquire(request)
  const waiting = acquire(request)
  request.abandoned = new Error('abandoned')
  const failed = expect(waiting).rejects.toThrow('abandoned')
  await release()
  await failed
  await expect(acquire(request)).rejects.toThrow('abandoned')
  await acquire(work('b'))
  expect(order).toEqual(['a', 'b'])
})
