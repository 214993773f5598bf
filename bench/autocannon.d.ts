// What of autocannon is used here; the package brings no types.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly method?: 'GET' | 'POST'
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** In turn, instead of the one. */
    readonly requests?: readonly { readonly path: string }[]
    /** Requests a second, of all connections together. */
    readonly overallRate?: number
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly verifyBody?: (body: string) => boolean
  }

  interface Result {
    readonly '2xx': number
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
