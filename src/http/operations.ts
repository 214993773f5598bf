import type { Registry } from 'prom-client'
import type { Database } from '../db/pool.ts'

/** What the health and metrics routes need from the process. */
export interface Operations {
  readonly database: Database
  /** Holds the metrics, including those of the process. */
  readonly registry: Registry
  /** Aborted when the process begins to stop. It still serves requests, but is no longer ready. */
  readonly stopping: AbortSignal
}
