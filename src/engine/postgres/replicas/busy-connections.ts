import type pg from 'pg'

export interface BusyConnections {
  /** Closes the connections that run a statement. The statements fail as if the server had closed them. */
  close(): void
}

/** Call before the first statement of the pool. */
export function trackBusyConnections(pool: pg.Pool): BusyConnections {
  const busy = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  return {
    close() {
      // While a statement runs, the driver closes the connection without waiting for the server.
      for (const client of busy) (client as pg.PoolClient & pg.Client).end().catch(() => {})
    },
  }
}
