// Reads the WAL position of a server on a separate connection.
import type pg from 'pg'
import { shareNextRun } from '../../../basics/share-next.ts'
import { openSingleQuery } from '../pool.ts'
import { type LogPosition, parsePosition } from './position.ts'

/** Milliseconds. */
const timeout = 1000

/**
 * SQL that reads the end of the WAL on the primary, and the replayed position on a replica. At the end of a WAL segment, the primary
 * reports the position after the 40-byte header of the next segment, and the replica the position before the header.
 */
const statements = {
  primary: `
    SELECT lsn - CASE (pg_walfile_name_offset(lsn)).file_offset WHEN 40 THEN 40 ELSE 0 END AS position
    FROM pg_current_wal_insert_lsn() AS lsn`,
  replica: 'SELECT pg_last_wal_replay_lsn() AS position WHERE pg_is_in_recovery()',
}

/** Creates a reader of the WAL position. `options` are the options of the server's connection pool. */
export function createPositionReader(options: pg.PoolConfig, role: keyof typeof statements) {
  const { ask, close } = openSingleQuery<{ position: string | null }>(options, statements[role], timeout)
  return {
    /** Reads the position with a statement sent after the call; simultaneous calls share a statement. Rejects after a second. */
    position: shareNextRun(async (): Promise<LogPosition> => {
      const { rows } = await ask()
      const found = parsePosition(rows[0]?.position ?? '')
      if (found === undefined) throw new Error('The server is not a replica.')
      return found
    }),
    close,
  }
}
