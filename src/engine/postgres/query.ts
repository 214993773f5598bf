// Sends SQL statements without Prisma, on the connection pool of a Prisma Client, and reports all statements to listeners.
import type pg from 'pg'
import { memoizeByObject } from '../../basics/memoize.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { createStatementNames } from './prepared-statements.ts'
import { createCountingParsers } from './response-limit.ts'

/** A finished SQL statement. */
export interface QueryEvent {
  readonly query: string
  /** Milliseconds, including the wait for a connection. */
  readonly duration: number
}

type QueryListener = (event: QueryEvent) => void

/** The engine that runs a read: `compiled` is the read engine of engine/reads, `prisma` is Prisma's own. */
export type ReadEngineName = 'compiled' | 'prisma'

type ReadListener = (engine: ReadEngineName) => void

/**
 * Group of prepared statements. The number of names is limited per group, so that the many selections that clients send do not
 * take the names of constant statements.
 */
type PreparedKind = 'constant' | 'record'

interface Channel {
  readonly pool: pg.Pool
  readonly names: Readonly<Record<PreparedKind, (sql: string) => string | undefined>>
  readonly queryListeners: Set<QueryListener>
  readonly readListeners: Set<ReadListener>
}

/** Key of an optional method of a client, which is called with each statement before the statement is sent. */
export const beforeStatement = Symbol('beforeStatement')

/** A Prisma Client, or an object that sends statements through one. */
interface Observed {
  readonly client?: object
  [beforeStatement]?(text: string, values: readonly unknown[]): void
}

const channels = new WeakMap<object, Channel>()
/** Returns the functions that name prepared statements. All clients of a pool share them, as they share the connections. */
const namesOfPool = memoizeByObject((_pool: pg.Pool): Channel['names'] => ({
  // These prefixes must differ from those in prepared-statements.ts, whose statements use the same connections.
  constant: createStatementNames('query'),
  record: createStatementNames('record'),
}))

const noNames: Channel['names'] = { constant: () => undefined, record: () => undefined }

/** Registers a client for queryRows, onQuery and onRead. */
export function registerClient(client: object, pool: pg.Pool, preparedStatements: boolean): void {
  const names = preparedStatements ? namesOfPool(pool) : noNames
  channels.set(client, { pool, names, queryListeners: new Set(), readListeners: new Set() })
}

function channelOf(sender: object): Channel {
  const { client = sender }: Observed = sender
  const channel = channels.get(client)
  if (!channel) throw new Error('This Prisma client has no event channel. Create clients with createClient.')
  return channel
}

/** Calls `listener` after each statement, until the returned function is called. */
export function onQuery(client: object, listener: QueryListener): () => void {
  const { queryListeners } = channelOf(client)
  queryListeners.add(listener)
  return () => queryListeners.delete(listener)
}

/** Reports a finished statement to the listeners of the client. */
export function emitQuery(client: object, event: QueryEvent): void {
  for (const listener of channelOf(client).queryListeners) listener(event)
}

/** Calls `listener` before each read of Prisma Client outside of transactions, until the returned function is called. */
export function onRead(client: object, listener: ReadListener): () => void {
  const { readListeners } = channelOf(client)
  readListeners.add(listener)
  return () => readListeners.delete(listener)
}

/** Reports a read to the listeners of the client. */
export function emitRead(client: object, engine: ReadEngineName): void {
  for (const listener of channelOf(client).readListeners) listener(engine)
}

/** Passes the statement and read events of one client to another client. */
export function forwardEvents(client: object, to: object): void {
  onQuery(client, (event) => emitQuery(to, event))
  onRead(client, (engine) => emitRead(to, engine))
}

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Group of the prepared statement. Undefined if the best plan depends on the values, so that it is planned each time. */
  readonly prepared: PreparedKind | undefined
}

/** Runs one statement outside of transactions, and returns its rows. */
export async function queryRows<Row>(client: object, { text, values, prepared }: Statement): Promise<Row[]> {
  const { pool, names } = channelOf(client)
  const observed: Observed = client
  observed[beforeStatement]?.(text, values)
  const start = performance.now()
  const name = prepared && names[prepared](text)
  const types = createCountingParsers()
  const { rows } = await pool.query({ ...(name && { name }), ...(types && { types }), text, values: toTexts(values) })
  emitQuery(client, { query: text, duration: performance.now() - start })
  return rows
}

/** Runs one statement outside of transactions without preparing it, because the best plan depends on its values. */
export const querySql = <Row>(client: object, { text, values }: Prisma.Sql): Promise<Row[]> =>
  queryRows(client, { text, values, prepared: undefined })

/**
 * Converts values to text: the driver would format dates in the time zone of the process, and quote each number of an array.
 * Formats a Date object only once, because most dates of a statement are the same object.
 */
function toTexts(values: readonly unknown[]): unknown[] {
  let [date, text] = [new Date(0), '']
  return values.map((value) => {
    if (Array.isArray(value) && value.length > 0 && value.every(Number.isInteger)) return `{${value.join()}}`
    if (!(value instanceof Date)) return value ?? null
    if (value !== date) [date, text] = [value, value.toISOString()]
    return text
  })
}

/** Escapes the wildcards of LIKE, which Prisma uses for `contains` and for `mode: 'insensitive'`, too. */
export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
