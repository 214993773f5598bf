// Chooses the server that a visitor's query reads: a replica that is not behind, or the primary.
import type pg from 'pg'
import type { Settings } from '../../../basics/env.ts'
import { shareNextRun } from '../../../basics/share-next.ts'
import type { Db } from '../client.ts'
import { listen, type NotificationListener } from '../notifications.ts'
import { type Database, limitStatementDuration, openServerDatabase } from '../pool.ts'
import { forwardEvents } from '../query.ts'
import { createLagMeter } from './lag.ts'
import { hasReached, type LogPosition } from './position.ts'
import { createPositionReader } from './position-reader.ts'

/** The server that a query reads. */
export interface ReadSource {
  readonly db: Db
  /** Whether the result may be cached: the server has every change that this instance has been notified of. */
  readonly isCacheable: boolean
  /** Call when the server does not respond. Later queries use another server until this server responds again. */
  reportFailure(): void
}

interface Reading {
  /** The position after a write of the same client, which the query must see. `latest` stands for the end of the log. */
  readonly after: LogPosition | 'latest' | undefined
  /** Whether the result goes into the response cache. */
  readonly isCached: boolean
}

export type Replicas = ReturnType<typeof createReplicas>

/** Milliseconds between two checks of each server. */
const checkInterval = 250

interface Replica {
  readonly database: Database
  readonly db: Db
  /** The connections that run a statement. */
  readonly busy: ReadonlySet<pg.PoolClient>
  readonly check: ReturnType<typeof createPositionReader>
  /** State of the replica; undefined if the server does not respond, or is not a replica. */
  state: { readonly replayed: LogPosition; readonly lag: number } | undefined
  /** When a check failed; undefined if it has succeeded since. */
  failedAt: number | undefined
}

/** `connect` opens a client on the pool of a replica. */
export function createReplicas(
  database: Database,
  db: Db,
  settings: Settings,
  connect: (pool: Database['pool']) => Db,
) {
  const { databaseReplicaUrl: urls = [], replicaMaxLag, requestTimeout, cacheBytes } = settings
  const replicas = urls.map((url) => openReplica(url, db, settings, connect))
  const primary = createPositionReader(database.pool.options, 'primary')
  const meter = createLagMeter(replicaMaxLag)
  let [isPrimaryUp, primarySeenAt, primaryPosition, turn] = [true, 0, 0n, 0]
  let listener: NotificationListener | undefined
  let timer: NodeJS.Timeout | undefined
  /** The position after the last change that this instance was notified of. */
  let changes: Promise<LogPosition | undefined> = Promise.resolve(undefined)
  /** This instance has been notified of all changes before this position. */
  let notifiedUntil = 0n

  /** Undefined if the primary does not respond. */
  const readPrimaryPosition = async (): Promise<LogPosition | undefined> => {
    const sentAt = performance.now()
    const position = await primary.position().catch(() => undefined)
    isPrimaryUp = position !== undefined
    if (position === undefined) return undefined
    meter.add(position, sentAt)
    primarySeenAt = Math.max(primarySeenAt, sentAt)
    primaryPosition = position
    return position
  }

  const checkReplica = async (replica: Replica): Promise<void> => {
    const sentAt = performance.now()
    const replayed = await replica.check.position().catch(() => undefined)
    if (replayed === undefined) abandonStatements(replica, sentAt)
    else replica.failedAt = undefined
    const seenAt = isPrimaryUp ? sentAt : primarySeenAt
    replica.state = replayed === undefined ? undefined : { replayed, lag: meter.lag(replayed, seenAt) }
  }

  const checkAll = async (): Promise<void> => {
    await Promise.all([readPrimaryPosition(), ...replicas.map(checkReplica)])
    if (isPrimaryUp && (await changes) === undefined) noteChange()
  }

  const noteChange = () => {
    changes = readPrimaryPosition()
  }

  /** Another server may have become the primary, whose positions are lower. */
  const noteReconnection = () => {
    notifiedUntil = 0n
    noteChange()
  }

  const isUsed = ({ state }: Replica): boolean => state !== undefined && state.lag <= replicaMaxLag

  const hasReplayed = ({ state }: Replica, needed: LogPosition): boolean =>
    state !== undefined && hasReached(state.replayed, needed)

  /** Limits a position from a client to the end of the primary's log: a later position was not written there. */
  const clamp = async (after: LogPosition | 'latest'): Promise<LogPosition | undefined> => {
    if (after !== 'latest' && (after <= primaryPosition || !isPrimaryUp)) return after
    const position = await readPrimaryPosition()
    return position === undefined || after === 'latest' || after > position ? position : after
  }

  /** The position that a replica must have replayed; undefined if only the primary can serve the query. */
  const neededPosition = async ({ after, isCached }: Reading): Promise<LogPosition | undefined> => {
    const written = after === undefined ? 0n : await clamp(after)
    // While the primary is gone, results are not cached.
    const changed = isCached && isPrimaryUp ? await changes : 0n
    if (written === undefined || changed === undefined) return undefined
    return written > changed ? written : changed
  }

  const findReplica = async (reading: Reading): Promise<Replica | undefined> => {
    const usable = replicas.filter(isUsed)
    if (usable.length === 0) return undefined
    const needed = await neededPosition(reading)
    if (needed === undefined) return undefined
    turn += 1
    const inTurn = usable.map((_, index) => usable[(turn + index) % usable.length] as Replica)
    const current = inTurn.find((replica) => hasReplayed(replica, needed))
    const [next] = inTurn
    if (current || !next) return current
    await checkReplica(next)
    return hasReplayed(next, needed) ? next : undefined
  }

  return {
    async choose(reading: Reading): Promise<ReadSource> {
      const replica = await findReplica(reading)
      const reportFailure = () => {
        if (replica) replica.state = undefined
        else isPrimaryUp = false
      }
      return { db: replica?.db ?? db, isCacheable: replica === undefined || isPrimaryUp, reportFailure }
    },
    /** The position after everything that was committed before this call; `latest` if it cannot be read. */
    writtenPosition: async () => (await readPrimaryPosition()) ?? 'latest',
    /**
     * Whether this instance has been notified of all changes before the position, or of all changes if the primary has not
     * reached it. False if that takes too long; then cached responses may be older than the position.
     */
    async receiveChanges(before: LogPosition | 'latest'): Promise<boolean> {
      // Without a listener nothing is cached.
      if (!listener || (before !== 'latest' && before <= notifiedUntil)) return true
      const position = await readPrimaryPosition()
      if (position === notifiedUntil) return true
      if (position === undefined || !(await listener.receiveSoon())) return false
      notifiedUntil = position
      return true
    },
    /**
     * In the order of DATABASE_REPLICA_URL. `lag` is in milliseconds, and undefined if the replica does not respond, or is not a
     * replica.
     */
    states: () => replicas.map((replica) => ({ lag: replica.state?.lag, isUsed: isUsed(replica) })),
    /** Call after the migrations and before the first request. */
    async open(): Promise<void> {
      await Promise.all(replicas.map((replica) => limitStatementDuration(replica.database, requestTimeout)))
      if (cacheBytes > 0) listener = await listen(database, { invalidate: noteChange, invalidateAll: noteReconnection })
      noteChange()
      await checkAll()
      timer = setInterval(shareNextRun(checkAll), checkInterval).unref()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await listener?.close()
      await Promise.all([primary.close(), ...replicas.map(closeReplica)])
    },
  }
}

/**
 * Closes the connections of statements if a second check failed: behind a pooler, or if its machine is gone, a replica may leave
 * them without any response. Their queries run again on the primary. A single check may fail because this process is busy.
 */
function abandonStatements(replica: Replica, checkedAt: number): void {
  const { failedAt, busy } = replica
  if (failedAt === undefined) replica.failedAt = performance.now()
  // While a statement runs, the driver closes the connection without waiting for the server.
  else if (checkedAt >= failedAt) for (const client of busy) (client as pg.PoolClient & pg.Client).end().catch(() => {})
}

function openReplica(url: string, primary: Db, settings: Settings, connect: (pool: Database['pool']) => Db): Replica {
  const { databasePool, databaseDirectUrl } = settings
  // With a pooler in front of the primary there is one in front of each replica, too.
  const database = openServerDatabase(url, databasePool, databaseDirectUrl === undefined ? undefined : url)
  const busy = new Set<pg.PoolClient>()
  database.pool.on('acquire', (client) => busy.add(client))
  database.pool.on('release', (_error, client) => busy.delete(client))
  const db = connect(database.pool)
  forwardEvents(db, primary)
  const check = createPositionReader(database.pool.options, 'replica')
  return { database, db, busy, check, state: undefined, failedAt: undefined }
}

async function closeReplica({ database, db, check }: Replica): Promise<void> {
  await check.close()
  await db.$disconnect()
  await database.close()
}
