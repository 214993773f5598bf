import type pg from 'pg'

/** Counts the characters of the records that come from the database through this pool. */
export function countReceived(pool: pg.Pool): { characters: number } {
  const received = { characters: 0 }
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult<{ record?: unknown }>>
  const counted = async (...args: unknown[]) => {
    const result = await query(...args)
    for (const { record } of result.rows) if (typeof record === 'string') received.characters += record.length
    return result
  }
  return Object.assign(received, { pool: Object.assign(pool, { query: counted }) })
}
