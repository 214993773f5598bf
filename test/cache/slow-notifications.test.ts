// Notifications that take longer than a request waits for them.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { serve, type TestApp } from '../helpers/app.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'
import { type ListenerProxy, startListenerProxy } from '../helpers/listener-proxy.ts'
import { makeTag } from '../helpers/make.ts'
import { listenOn, subscribe } from '../helpers/subscribe.ts'
import { makeUser } from '../helpers/users.ts'

// The embedded database sends notifications before it confirms a commit.
describe.runIf(inject('server'))('while notifications are slow', () => {
  let base: TestDatabase
  let proxy: ListenerProxy
  let service: TestApp
  let path: string
  beforeAll(async () => {
    base = await openTestDatabase()
    proxy = await startListenerProxy(base.database.pool.options.connectionString ?? '')
    const database = openServerDatabase(proxy.url, 4)
    const db = createClient(database.pool)
    service = await serve({ db, database, statements: [], close: () => db.$disconnect() })
    path = `/cal/events/v1/tags/${await makeTag(base.db, 'Music')}`
    await service.cache.waitForChanges()
    proxy.delay(400)
  })
  afterAll(async () => {
    proxy.delay(0)
    await service.close()
    await service.database.close()
    proxy.close()
    await base.close()
  })

  const read = async () => (await service.app.inject({ url: path })).headers['cache-status']
  /** Cache-Status of reads while `action` runs, and for a while after it. */
  async function readDuring(action: () => Promise<unknown>): Promise<Set<unknown>> {
    await expect.poll(read).toBe('calendar; hit')
    let isOver = false
    const seen = new Set<unknown>()
    const reading = async () => {
      for (; !isOver; await setTimeout(5)) seen.add(await read())
    }
    const acting = action().finally(() => {
      isOver = true
    })
    await Promise.all([acting, reading()])
    return seen.add(await read())
  }
  const rename = (authorization?: string) =>
    service.app.inject({
      method: 'POST',
      url: path,
      headers: authorization === undefined ? {} : { authorization },
      payload: { description: 'Concerts' },
    })

  test('a refused write of a visitor leaves the cache in use', async () => {
    const seen = await readDuring(async () => {
      for (let n = 0; n < 3; n += 1) expect((await rename()).statusCode).toBe(401)
      const query = 'mutation { deleteTag(input: { id: 1 }) { userErrors { code } } }'
      const refused = await service.app.inject({ method: 'POST', url: '/graphql', payload: { query } })
      expect(refused.json().data.deleteTag.userErrors).toEqual([{ code: 'UNAUTHENTICATED' }])
    })
    expect(seen).toEqual(new Set(['calendar; hit']))
  })

  test('a new subscription leaves the cache in use', async () => {
    const url = await listenOn(service)
    const seen = await readDuring(async () => {
      const stream = await subscribe(url)
      stream.close()
    })
    expect(seen).toEqual(new Set(['calendar; hit']))
  })

  test('a write is not followed by an older cached response', async () => {
    await expect.poll(read).toBe('calendar; hit')
    const { authorization } = await makeUser(base.db, 'administrator')
    expect((await rename(authorization)).statusCode).toBe(200)
    const { headers, payload } = await service.app.inject({ url: path })
    expect([headers['cache-status'], JSON.parse(payload).description]).toEqual(['calendar; fwd=miss', 'Concerts'])
  })
})
