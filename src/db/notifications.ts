// Receives a notification of every committed change, from all instances of the service (LISTEN and NOTIFY).
import pg from 'pg'
import type { Database } from './pool.ts'

/** Receives the notifications. */
export interface NotificationHandler {
  /** Called with the payload of a notification. */
  invalidate(message: string): void
  /** Called when notifications may have been missed. */
  invalidateAll(): void
}

export interface NotificationListener {
  /** Whether notifications arrive: those of everything committed more than three seconds ago have arrived. */
  isConnected(): boolean
  /** Resolves when the notifications of everything committed so far have arrived, or when isConnected becomes false. */
  waitForPending(): Promise<void>
  close(): Promise<void>
}

const channel = 'calendar_changes'
const heartbeat = { name: 'listening', text: 'SELECT pg_listening_channels() AS name' }

/** Milliseconds: between two heartbeats, until an unanswered one fails, and until a writer stops waiting for one. */
const [heartbeatInterval, heartbeatTimeout, writerTimeout] = [1000, 2000, 250]

export function listen(database: Database, handler: NotificationHandler): Promise<NotificationListener> {
  return database.isEmbedded ? listenToEmbedded(database.pool, handler) : listenToServer(database.pool, handler)
}

/** Handlers of an embedded database, by its pool: its only session executes LISTEN once for all of them. */
const handlersByPool = new WeakMap<pg.Pool, Set<NotificationHandler>>()

/** The embedded database sends notifications before it confirms the commit, and no other process writes to it. */
async function listenToEmbedded(pool: pg.Pool, handler: NotificationHandler): Promise<NotificationListener> {
  const existing = handlersByPool.get(pool)
  const handlers = existing ?? new Set()
  handlers.add(handler)
  if (!existing) {
    handlersByPool.set(pool, handlers)
    await listenForAll(handlers, pool)
  }
  return { isConnected: () => true, waitForPending: async () => {}, close: async () => void handlers.delete(handler) }
}

async function listenForAll(handlers: ReadonlySet<NotificationHandler>, pool: pg.Pool): Promise<void> {
  const invalidateAll = () => {
    for (const handler of handlers) handler.invalidateAll()
  }
  const listenTo = async (client: pg.ClientBase) => {
    client.on('notification', ({ payload = '' }) => {
      for (const handler of handlers) handler.invalidate(payload)
    })
    await client.query(`LISTEN ${channel}`)
    invalidateAll()
  }
  const client = await pool.connect()
  // A new session has to execute LISTEN again. If it is lost meanwhile, the next one does.
  pool.on('connect', (newClient) => void listenTo(newClient).catch(() => {}))
  // Notifications of the last statement of a lost session do not arrive.
  pool.on('remove', invalidateAll)
  await listenTo(client).finally(() => client.release())
}

/**
 * A server sends a connection all pending notifications before it responds to the connection's next query, the heartbeat. A
 * connection that is lost or does not respond is replaced; then everything may have changed.
 */
async function listenToServer({ options }: pg.Pool, handler: NotificationHandler): Promise<NotificationListener> {
  let client: pg.Client | undefined
  let isClosed = false
  /** When the last successful heartbeat was sent. */
  let confirmedAt = Number.NEGATIVE_INFINITY
  /** Heartbeats that were sent before this time are ignored. */
  let notBefore = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined
  let next: Promise<void> | undefined
  let connecting = false

  const connect = async (): Promise<void> => {
    if (connecting) return
    connecting = true
    await open().finally(() => {
      connecting = false
    })
  }

  const open = async (): Promise<void> => {
    const { connectionString, keepAlive } = options
    const newClient = new pg.Client({ connectionString, keepAlive, connectionTimeoutMillis: heartbeatTimeout })
    newClient.on('notification', ({ payload = '' }) => handler.invalidate(payload))
    newClient.on('error', () => handleLoss(newClient))
    newClient.on('end', () => handleLoss(newClient))
    try {
      await withTimeout(
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

  const sendHeartbeat = async (): Promise<void> => {
    const [current, sentAt] = [client, performance.now()]
    if (!current) return
    try {
      // A connection pooler may have assigned another server connection, which does not listen.
      const response = current.query<{ name: string }>(heartbeat)
      const { rows } = await withTimeout(response, heartbeatTimeout)
      if (!rows.some(({ name }) => name === channel)) return handleLoss(current)
      if (client === current && sentAt >= notBefore) confirmedAt = sentAt
    } catch {
      handleLoss(current)
    }
  }

  /** The result of a heartbeat that is sent from now on. Concurrent callers share it. */
  const nextHeartbeat = (): Promise<void> => {
    if (!pending) {
      pending = sendHeartbeat().finally(() => {
        pending = undefined
      })
      return pending
    }
    next ??= pending.then(() => {
      next = undefined
      return nextHeartbeat()
    })
    return next
  }

  const isConnected = () => performance.now() - confirmedAt < heartbeatInterval + heartbeatTimeout
  const timer = setInterval(() => void (client ? nextHeartbeat() : connect()), heartbeatInterval)
  timer.unref()
  await connect()
  return {
    isConnected: isConnected,
    async waitForPending() {
      const since = performance.now()
      if (!isConnected()) {
        notBefore = since
        return
      }
      try {
        await withTimeout(nextHeartbeat(), writerTimeout)
      } catch {
        // The writer does not wait any longer; the cache is bypassed until a later heartbeat succeeds.
        notBefore = since
        confirmedAt = Number.NEGATIVE_INFINITY
      }
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

async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
