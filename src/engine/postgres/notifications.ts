// Receives a notification (LISTEN and NOTIFY) of every committed change, whichever instance of the service made the change.
import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import { shareNextRun } from '../../basics/share-next.ts'
import { runWithoutClient } from './connection-shares.ts'
import { type Database, sessionOptions } from './pool.ts'

/** Receives the notifications. */
export interface NotificationHandler {
  /** Called with the payload of a notification. */
  invalidate(message: string): void
  /** Called when notifications may have been missed. */
  invalidateAll(): void
}

export interface NotificationListener {
  /** Whether the connection works: then the notifications of all commits more than three seconds ago have arrived. */
  isConnected(): boolean
  /**
   * Resolves when the notifications of everything committed so far have arrived, or when isConnected becomes false. Call it
   * only after writes, because a timeout makes isConnected false for all requests.
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

/** Milliseconds between two heartbeats, until a heartbeat without response fails, and until a request stops waiting for one. */
const [heartbeatInterval, heartbeatTimeout, requestTimeout] = [1000, 2000, 250]

/** A change to records of one kind. */
export interface ChangeNotification {
  readonly kind: string
  /** IDs of the changed records; undefined if all records of the kind may have changed. */
  readonly ids: readonly number[] | undefined
}

/** Parses the payload of a notification, which is `kind` or `kind:id,id…`. */
export function parseNotification(payload: string): ChangeNotification {
  const [kind = '', list] = payload.split(':')
  return { kind, ids: list?.split(',').map(Number) }
}

/** A listener that passes notifications to several handlers. */
interface SharedListener {
  readonly handlers: Set<NotificationHandler>
  readonly connection: Promise<NotificationListener>
}

/** All handlers of a pool share one connection. */
const listenersByPool = new WeakMap<pg.Pool, SharedListener>()

export async function listenForNotifications(
  database: Database,
  handler: NotificationHandler,
): Promise<NotificationListener> {
  const { pool, isEmbedded } = database
  const listener = listenersByPool.get(pool) ?? runWithoutClient(() => startListener(database))
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
 * Listens on PGlite, which sends notifications before it confirms the commit, and which no other process writes to. No
 * heartbeat is needed.
 */
async function listenToEmbedded(pool: pg.Pool, handler: NotificationHandler): Promise<NotificationListener> {
  const listenTo = async (client: pg.ClientBase) => {
    client.on('notification', ({ payload = '' }) => handler.invalidate(payload))
    await client.query(`LISTEN ${channel}`)
    handler.invalidateAll()
  }
  const client = await pool.connect()
  // A new session has to execute LISTEN again. If the session is lost meanwhile, the next session executes LISTEN.
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
 * Listens on a server, which sends all pending notifications before it responds to the next query, the heartbeat. A connection
 * that is lost or does not respond is replaced, and the handler is told that notifications may have been missed.
 */
async function listenToServer(options: pg.PoolConfig, handler: NotificationHandler): Promise<NotificationListener> {
  let client: pg.Client | undefined
  let isClosed = false
  /** Time at which the last successful heartbeat was sent. */
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
    // Longer than `heartbeatTimeout`, because the driver's timeout also counts the time in which this process was blocked.
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

  /** Sends a heartbeat. Returns whether the connection works, so that all earlier notifications have arrived. */
  const sendHeartbeat = async (): Promise<boolean> => {
    const [current, sentAt] = [client, performance.now()]
    if (!current) return false
    try {
      // Asks for the channels, because a pooler may have assigned another server connection, on which LISTEN was not executed.
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

  /** Returns the result of a heartbeat that is sent after the call. Simultaneous calls share a heartbeat. */
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
      // The write stops waiting here. Caches are bypassed until a heartbeat that is sent later succeeds.
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
