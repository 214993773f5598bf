import type { Registry } from 'prom-client'
import type { Database } from '../db/pool.ts'

/** What the routes for operators need of the process: health, metrics. */
export interface Operations {
  readonly database: Database
  /** Holds the metrics, including those of the process. */
  readonly registry: Registry
  /** Aborted once the process stops: it is no longer ready, but answers requests that still arrive. */
  readonly stopping: AbortSignal
}
