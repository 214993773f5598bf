// A request that bench/growth.ts measures.
export interface BenchRequest {
  readonly name: string
  readonly url?: string
  readonly query?: string
  /** Creates the query, if it depends on data of the database. `sendRequest` returns the data of a GraphQL response. */
  readonly prepare?: (sendRequest: (query: string) => Promise<Connection>) => Promise<string>
  /** Path of its language; empty for the default language. */
  readonly root?: string
  /** Its time may at most double from 100,000 to 1,000,000 events. */
  readonly isEssential?: boolean
  /** How long it may take at any size, in milliseconds. Then its growth has no limit. */
  readonly maxMs?: number
}

export interface Connection {
  readonly events: { readonly pageInfo: { readonly endCursor: string } }
}

/** No search takes longer, in milliseconds. */
export const maxSearchMs = 1000
