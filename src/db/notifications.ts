// Hears of every change that is committed, by whichever instance.
import pg from 'pg'
import type { Database } from './pool.ts'

/** What is done with what is heard. */
export interface Ears {
  /** A message of the channel. */
  note(message: string): void
  /** Anything may have been missed. */
  noteAll(): void
}

export interface Listener {
  /** Whether everything that was committed three seconds ago has been heard. */
  hears(): boolean
  /** Resolves when all that is committed so far has been heard, or when `hears` says no. */
  settled(): Promise<void>
  close(): Promise<void>
}

const channel = 'calendar_changes'
const areYouListening = { name: 'listening', text: 'SELECT pg_listening_channels() AS name' }

/** Milliseconds: between two signs of life, until one that is missing counts, and until a writer waits no longer for one. */
const [interval, patience, writersPatience] = [1000, 2000, 250]

export function listen(database: Database, ears: Ears): Promise<Listener> {
  return database.isEmbedded ? listenToEmbedded(database.pool, ears) : listenToServer(database.pool, ears)
}

/** Who hears of an embedded database, by its pool: its one session is told to listen once for all. */
const hearers = new WeakMap<pg.Pool, Set<Ears>>()

/** The embedded database tells what is committed before it answers the commit, and has no other process. */
async function listenToEmbedded(pool: pg.Pool, ears: Ears): Promise<Listener> {
  const known = hearers.get(pool)
  const all = known ?? new Set()
  all.add(ears)
  if (!known) {
    hearers.set(pool, all)
    await listenFor(all, pool)
  }
  return { hears: () => true, settled: async () => {}, close: async () => void all.delete(ears) }
}

async function listenFor(all: ReadonlySet<Ears>, pool: pg.Pool): Promise<void> {
  const noteAll = () => {
    for (const ears of all) ears.noteAll()
  }
  const listenTo = async (client: pg.ClientBase) => {
    client.on('notification', ({ payload = '' }) => {
      for (const ears of all) ears.note(payload)
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
async function listenToServer({ options }: pg.Pool, ears: Ears): Promise<Listener> {
  let client: pg.Client | undefined
  let isClosed = false
  /** When the last question that was answered had been asked. */
  let heardAt = Number.NEGATIVE_INFINITY
  /** Questions that were asked earlier prove nothing. */
  let notBefore = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
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
    const fresh = new pg.Client({ connectionString, keepAlive, connectionTimeoutMillis: patience })
    fresh.on('notification', ({ payload = '' }) => ears.note(payload))
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    try {
      await within(
        fresh.connect().then(() => fresh.query(`LISTEN ${channel}`)),
        patience,
      )
    } catch {
      return drop(fresh)
    }
    if (isClosed) return drop(fresh)
    client = fresh
    ears.noteAll()
    await askAgain()
  }

  const lose = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    heardAt = Number.NEGATIVE_INFINITY
    ears.noteAll()
    drop(lost)
  }

  const ask = async (): Promise<void> => {
    const [asked, at] = [client, performance.now()]
    if (!asked) return
    try {
      // A pooler between us and the server may have given this connection to others.
      const question = asked.query<{ name: string }>(areYouListening)
      const { rows } = await within(question, patience)
      if (!rows.some(({ name }) => name === channel)) return lose(asked)
      if (client === asked && at >= notBefore) heardAt = at
    } catch {
      lose(asked)
    }
  }

  /** An answer to a question that is asked from now on; whoever waits for the same one shares it. */
  const askAgain = (): Promise<void> => {
    if (!asking) {
      asking = ask().finally(() => {
        asking = undefined
      })
      return asking
    }
    next ??= asking.then(() => {
      next = undefined
      return askAgain()
    })
    return next
  }

  const hears = () => performance.now() - heardAt < interval + patience
  const timer = setInterval(() => void (client ? askAgain() : connect()), interval)
  timer.unref()
  await connect()
  return {
    hears,
    async settled() {
      const since = performance.now()
      if (!hears()) {
        notBefore = since
        return
      }
      try {
        await within(askAgain(), writersPatience)
      } catch {
        // The writer is answered; memory is not used until a later question is.
        notBefore = since
        heardAt = Number.NEGATIVE_INFINITY
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
function drop(client: pg.Client): void {
  client.end().catch(() => {})
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
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
