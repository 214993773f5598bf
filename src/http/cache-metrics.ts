import { Counter, Gauge, type Registry } from 'prom-client'
import type { ResponseCache } from '../response-cache/response-cache.ts'

export function registerCacheMetrics(cache: ResponseCache, registers: Registry[]): void {
  new Counter({
    name: 'cache_requests_total',
    help: 'Reads of visitors that were answered from memory, and those that were not.',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = cache.stats()
      this.reset()
      this.inc({ result: 'hit' }, hits)
      this.inc({ result: 'miss' }, misses)
    },
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('cache_answers', 'Answers in memory.', () => cache.stats().entries)
  gauge('cache_bytes', 'Bytes that they take; CACHE_BYTES at most.', () => cache.stats().bytes)
  gauge('cache_open', '1 while memory is used, 0 while changes can not be heard.', () => Number(cache.stats().isActive))
}
