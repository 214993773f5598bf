// Messages between the supervisor and its workers.
import type { Registry } from 'prom-client'

/** Reason of a stop when another worker already takes the requests of this one, so that the instance stays ready. */
export const replaced = 'replaced'

/** Why a worker stops. */
export type StopReason = 'SIGTERM' | 'SIGINT' | typeof replaced | 'orphaned'

/** What `Registry.getMetricsAsJSON` returns. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The last argument of the process, as JSON. */
export interface WorkerRole {
  readonly number: number
  /**
   * Whether the worker accepts connections before the service is ready, and responds 503. Only the first worker of a start
   * does.
   */
  readonly listensEarly: boolean
}

export type MessageToWorker =
  /** What all workers need is prepared. */
  | { readonly type: 'open' }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'getMetrics' }
  /** The response to `collectMetrics`: one item per process. */
  | { readonly type: 'collected'; readonly id: number; readonly metrics: readonly Metrics[] }

export type MessageToSupervisor =
  | { readonly type: 'ready' }
  /** The start failed for this reason. */
  | { readonly type: 'failed'; readonly message: string }
  /** The response to `getMetrics`; `isLast` if the worker ends now. */
  | { readonly type: 'metrics'; readonly metrics: Metrics; readonly isLast: boolean }
  | { readonly type: 'collectMetrics'; readonly id: number }
