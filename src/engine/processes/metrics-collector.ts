// Collects the metrics of all workers for the worker that responds to a request for `/metrics`.
import type { Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import type { MessageToSupervisor, MessageToWorker, Metrics } from './messages.ts'

/** Milliseconds to wait for the metrics of a worker. After that, its last known metrics are used. */
const timeout = 1000

interface Source {
  /** Last known metrics of the worker; undefined until the first metrics arrive. */
  latest: Metrics | undefined
  isReady: boolean
  /** Callbacks that wait for the next metrics of the worker. */
  readonly waiting: Set<() => void>
}

/** Returns a function to call with each worker when it is started. */
export function createMetricsCollector(): (worker: Worker) => void {
  const sources = new Map<Worker, Source>()
  /** Added metrics of workers that have ended. Without these, counters would decrease. */
  let ended: Promise<Metrics> = Promise.resolve([])

  const refresh = async (worker: Worker, source: Source): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    source.waiting.add(resolve)
    if (worker.isConnected())
      worker.send({ type: 'getMetrics' } satisfies MessageToWorker, undefined, undefined, () => {})
    else resolve()
    await Promise.race([promise, setTimeout(timeout)])
    source.waiting.delete(resolve)
  }

  const collect = async (): Promise<Metrics[]> => {
    const ready = [...sources].filter(([, source]) => source.isReady)
    await Promise.all(ready.map(([worker, source]) => refresh(worker, source)))
    return [await ended, ...[...sources.values()].map(({ latest = [] }) => latest)]
  }

  return (worker) => {
    const source: Source = { latest: undefined, isReady: false, waiting: new Set() }
    sources.set(worker, source)
    worker.on('message', async (message: MessageToSupervisor) => {
      if (message.type === 'ready') source.isReady = true
      if (message.type === 'metrics') {
        source.latest = message.metrics
        if (message.isLast) source.isReady = false
        for (const resolve of source.waiting) resolve()
      }
      if (message.type === 'collectMetrics') {
        const reply: MessageToWorker = { type: 'collected', id: message.id, metrics: await collect() }
        if (worker.isConnected()) worker.send(reply, undefined, undefined, () => {})
      }
    })
    worker.once('exit', () => {
      sources.delete(worker)
      for (const resolve of source.waiting) resolve()
      const counts = source.latest?.filter(({ type }) => isCount.has(String(type))) ?? []
      ended = ended.then((before) => AggregatorRegistry.aggregate([before, counts]).getMetricsAsJSON())
    })
  }
}

const isCount: ReadonlySet<string> = new Set(['counter', 'histogram'])
