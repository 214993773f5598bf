import { Counter, Histogram, type Registry } from 'prom-client'
import { addGauge, shareReading } from '../../../basics/metrics.ts'
import type { Db } from '../../postgres/client.ts'
import { readQueueStats } from './purge-queue.ts'

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
  const read = shareReading(() => readQueueStats(db))
  const valuesOf = (key: 'oldest' | 'pending') => async () => {
    const stats = await read()
    const ofTarget = (target: string) => stats?.find((each) => each.target === target)?.[key] ?? 0
    return stats && Object.fromEntries(targets.map((target) => [target, ofTarget(target)]))
  }
  const options = { aggregator: 'max', label: 'target' } as const
  const oldestHelp = 'Time since the oldest write that was not purged yet, 0 without one.'
  addGauge(registry, 'cdn_purge_oldest_seconds', oldestHelp, valuesOf('oldest'), options)
  const pendingHelp = 'Queued changes, including purged changes whose purge will be repeated.'
  addGauge(registry, 'cdn_purges_pending', pendingHelp, valuesOf('pending'), options)
  return {
    count: (target: string, result: 'success' | 'failure') => purges.inc({ target, result }),
    /** Observes the time from a write to the end of its first purge. */
    observeDelay: (target: string, milliseconds: number) => delays.observe({ target }, milliseconds / 1000),
  }
}
