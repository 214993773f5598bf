import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ResponseCache } from '../../engine/cache/response-cache.ts'
import { onQuery, onRead } from '../../engine/postgres/query.ts'
import type { Replicas } from '../../engine/postgres/replicas/replicas.ts'
import type { Environment } from '../context.ts'
import { rootPrefix } from './language-root.ts'
import type { Operations } from './operations.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** `/metrics`, for Prometheus. Labels are route patterns, never paths that clients send, so their number is bounded. */
export function registerMetrics(
  app: FastifyInstance,
  { db, cache, replicas }: Pick<Environment, 'db' | 'cache' | 'replicas'>,
  { registry, database, worker }: Operations,
): void {
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
  const stops = [
    onRead(db, (engine) => reads.inc({ engine })),
    onQuery(db, ({ duration }) => statements.observe(duration / 1000)),
  ]
  app.addHook('onClose', async () => {
    for (const stop of stops) stop()
  })
  addPoolMetrics(database, registry)
  addCacheMetrics(cache, registry)
  if (replicas) addReplicaMetrics(replicas, registry)
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions
    const labels = { method: request.method, route: url === undefined ? 'none' : rootPrefix(request) + url }
    requests.inc({ ...labels, status: reply.statusCode })
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
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

/** A gauge whose value is read when metrics are collected. Without `aggregator`, the values of all workers are added. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  value: () => number,
  aggregator: 'sum' | 'min' = 'sum',
): void {
  new Gauge({
    ...{ name, help, aggregator, registers: [registry] },
    collect() {
      this.set(value())
    },
  })
}

function addPoolMetrics({ pool }: Operations['database'], registry: Registry): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  const maxHelp = 'Maximum number of connections: DATABASE_POOL, or 1 with the embedded database.'
  addGauge(registry, 'database_connections_max', maxHelp, () => pool.options.max)
  const waitingHelp = 'Statements and transactions that are waiting for a connection.'
  addGauge(registry, 'database_waiting', waitingHelp, () => pool.allWaitingCount)
}

function addCacheMetrics(cache: ResponseCache, registry: Registry): void {
  new Counter({
    name: 'cache_requests_total',
    help: 'Anonymous reads that were served from the response cache, and those that were not.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      const { hits, misses } = cache.stats()
      this.reset()
      this.inc({ result: 'hit' }, hits)
      this.inc({ result: 'miss' }, misses)
    },
  })
  addGauge(registry, 'cache_entries', 'Responses in the response cache.', () => cache.stats().entries)
  addGauge(registry, 'cache_bytes', 'Size of the response cache, at most CACHE_BYTES.', () => cache.stats().bytes)
  const activeHelp =
    '1 while the response cache is used, 0 while it is bypassed because notifications of changes do not arrive.'
  addGauge(registry, 'cache_active', activeHelp, () => Number(cache.stats().isActive), 'min')
}

/** Replicas are numbered from 1 in the order of DATABASE_REPLICA_URL. */
function addReplicaMetrics(replicas: Replicas, registry: Registry): void {
  const options = { labelNames: ['replica'], registers: [registry] }
  new Gauge({
    ...options,
    name: 'database_replica_lag_seconds',
    help: 'How far a replica is behind the primary; missing while it does not respond.',
    collect() {
      this.reset()
      for (const [index, { lag }] of replicas.states().entries()) {
        if (lag !== undefined) this.set({ replica: String(index + 1) }, lag / 1000)
      }
    },
  })
  new Gauge({
    ...options,
    name: 'database_replica_used',
    help: '1 while queries of visitors read from the replica, 0 while it is left out.',
    collect() {
      for (const [index, { isUsed }] of replicas.states().entries()) {
        this.set({ replica: String(index + 1) }, Number(isUsed))
      }
    },
  })
}
