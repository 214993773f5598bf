// SQL statements that are sent without Prisma, on the same pool of connections.
import type pg from 'pg'
import { memoizeByObject } from '../../basics/memoize.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { createStatementNames } from './prepared-statements.ts'
import { createCountingParsers } from './response-limit.ts'

export interface QueryEvent {
  readonly query: string
  /** Milliseconds, including the wait for a connection. */
  readonly duration: number
}

type QueryListener = (event: QueryEvent) => void

/** Which engine runs a read: `compiled` is the read engine, `prisma` Prisma's own. */
export type ReadEngineName = 'compiled' | 'prisma'

type ReadListener = (engine: ReadEngineName) => void

/**
 * The names of constant statements and of statements that read records are limited separately, because clients can send any
 * number of selections.
 */
type PreparedKind = 'constant' | 'record'

interface Channel {
  readonly pool: pg.Pool
  readonly names: Readonly<Record<PreparedKind, (sql: string) => string | undefined>>
  readonly queryListeners: Set<QueryListener>
  readonly readListeners: Set<ReadListener>
}

const channels = new WeakMap<object, Channel>()
/** Prepared statements are named per connection, so all clients of a pool must share the names. */
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

/** Registers an extended client, which shares the listeners of `client`. */
export function registerAlias(extended: object, client: object): void {
  channels.set(extended, channelOf(client))
}

function channelOf(client: object): Channel {
  const channel = channels.get(client)
  if (!channel) throw new Error('The client was not created by createClient.')
  return channel
}

/** Calls `listener` after each statement, until the returned function is called. */
export function onQuery(client: object, listener: QueryListener): () => void {
  const { queryListeners } = channelOf(client)
  queryListeners.add(listener)
  return () => queryListeners.delete(listener)
}

export function emitQuery(client: object, event: QueryEvent): void {
  for (const listener of channels.get(client)?.queryListeners ?? []) listener(event)
}

/** Calls `listener` before each read of Prisma Client outside of transactions, until the returned function is called. */
export function onRead(client: object, listener: ReadListener): () => void {
  const { readListeners } = channelOf(client)
  readListeners.add(listener)
  return () => readListeners.delete(listener)
}

export function emitRead(client: object, engine: ReadEngineName): void {
  for (const listener of channels.get(client)?.readListeners ?? []) listener(engine)
}

/** Passes the statement and read events of one client to another client. */
export function forwardEvents(client: object, to: object): void {
  onQuery(client, (event) => emitQuery(to, event))
  onRead(client, (engine) => emitRead(to, engine))
}

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Undefined if the best plan depends on the values: then PostgreSQL plans the statement each time. */
  readonly prepared: PreparedKind | undefined
}

/** Name of a method that a wrapper of a client may have. It is called with each statement before the statement is sent. */
export const beforeStatement = Symbol('beforeStatement')

interface Observed {
  [beforeStatement]?(text: string, values: readonly unknown[]): void
}

/** Runs one statement outside of transactions. */
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

/** Runs one statement like `queryRows`. It is planned each time, because the best plan depends on its values. */
export const querySql = <Row>(client: object, { text, values }: Prisma.Sql): Promise<Row[]> =>
  queryRows(client, { text, values, prepared: undefined })

/**
 * The driver would format a date in the time zone of the process, and quote each number of an array, of which may be many.
 * Most dates of a statement are the same object.
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
