// Hears of every change that is committed, by whichever instance.
import pg from 'pg'
import type { Database } from './pool.ts'

/** What is done with what is heard. */
export interface NotificationHandler {
  /** A message of the channel. */
  invalidate(message: string): void
  /** Anything may have been missed. */
  invalidateAll(): void
}

export interface NotificationListener {
  /** Whether everything that was committed three seconds ago has been heard. */
  isConnected(): boolean
  /** Resolves when all that is committed so far has been heard, or when `hears` says no. */
  waitForPending(): Promise<void>
  close(): Promise<void>
}

const channel = 'calendar_changes'
const heartbeat = { name: 'listening', text: 'SELECT pg_listening_channels() AS name' }

/** Milliseconds: between two signs of life, until one that is missing counts, and until a writer waits no longer for one. */
const [heartbeatInterval, heartbeatTimeout, writerTimeout] = [1000, 2000, 250]

export function listen(database: Database, ears: NotificationHandler): Promise<NotificationListener> {
  return database.isEmbedded ? listenToEmbedded(database.pool, ears) : listenToServer(database.pool, ears)
}

/** Who hears of an embedded database, by its pool: its one session is told to listen once for all. */
const handlersByPool = new WeakMap<pg.Pool, Set<NotificationHandler>>()

/** The embedded database tells what is committed before it answers the commit, and has no other process. */
async function listenToEmbedded(pool: pg.Pool, ears: NotificationHandler): Promise<NotificationListener> {
  const known = handlersByPool.get(pool)
  const all = known ?? new Set()
  all.add(ears)
  if (!known) {
    handlersByPool.set(pool, all)
    await listenForAll(all, pool)
  }
  return { isConnected: () => true, waitForPending: async () => {}, close: async () => void all.delete(ears) }
}

async function listenForAll(all: ReadonlySet<NotificationHandler>, pool: pg.Pool): Promise<void> {
  const noteAll = () => {
    for (const ears of all) ears.invalidateAll()
  }
  const listenTo = async (client: pg.ClientBase) => {
    client.on('notification', ({ payload = '' }) => {
      for (const ears of all) ears.invalidate(payload)
    })
    await client.query(`LISTEN ${channel}`)
    noteAll()
  }
  const client = await pool.connect()
  // A session that replaces another has to be told; if it is lost meanwhile, the next one is.
  pool.on('connect', (fresh) => void listenTo(fresh).catch(() => {}))
  // What its last statement did is told to nobody.
  pool.on('remove', noteAll)
  await listenTo(client).finally(() => client.release())
}

/**
 * A server tells each connection what was committed before it answers that connection's next question. A connection that
 * is lost, or doesn't answer, is replaced for as long as it takes; what was missed meanwhile may have been anything.
 */
async function listenToServer({ options }: pg.Pool, ears: NotificationHandler): Promise<NotificationListener> {
  let client: pg.Client | undefined
  let isClosed = false
  /** When the last question that was answered had been asked. */
  let confirmedAt = Number.NEGATIVE_INFINITY
  /** Questions that were asked earlier prove nothing. */
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
    newClient.on('notification', ({ payload = '' }) => ears.invalidate(payload))
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
    ears.invalidateAll()
    await nextHeartbeat()
  }

  const handleLoss = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    confirmedAt = Number.NEGATIVE_INFINITY
    ears.invalidateAll()
    endClient(lost)
  }

  const sendHeartbeat = async (): Promise<void> => {
    const [asked, at] = [client, performance.now()]
    if (!asked) return
    try {
      // A pooler between us and the server may have given this connection to others.
      const question = asked.query<{ name: string }>(heartbeat)
      const { rows } = await withTimeout(question, heartbeatTimeout)
      if (!rows.some(({ name }) => name === channel)) return handleLoss(asked)
      if (client === asked && at >= notBefore) confirmedAt = at
    } catch {
      handleLoss(asked)
    }
  }

  /** An answer to a question that is asked from now on; whoever waits for the same one shares it. */
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

  const hears = () => performance.now() - confirmedAt < heartbeatInterval + heartbeatTimeout
  const timer = setInterval(() => void (client ? nextHeartbeat() : connect()), heartbeatInterval)
  timer.unref()
  await connect()
  return {
    isConnected: hears,
    async waitForPending() {
      const since = performance.now()
      if (!hears()) {
        notBefore = since
        return
      }
      try {
        await withTimeout(nextHeartbeat(), writerTimeout)
      } catch {
        // The writer is answered; memory is not used until a later question is.
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

/** One that owes an answer is cut off at once. */
function endClient(client: pg.Client): void {
  client.end().catch(() => {})
}

async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
