import type { Registry } from 'prom-client'
import type { Database } from '../../engine/postgres/pool.ts'

/** What the health and metrics routes need from the process. */
export interface Operations {
  readonly database: Database
  /** Holds the metrics, including those of the process. */
  readonly registry: Registry
  /** Aborted when the process begins to stop. It still serves requests, but is no longer ready. */
  readonly stopping: AbortSignal
  /** Only if several processes serve the same address. */
  readonly worker?: Worker | undefined
}

/** One of several processes that serve the same address. */
export interface Worker {
  readonly number: number
  /** The metrics of all of them, as text for Prometheus. */
  collectMetrics(): Promise<string>
}

/** Reason of `stopping` when another worker already takes the requests of this one, so that the instance stays ready. */
export const replaced = 'replaced'
