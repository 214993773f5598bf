import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../../postgres/client.ts'
import { type QueueStats, readQueueStats } from './purge-queue.ts'

export type PurgeMetrics = ReturnType<typeof createPurgeMetrics>

export function createPurgeMetrics(db: Db, targets: readonly string[], registry: Registry) {
  const registers = [registry]
  const purges = new Counter({
    name: 'cdn_purges_total',
    help: 'Calls that purge a CDN.',
    labelNames: ['target', 'result'],
    registers,
  })
  const delays = new Histogram({
    name: 'cdn_purge_delay_seconds',
    help: 'Time from a write to its first purge.',
    labelNames: ['target'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300],
    registers,
  })
  let reading: Promise<readonly QueueStats[] | undefined> | undefined
  /** Reads the state of the queue. Gauges that are collected at the same time share one statement. */
  const readStats = () => {
    // Errors are ignored, so that other metrics are reported while the database does not respond.
    reading ??= readQueueStats(db)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const gauge = (name: string, help: string, value: (stats: QueueStats) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['target'],
      // The maximum, because all workers report the same queue.
      aggregator: 'max',
      registers,
      async collect() {
        const stats = await readStats()
        if (!stats) return
        for (const target of targets) {
          const own = stats.find((each) => each.target === target)
          this.set({ target }, own ? value(own) : 0)
        }
      },
    })
  gauge(
    'cdn_purge_oldest_seconds',
    'Time since the oldest write that was not purged yet, 0 without one.',
    ({ oldest }) => oldest,
  )
  gauge(
    'cdn_purges_pending',
    'Queued changes, including purged changes whose purge will be repeated.',
    ({ pending }) => pending,
  )
  return {
    count: (target: string, result: 'success' | 'failure') => purges.inc({ target, result }),
    /** Observes the time from a write to the end of its first purge. */
    observeDelay: (target: string, milliseconds: number) => delays.observe({ target }, milliseconds / 1000),
  }
}
