import { Counter, Gauge, type Registry } from 'prom-client'
import type { ResponseCache } from '../../engine/cache/response-cache.ts'

export function registerCacheMetrics(cache: ResponseCache, registers: Registry[]): void {
  new Counter({
    name: 'cache_requests_total',
    help: 'Anonymous reads that were served from the response cache, and those that were not.',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = cache.stats()
      this.reset()
      this.inc({ result: 'hit' }, hits)
      this.inc({ result: 'miss' }, misses)
    },
  })
  const gauge = (name: string, help: string, value: () => number, aggregator: 'sum' | 'min' = 'sum') =>
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('cache_entries', 'Responses in the response cache.', () => cache.stats().entries)
  gauge('cache_bytes', 'Size of the response cache, at most CACHE_BYTES.', () => cache.stats().bytes)
  gauge(
    'cache_active',
    '1 while the response cache is used, 0 while it is bypassed because notifications of changes do not arrive.',
    () => Number(cache.stats().isActive),
    'min',
  )
}
