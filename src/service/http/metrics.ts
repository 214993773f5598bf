import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Db } from '../../engine/postgres/client.ts'
import { onRead } from '../../engine/postgres/query.ts'
import { rootPrefix } from './language-root.ts'
import type { Operations } from './operations.ts'
import { onStatement } from './statement-events.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** `/metrics`, for Prometheus. Labels are route patterns, never paths that clients send, so their number is bounded. */
export function registerMetrics(app: FastifyInstance, db: Db, { registry, database, worker }: Operations): void {
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests that were responded to.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  })
  const statements = new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'Duration of SQL statements, including the wait for a connection.',
    buckets,
    registers,
  })
  const reads = new Counter({
    name: 'database_reads_total',
    help: 'Reads outside of transactions, by engine: compiled (the read engine) or prisma.',
    labelNames: ['engine'],
    registers,
  })
  const stopReads = onRead(db, (engine) => reads.inc({ engine }))
  app.addHook('onClose', async () => stopReads())
  registerPoolMetrics(database, registers)
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions
    const labels = { method: request.method, route: url === undefined ? 'none' : rootPrefix(request) + url }
    requests.inc({ ...labels, status: reply.statusCode })
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  onStatement(app, db, (milliseconds) => statements.observe(milliseconds / 1000))
  app.get('/metrics', async (request, reply) => {
    // The router takes other spellings, such as /metrics/ and /%6Detrics, which the rules of proxies do not.
    if (request.raw.url?.split('?', 1)[0] !== '/metrics') return reply.callNotFound()
    return (
      reply
        .type(registry.contentType)
        .header('cache-control', 'no-store')
        // Pages of other sites must not read metrics.
        .removeHeader('access-control-allow-origin')
        .send(await (worker?.collectMetrics() ?? registry.metrics()))
    )
  })
}

function registerPoolMetrics({ pool }: Operations['database'], registers: Operations['registry'][]): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  new Gauge({
    name: 'database_connections_max',
    help: 'Maximum number of connections: DATABASE_POOL, or 1 with the embedded database.',
    registers,
    collect() {
      this.set(pool.options.max)
    },
  })
  new Gauge({
    name: 'database_waiting',
    help: 'Statements and transactions that are waiting for a connection.',
    registers,
    collect() {
      this.set(pool.allWaitingCount)
    },
  })
}
