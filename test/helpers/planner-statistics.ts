// The statistics of the planner.
import type pg from 'pg'

/** Runs `work` as if the tables had been filled just now, and analyzes them again. */
export async function withoutStatistics(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  await pool.query('DELETE FROM pg_statistic WHERE starelid >= 16384')
  await pool.query(`UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0
    WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace`)
  try {
    await work()
  } finally {
    await pool.query('ANALYZE')
  }
}
