// What of autocannon is used here; the package brings no types.
declare module 'autocannon' {
  interface Request {
    readonly path?: string
    readonly method?: 'GET' | 'POST'
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** Called before each request, for one that differs from the one before. */
    readonly setupRequest?: (request: Request) => Request
  }

  interface Options extends Omit<Request, 'path' | 'setupRequest'> {
    readonly url: string
    /** In turn, instead of the one. */
    readonly requests?: readonly Request[]
    /** Requests a second, of all connections together. */
    readonly overallRate?: number
    readonly connections: number
    /** Seconds. */
    readonly duration?: number
    /** Requests in all, instead of a duration. */
    readonly amount?: number
    /** Seconds to wait for an answer. */
    readonly timeout?: number
    readonly verifyBody?: (body: string) => boolean
  }

  interface Result {
    readonly '2xx': number
    readonly '3xx': number
    readonly non2xx: number
    /** Connections that broke. */
    readonly errors: number
    readonly timeouts: number
    /** Bodies that verifyBody refused. */
    readonly mismatches: number
    /** Seconds that it truly took. */
    readonly duration: number
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number }
  }

  export default function autocannon(options: Options): Promise<Result>
}
