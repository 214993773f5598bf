import type { Registry } from 'prom-client'
import type { Database } from '../../engine/postgres/pool.ts'
import type { SharedMetrics } from '../../engine/processes/metrics-of-workers.ts'

/** What the health and metrics routes need from the process. */
export interface Operations {
  readonly database: Database
  /** Holds the metrics, including those of the process. */
  readonly registry: Registry
  /** Aborted when the process begins to stop. It still serves requests, but is no longer ready. */
  readonly stopping: AbortSignal
  /** Only if several processes serve the same address. */
  readonly worker?: SharedMetrics | undefined
}
