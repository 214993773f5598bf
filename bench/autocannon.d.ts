// Types of the parts of autocannon that are used; the package has none.
declare module 'autocannon' {
  interface Request {
    readonly path?: string
    readonly method?: 'GET' | 'POST'
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** Called before each request; returns the next one. */
    readonly setupRequest?: (request: Request) => Request
  }

  interface Options extends Omit<Request, 'path' | 'setupRequest'> {
    readonly url: string
    /** Requests to send in turn, instead of a single one. */
    readonly requests?: readonly Request[]
    /** Called for each connection. */
    readonly setupClient?: (client: { setRequests(requests: readonly Request[]): void }) => void
    /** Requests per second of all connections together. */
    readonly overallRate?: number
    readonly connections: number
    /** Seconds. */
    readonly duration?: number
    /** Total number of requests, instead of a duration. */
    readonly amount?: number
    /** Seconds to wait for a response. */
    readonly timeout?: number
    readonly verifyBody?: (body: string) => boolean
  }

  interface Result {
    readonly '2xx': number
    readonly '3xx': number
    readonly non2xx: number
    /** Connection errors. */
    readonly errors: number
    readonly timeouts: number
    /** Bodies for which verifyBody returned false. */
    readonly mismatches: number
    /** Actual duration in seconds. */
    readonly duration: number
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number }
  }

  function autocannon(options: Options): Promise<Result>
  namespace autocannon {
    export type { Request }
  }
  export default autocannon
}
