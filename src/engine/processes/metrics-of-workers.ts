// Metrics of all workers: each one answers `/metrics` for all of them.
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Metrics } from './messages.ts'
import type { WorkerProcess } from './worker-process.ts'

/** The metrics of all workers, as text for Prometheus. */
export interface SharedMetrics {
  readonly number: number
  collectMetrics(): Promise<string>
}

/** Adds the metrics of this worker to those that others collect, and collects theirs. */
export function joinMetrics(worker: WorkerProcess, registry: Registry): SharedMetrics {
  const pending = new Map<number, (metrics: readonly Metrics[]) => void>()
  let lastId = 0
  worker.onMessage((message) => {
    if (message.type === 'getMetrics') void sendMetrics(worker, registry, false)
    if (message.type !== 'collected') return
    pending.get(message.id)?.(message.metrics)
    pending.delete(message.id)
  })
  return {
    number: worker.number,
    async collectMetrics() {
      lastId += 1
      const { promise, resolve } = Promise.withResolvers<readonly Metrics[]>()
      pending.set(lastId, resolve)
      await worker.send({ type: 'collectMetrics', id: lastId })
      return AggregatorRegistry.aggregate([...(await promise)]).metrics()
    },
  }
}

/** Sends the metrics of this worker to the supervisor. */
export async function sendMetrics(worker: WorkerProcess, registry: Registry, isLast: boolean): Promise<void> {
  await worker.send({ type: 'metrics', metrics: await registry.getMetricsAsJSON(), isLast })
}
