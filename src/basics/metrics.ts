// Metrics whose values are read when they are collected.
import { Gauge, type Registry } from 'prom-client'

interface GaugeOptions {
  /** How to combine the values of all workers; by default they are added. `max` for what all workers read from one table. */
  readonly aggregator?: 'sum' | 'min' | 'max'
  /** Name of the label whose values are the keys of an object. */
  readonly label?: string
}

type Values = number | Readonly<Record<string, number>>

/** Adds a gauge. Its last values stay while `read` returns undefined. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Values | Promise<Values | undefined>,
  { aggregator = 'sum', label = '' }: GaugeOptions = {},
): void {
  new Gauge({
    ...{ name, help, aggregator, labelNames: label ? [label] : [], registers: [registry] },
    async collect() {
      const values = await read()
      if (values === undefined) return
      this.reset()
      if (typeof values === 'number') this.set(values)
      else for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value)
    },
  })
}

/**
 * Returns a function that reads the state of several gauges at most once in `maxAge` milliseconds. Errors become undefined, so that
 * other metrics are still reported.
 */
export function shareReading<State>(read: () => Promise<State>, maxAge = 100): () => Promise<State | undefined> {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<State | undefined> = Promise.resolve(undefined)
  return () => {
    if (performance.now() - readAt < maxAge) return reading
    readAt = performance.now()
    reading = read().catch(() => undefined)
    return reading
  }
}
