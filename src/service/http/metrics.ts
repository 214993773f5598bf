import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import { addGauge } from '../../basics/metrics.ts'
import type { ResponseCache } from '../../engine/cache/response-cache.ts'
import type { Database } from '../../engine/postgres/pool.ts'
import { onQuery, onRead } from '../../engine/postgres/query.ts'
import type { Replicas } from '../../engine/postgres/replicas/replicas.ts'
import type { SharedMetrics } from '../../engine/processes/worker-process.ts'
import type { Environment } from '../context.ts'
import { rootPrefix } from './language-root.ts'

/** The parts of the process that the health and metrics routes use. */
export interface MonitoringOptions {
  readonly database: Database
  /** Holds the metrics, including those of the process. */
  readonly registry: Registry
  /** Aborted when the process begins to stop. It still serves requests, but is no longer ready. */
  readonly stopping: AbortSignal
  /** Only if several processes serve the same address. */
  readonly worker?: SharedMetrics | undefined
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Registers `/metrics` for Prometheus. Labels contain route patterns, never request paths, so that their number is limited. */
export function registerMetrics(
  app: FastifyInstance,
  { db, cache, replicas }: Pick<Environment, 'db' | 'cache' | 'replicas'>,
  { registry, database, worker }: MonitoringOptions,
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

function addPoolMetrics({ pool }: MonitoringOptions['database'], registry: Registry): void {
  const states = () => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount })
  addGauge(registry, 'database_connections', 'Connections of the pool, by state.', states, { label: 'state' })
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
  addGauge(registry, 'cache_active', activeHelp, () => Number(cache.stats().isActive), { aggregator: 'min' })
}

/** Replicas are numbered from 1 in the order of DATABASE_REPLICA_URL. */
function addReplicaMetrics(replicas: Replicas, registry: Registry): void {
  const byNumber = (value: (state: ReturnType<Replicas['states']>[number]) => number | undefined) => () =>
    Object.fromEntries(
      replicas.states().flatMap((state, index) => {
        const each = value(state)
        return each === undefined ? [] : [[index + 1, each]]
      }),
    )
  const lagHelp = 'How far a replica is behind the primary; missing while it does not respond.'
  const lag = byNumber((state) => state.lag && state.lag / 1000)
  addGauge(registry, 'database_replica_lag_seconds', lagHelp, lag, { label: 'replica' })
  const usedHelp = '1 while queries of visitors read from the replica, 0 while it is left out.'
  const used = byNumber(({ isUsed }) => Number(isUsed))
  addGauge(registry, 'database_replica_used', usedHelp, used, { label: 'replica' })
}
