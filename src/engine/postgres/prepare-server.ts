// Checks and configures a PostgreSQL server, and a connection pooler in front of the server, before the migrations.
import pg from 'pg'
import type { Settings } from '../../basics/env.ts'
import { migrationLockNumber } from './migrate.ts'
import { type Database, sessionSettings } from './pool.ts'
import { waitForServer } from './wait-for-server.ts'

type ServerSettings = Pick<Settings, 'startupTimeout' | 'requestTimeout' | 'preparedStatements'>

/**
 * Waits until the server responds. With a pooler, also stores session settings for the role, and throws an error if the pooler
 * does not apply them, or does not support prepared statements. Does nothing for PGlite.
 */
export async function prepareDatabaseServer(database: Database, settings: ServerSettings): Promise<void> {
  const { pool, direct, isEmbedded } = database
  const { startupTimeout, requestTimeout, preparedStatements } = settings
  if (isEmbedded) return
  if (!direct) return waitForServer(pool.options, startupTimeout, 'DATABASE_URL')
  await waitForServer(direct, startupTimeout, 'DATABASE_DIRECT_URL')
  // Before the first connection through the pooler, because connections keep the settings with which they were opened.
  await storeSettings(direct, { ...sessionSettings, statement_timeout: String(requestTimeout) })
  await waitForServer(pool.options, startupTimeout, 'DATABASE_URL')
  await checkSettings(pool)
  if (preparedStatements) await checkPreparedStatements(pool.options)
}

const selectStored = `
  SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
  WHERE setrole = current_user::regrole
    AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** Stores settings for the role in this database. Changes nothing if they are stored already. */
async function storeSettings(options: pg.PoolConfig, settings: Readonly<Record<string, string>>): Promise<void> {
  const client = new pg.Client(options)
  client.on('error', () => {})
  await client.connect()
  try {
    // Instances that start together would update the same row.
    await client.query('SELECT pg_advisory_lock($1)', [migrationLockNumber])
    const { rows } = await client.query<{ setting: string }>(selectStored)
    const stored = new Set(rows.map(({ setting }) => setting.toLowerCase()))
    const { rows: names } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name')
    for (const [name, value] of Object.entries(settings)) {
      if (stored.has(`${name}=${value}`.toLowerCase())) continue
      await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${names[0]?.name} SET ${name} = '${value}'`)
    }
  } finally {
    await client.end()
  }
}

/** Throws an error if connections through the pooler do not have the settings that are stored for the role. */
async function checkSettings(pool: pg.Pool): Promise<void> {
  const names = Object.keys(sessionSettings)
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [names],
  )
  const others = rows.filter(({ name, setting }) => setting !== sessionSettings[name as keyof typeof sessionSettings])
  if (others.length === 0) return
  const found = others.map(({ name, setting }) => `${name} = ${setting}`).join(', ')
  throw new Error(
    `Connections through the pooler at DATABASE_URL do not have the settings that are stored for the role of DATABASE_DIRECT_URL (${found}). Use the same role in both URLs, and restart the pooler or run RECONNECT in its console.`,
  )
}

const probe = { name: 'calendar-probe', text: 'SELECT pg_backend_pid() AS pid' }

/**
 * Throws an error if the pooler does not support prepared statements. Tests it by two clients: one prepares a statement, the
 * other takes its server connection, and the first runs the statement again on another connection.
 */
async function checkPreparedStatements(options: pg.PoolConfig): Promise<void> {
  // A separate pool, because the statement remains prepared on a server connection that later clients use.
  const pool = new pg.Pool({ ...options, max: 2 })
  pool.on('error', () => {})
  const [first, second] = [await pool.connect(), await pool.connect()]
  try {
    const prepared = await first.query<{ pid: number }>(probe)
    await second.query('BEGIN')
    const taken = await second.query<{ pid: number }>(probe.text)
    // With a pooler in session mode, each client has its own connection.
    if (prepared.rows[0]?.pid === taken.rows[0]?.pid) await first.query(probe)
  } catch (cause) {
    throw new Error(
      `The pooler at DATABASE_URL does not support prepared statements (${(cause as Error).message}). Set PREPARED_STATEMENTS=off, or use PgBouncer 1.21 or later with max_prepared_statements.`,
      { cause },
    )
  } finally {
    first.release(true)
    second.release(true)
    await pool.end()
  }
}
