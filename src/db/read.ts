// Statements of our own, beside Prisma's and on the same connections.
import type pg from 'pg'
import { statementNames } from './prepared.ts'

interface Told {
  readonly query: string
  /** Milliseconds, outside of a transaction with the wait for a connection. */
  readonly duration: number
}

type Listener = (told: Told) => void

type Planned = 'constant' | 'records' | 'list'
type Names = Readonly<Record<Planned, (sql: string) => string | undefined>>

interface Reader {
  readonly pool: pg.Pool
  readonly names: Names
}

const readers = new WeakMap<object, Reader>()

/** Clients of one pool share its connections, and what these know by name. */
const known = new WeakMap<pg.Pool, Names>()

/** From now on what holds `db` can read by statements of its own. */
export function allowReading(db: object, pool: pg.Pool): void {
  const names = known.get(pool) ?? {
    constant: statementNames('constant-read'),
    records: statementNames('records'),
    list: statementNames('list', 100),
  }
  known.set(pool, names)
  readers.set(db, { pool, names })
}

const listeners = new WeakMap<object, Listener[]>()

/** Hears of each statement of our own from now on, as `$on('query')` of Prisma's. */
export function onSent(db: object, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

export function tell(db: object, told: Told): void {
  for (const listener of listeners.get(db) ?? []) listener(told)
}

/** Within a transaction only Prisma does. */
export const canRead = (db: object): boolean => readers.has(db)

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Where one plan is right whatever the values are: which statements it is one of. Anybody can make up lists and
   * selections, and must not use up the plans of others.
   */
  readonly planned: Planned | undefined
}

/** `onSend` is called when there is a connection to send the statement on; if it throws, the statement is not sent. */
export async function read<Row>(db: object, { text, values, planned }: Statement, onSend?: () => void): Promise<Row[]> {
  const reader = readers.get(db)
  if (!reader) throw new Error('Not a client that can read.')
  const start = performance.now()
  const name = planned && reader.names[planned](text)
  const query = { ...(name && { name }), text, values: values.map(toValue) }
  const { rows } = onSend ? await sendOnce(reader.pool, query, onSend) : await reader.pool.query(query)
  tell(db, { query: text, duration: performance.now() - start })
  return rows
}

/** As `pool.query`, which does not tell whether the statement was sent before it failed. */
async function sendOnce(pool: pg.Pool, query: pg.QueryConfig, onSend: () => void): Promise<pg.QueryResult> {
  const client = await pool.connect()
  let isBroken = false
  const onError = () => {
    isBroken = true
  }
  client.on('error', onError)
  try {
    onSend()
    return await client.query(query)
  } catch (error) {
    isBroken ||= isSilent(error)
    throw error
  } finally {
    client.off('error', onError)
    client.release(isBroken)
  }
}

/** The driver gave up waiting for an answer: whoever got this connection next would wait for the statement to end. */
const isSilent = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** The driver would write a date as one of the process's zone. */
export const toValue = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null))
