// What those who run the service need of it: health, metrics, logs, timings.
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Environment } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { measureCache } from './cache-metrics.ts'
import { healthRoutes } from './health.ts'
import { measure } from './metrics.ts'
import { timeRequests } from './server-timing.ts'

/** What the process hands over beside the environment of the requests. */
export interface Operations {
  readonly database: Database
  /** Holds the metrics, those of the process too where there is one. */
  readonly registry: Registry
  /** Aborted once the process is to stop: it is ready no longer, but answers what still comes. */
  readonly stopping: AbortSignal
}

/** Before everything that answers: hooks are for routes that come after them. */
export function operate(app: FastifyInstance, { db, cache }: Environment, operations: Operations): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (operations.stopping.aborted) reply.header('connection', 'close')
    done()
  })
  timeRequests(app, db)
  measure(app, db, operations)
  measureCache(cache, [operations.registry])
  healthRoutes(app, operations)
}
