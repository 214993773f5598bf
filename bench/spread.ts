// The pages and events that targets request in turn, instead of a single one that comes from caches again and again.
import { openDatabase } from '../src/engine/postgres/open-database.ts'

/** Number of different list pages and single events to request. */
const pages = 300
const singles = 2000

export const pageNumbers = (totalPages: number): number[] =>
  Array.from({ length: Math.min(pages, totalPages) }, (_, index) => index + 1)

/** IDs of events that visitors can read. */
export async function findEvents(url: string): Promise<number[]> {
  const { pool, close } = await openDatabase(url, 1)
  try {
    const { rows } = await pool.query<{ id: number }>(
      `SELECT id FROM event WHERE live AND password_key IS NULL AND published_at <= now() ORDER BY id DESC LIMIT ${singles}`,
    )
    return rows.map(({ id }) => id)
  } finally {
    await close()
  }
}

/** The body of a GraphQL request with other variables. */
export function withVariables(body: string, changed: object): string {
  const { variables, ...request } = JSON.parse(body) as { variables: object }
  return JSON.stringify({ ...request, variables: { ...variables, ...changed } })
}
