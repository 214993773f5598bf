// Receives a notification of every committed change, from all instances of the service (LISTEN and NOTIFY).
import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import { shareNextRun } from '../../basics/share-next.ts'
import { withoutClient } from './connection-shares.ts'
import { type Database, sessionOptions } from './pool.ts'

/** Receives the notifications. */
export interface NotificationHandler {
  /** Called with the payload of a notification. */
  invalidate(message: string): void
  /** Called when notifications may have been missed. */
  invalidateAll(): void
}

export interface NotificationListener {
  /** Whether notifications arrive: all notifications of commits more than three seconds ago have arrived. */
  isConnected(): boolean
  /**
   * Resolves when the notifications of everything committed so far have arrived, or when isConnected becomes false. Only for
   * writers, because it may make isConnected false for all requests.
   */
  waitForPending(): Promise<void>
  /** Whether the notifications of everything committed before the call have arrived. False if the connection is lost. */
  receivePending(): Promise<boolean>
  /** Like receivePending, for requests that cannot wait long. Also false if the notifications take longer than 250 ms. */
  receiveSoon(): Promise<boolean>
  close(): Promise<void>
}

const channel = 'calendar_changes'
const heartbeat = { name: 'listening', text: 'SELECT pg_listening_channels() AS name' }

/** Milliseconds: between two heartbeats, until an unanswered one fails, and until a request stops waiting for one. */
const [heartbeatInterval, heartbeatTimeout, requestTimeout] = [1000, 2000, 250]

/** A change to records of one kind. */
export interface ChangeNotification {
  readonly kind: string
  /** IDs of the changed records; undefined if all records of the kind may have changed. */
  readonly ids: readonly number[] | undefined
}

/** Reads a payload: `kind`, or `kind:id,id…`. */
export function parseNotification(payload: string): ChangeNotification {
  const [kind = '', list] = payload.split(':')
  return { kind, ids: list?.split(',').map(Number) }
}

/** Passes notifications to several handlers. */
interface SharedListener {
  readonly handlers: Set<NotificationHandler>
  readonly connection: Promise<NotificationListener>
}

/** All handlers of a pool share one connection. */
const listenersByPool = new WeakMap<pg.Pool, SharedListener>()

export async function listen(database: Database, handler: NotificationHandler): Promise<NotificationListener> {
  const { pool, isEmbedded } = database
  const listener = listenersByPool.get(pool) ?? withoutClient(() => startListener(database))
  const { handlers } = listener
  handlers.add(handler)
  const connection = await listener.connection
  return {
    ...connection,
    async close() {
      handlers.delete(handler)
      if (handlers.size > 0 || isEmbedded) return
      if (listenersByPool.get(pool) === listener) listenersByPool.delete(pool)
      await connection.close()
    },
  }
}

function startListener(database: Database): SharedListener {
  const { pool, isEmbedded } = database
  const handlers = new Set<NotificationHandler>()
  const all: NotificationHandler = {
    invalidate(payload) {
      for (const handler of handlers) handler.invalidate(payload)
    },
    invalidateAll() {
      for (const handler of handlers) handler.invalidateAll()
    },
  }
  const connection = isEmbedded ? listenToEmbedded(pool, all) : listenToServer(sessionOptions(database), all)
  const listener = { handlers, connection }
  listenersByPool.set(pool, listener)
  connection.catch(() => {
    if (listenersByPool.get(pool) === listener) listenersByPool.delete(pool)
  })
  return listener
}

/**
 * The embedded database sends notifications before it confirms the commit, and no other process writes to it. Its session
 * listens as long as it exists.
 */
async function listenToEmbedded(pool: pg.Pool, handler: NotificationHandler): Promise<NotificationListener> {
  const listenTo = async (client: pg.ClientBase) => {
    client.on('notification', ({ payload = '' }) => handler.invalidate(payload))
    await client.query(`LISTEN ${channel}`)
    handler.invalidateAll()
  }
  const client = await pool.connect()
  // A new session has to execute LISTEN again. If it is lost meanwhile, the next one does.
  pool.on('connect', (newClient) => void listenTo(newClient).catch(() => {}))
  // Notifications of the last statement of a lost session do not arrive.
  pool.on('remove', () => handler.invalidateAll())
  await listenTo(client).finally(() => client.release())
  return {
    isConnected: () => true,
    waitForPending: async () => {},
    receivePending: async () => true,
    receiveSoon: async () => true,
    close: async () => {},
  }
}

/**
 * A server sends a connection all pending notifications before it responds to the connection's next query, the heartbeat. A
 * connection that is lost or does not respond is replaced; then everything may have changed.
 */
async function listenToServer(options: pg.PoolConfig, handler: NotificationHandler): Promise<NotificationListener> {
  let client: pg.Client | undefined
  let isClosed = false
  /** When the last successful heartbeat was sent. */
  let confirmedAt = Number.NEGATIVE_INFINITY
  /** Heartbeats that were sent before this time are ignored. */
  let notBefore = Number.NEGATIVE_INFINITY
  let connecting: Promise<void> | undefined

  const connect = (): Promise<void> => {
    connecting ??= open().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  const open = async (): Promise<void> => {
    const { connectionString, keepAlive } = options
    // The limit of the driver counts the lateness of this process, too.
    const newClient = new pg.Client({ connectionString, keepAlive, connectionTimeoutMillis: 3 * heartbeatTimeout })
    newClient.on('notification', ({ payload = '' }) => handler.invalidate(payload))
    newClient.on('error', () => handleLoss(newClient))
    newClient.on('end', () => handleLoss(newClient))
    try {
      await withDeadline(
        newClient.connect().then(() => newClient.query(`LISTEN ${channel}`)),
        heartbeatTimeout,
      )
    } catch {
      return endClient(newClient)
    }
    if (isClosed) return endClient(newClient)
    client = newClient
    handler.invalidateAll()
    await nextHeartbeat()
  }

  const handleLoss = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    confirmedAt = Number.NEGATIVE_INFINITY
    handler.invalidateAll()
    endClient(lost)
  }

  /** Whether everything that was notified before has arrived. */
  const sendHeartbeat = async (): Promise<boolean> => {
    const [current, sentAt] = [client, performance.now()]
    if (!current) return false
    try {
      // A connection pooler may have assigned another server connection, which does not listen.
      const response = current.query<{ name: string }>(heartbeat)
      const { rows } = await withDeadline(response, heartbeatTimeout)
      if (!rows.some(({ name }) => name === channel)) handleLoss(current)
      if (client !== current) return false
      if (sentAt >= notBefore) confirmedAt = sentAt
      return true
    } catch {
      handleLoss(current)
      return false
    }
  }

  /** The result of a heartbeat that is sent from now on. */
  const nextHeartbeat = shareNextRun(sendHeartbeat)

  const isConnected = () => performance.now() - confirmedAt < heartbeatInterval + heartbeatTimeout

  const receiveSoon = async (): Promise<boolean> => {
    if (!isConnected()) return false
    return withDeadline(nextHeartbeat(), requestTimeout).catch(() => false)
  }

  const timer = setInterval(() => void (client ? nextHeartbeat() : connect()), heartbeatInterval)
  timer.unref()
  await connect()
  return {
    isConnected,
    receivePending: nextHeartbeat,
    receiveSoon,
    async waitForPending() {
      const since = performance.now()
      if (await receiveSoon()) return
      // The writer does not wait any longer; the cache is bypassed until a later heartbeat succeeds.
      notBefore = since
      confirmedAt = Number.NEGATIVE_INFINITY
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

/** Closes the connection without waiting, even if a query is pending. */
function endClient(client: pg.Client): void {
  client.end().catch(() => {})
}
