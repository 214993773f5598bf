// Messages between the supervisor process and its worker processes.
import type { Registry } from 'prom-client'

/** Reason of a stop after a new worker has taken over. The instance stays ready for requests. */
export const replacedByNewWorker = 'replaced'

/** Why a worker stops. */
export type StopReason = 'SIGTERM' | 'SIGINT' | typeof replacedByNewWorker | 'orphaned'

/** Metrics of one process, as `getMetricsAsJSON` of prom-client returns them. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Role of a worker process, which gets the role as JSON in its last command-line argument. */
export interface WorkerRole {
  readonly number: number
  /**
   * Whether the worker listens before the service is ready, and responds with status 503. True only for the first worker of a
   * start.
   */
  readonly listensEarly: boolean
}

export type MessageToWorker =
  /** Lets the worker serve requests, because the database is prepared. */
  | { readonly type: 'open' }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'getMetrics' }
  /** Response to `collectMetrics`, with one item per process. */
  | { readonly type: 'collected'; readonly id: number; readonly metrics: readonly Metrics[] }

export type MessageToSupervisor =
  | { readonly type: 'ready' }
  /** The worker could not start. `message` is the reason. */
  | { readonly type: 'failed'; readonly message: string }
  /** Response to `getMetrics`. `isLast` if the worker ends now. */
  | { readonly type: 'metrics'; readonly metrics: Metrics; readonly isLast: boolean }
  | { readonly type: 'collectMetrics'; readonly id: number }
