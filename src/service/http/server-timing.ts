import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../engine/postgres/client.ts'
import { onQuery } from '../../engine/postgres/query.ts'

interface DatabaseTime {
  milliseconds: number
  statements: number
}

/** Adds the header `Server-Timing` to responses of requests that send `X-Server-Timing: 1`. */
export function addServerTiming(app: FastifyInstance, db: Db): void {
  const storage = new AsyncLocalStorage<DatabaseTime>()
  const timedRequests = new WeakMap<object, DatabaseTime>()
  const stop = onQuery(db, ({ duration }) => {
    const spent = storage.getStore()
    if (!spent) return
    spent.milliseconds += duration
    spent.statements += 1
  })
  app.addHook('onClose', async () => stop())
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.headers['x-server-timing'] !== '1') return done()
    const spent = { milliseconds: 0, statements: 0 }
    timedRequests.set(request, spent)
    storage.run(spent, done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const spent = timedRequests.get(request)
    if (!spent) return done(null, payload)
    const { milliseconds, statements } = spent
    const database = `db;dur=${milliseconds.toFixed(1)};desc="${statements} statements"`
    const [, cache] = String(reply.getHeader('cache-status') ?? '').split('; ')
    const cacheEntry = cache ? `, cache;desc="${cache}"` : ''
    reply.header('server-timing', `total;dur=${reply.elapsedTime.toFixed(1)}, ${database}${cacheEntry}`)
    done(null, payload)
  })
}
