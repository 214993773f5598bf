// Messages between the supervisor and its workers.
import type { Registry } from 'prom-client'
import type { replaced } from '../service/http/operations.ts'

/** Why a worker stops. */
export type StopReason = 'SIGTERM' | 'SIGINT' | typeof replaced | 'orphaned'

/** What `Registry.getMetricsAsJSON` returns. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface WorkerRole {
  readonly number: number
  /** Whether it prepares the database and does what runs once for each start. */
  readonly isLeader: boolean
  /** Whether it accepts connections before the service is ready, and responds 503. Only the first worker of a start does. */
  readonly listensEarly: boolean
}

export type ToWorker =
  | { readonly type: 'role'; readonly role: WorkerRole }
  /** The migrations are applied, and the leader has prepared the database. */
  | { readonly type: 'open' }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'getMetrics' }
  /** The response to `collectMetrics`: one item per process. */
  | { readonly type: 'collected'; readonly id: number; readonly metrics: readonly Metrics[] }

export type ToSupervisor =
  | { readonly type: 'ready' }
  /** The start failed for this reason. */
  | { readonly type: 'failed'; readonly message: string }
  /** The response to `getMetrics`; `isLast` if the worker ends now. */
  | { readonly type: 'metrics'; readonly metrics: Metrics; readonly isLast: boolean }
  | { readonly type: 'collectMetrics'; readonly id: number }
