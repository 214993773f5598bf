// One client does not take all connections to the database.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestApp, type TestApp, unverified } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', ...unverified })
})
afterAll(() => app?.close())

const list = '/cal/events/v1/events'
const greedy = { remoteAddress: '10.0.0.1' }
const other = { remoteAddress: '10.0.0.2' }

/** An operation of many statements. */
const manyStatements = (field: string) =>
  `{ ${Array.from({ length: 20 }, (_, n) => `a${n}: ${field}(filter: { include: [${n + 1}] }) { totalCount }`).join(' ')} }`

const sendMany = (field: string) =>
  app.get(`/graphql?query=${encodeURIComponent(manyStatements(field))}`, {
    ...greedy,
    headers: { accept: 'application/graphql-response+json' },
  })

// On a server, which has several connections, what ends first would depend on the speed of each request.
test.skipIf(inject('server'))('requests of others come between the statements of one request', async () => {
  const order: string[] = []
  const waiting = () => app.database.pool.allWaitingCount
  const waitFor = (statements: number) => expect.poll(waiting).toBeGreaterThanOrEqual(statements)
  // The first request takes longer, until it sends its statement.
  await app.get(list, other)
  // Holds the only connection.
  const replies = await app.db.$transaction(async () => {
    const many = Array.from({ length: 4 }, () => sendMany('events').finally(() => order.push('many')))
    await waitFor(many.length)
    const one = app.get(list, other).finally(() => order.push('one'))
    await waitFor(waiting() + 1)
    return [...many, one]
  })
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(order).toEqual(['one', 'many', 'many', 'many', 'many'])
})

test.runIf(inject('server'))('others read while the statements of one client hang', async () => {
  const replies = await app.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE venue, venue_text IN ACCESS EXCLUSIVE MODE`
    const many = [sendMany('venues'), sendMany('venues')]
    await expect.poll(() => app.database.pool.allWaitingCount).toBeGreaterThan(0)
    for (let n = 0; n < 5; n += 1) expect((await app.get(list, other)).status).toBe(200)
    return many
  })
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
})
