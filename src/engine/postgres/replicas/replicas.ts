// Chooses the server that a visitor's query reads: a replica with an allowed lag, or the primary.
import type pg from 'pg'
import type { Settings } from '../../../basics/env.ts'
import { shareNextRun } from '../../../basics/share-next.ts'
import type { Db } from '../client.ts'
import { listenForNotifications, type NotificationListener } from '../notifications.ts'
import { type Database, limitStatementDuration, openServerDatabase } from '../pool.ts'
import { forwardEvents } from '../query.ts'
import { createLagMeter } from './lag.ts'
import { hasReached, type LogPosition } from './position.ts'
import { createPositionReader } from './position-reader.ts'

/** The database server that a query reads from. */
export interface ReadSource {
  readonly db: Db
  /** Whether the result may be cached, because the server has every change that this instance has been notified of. */
  readonly isCacheable: boolean
  /** Call when the server does not respond. Later queries use another server until this server responds again. */
  reportFailure(): void
}

interface Reading {
  /** WAL position of an earlier write of the client, which the query must see. `latest` stands for the end of the WAL. */
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
  /** Connections on which a statement is running. */
  readonly busy: ReadonlySet<pg.PoolClient>
  readonly check: ReturnType<typeof createPositionReader>
  /** State of the replica; undefined if the server does not respond, or is not a replica. */
  state: { readonly replayed: LogPosition; readonly lag: number } | undefined
  /** Time of the last failed check; undefined if a later check has succeeded. */
  failedAt: number | undefined
}

/** Creates the chooser of servers. `connect` creates a Prisma Client on the connection pool of a replica. */
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
  /** WAL position after the last change that this instance was notified of. */
  let changes: Promise<LogPosition | undefined> = Promise.resolve(undefined)
  /** This instance has been notified of all changes before this position. */
  let notifiedUntil = 0n

  /** Reads the current WAL position of the primary; undefined if the primary does not respond. */
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

  /** Resets the known positions, because another server, with lower positions, may have become the primary. */
  const noteReconnection = () => {
    notifiedUntil = 0n
    noteChange()
  }

  const isUsed = ({ state }: Replica): boolean => state !== undefined && state.lag <= replicaMaxLag

  const hasReplayed = ({ state }: Replica, needed: LogPosition): boolean =>
    state !== undefined && hasReached(state.replayed, needed)

  /** Limits a position from a client to the end of the primary's WAL: the client may send any number. */
  const clamp = async (after: LogPosition | 'latest'): Promise<LogPosition | undefined> => {
    if (after !== 'latest' && (after <= primaryPosition || !isPrimaryUp)) return after
    const position = await readPrimaryPosition()
    return position === undefined || after === 'latest' || after > position ? position : after
  }

  /** Returns the WAL position that a replica must have replayed; undefined if only the primary can serve the query. */
  const neededPosition = async ({ after, isCached }: Reading): Promise<LogPosition | undefined> => {
    const written = after === undefined ? 0n : await clamp(after)
    // While the primary does not respond, results are not cached, so changes need not be waited for.
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
    /** Returns the WAL position after everything committed before the call; `latest` if the position cannot be read. */
    writtenPosition: async () => (await readPrimaryPosition()) ?? 'latest',
    /**
     * Whether this instance has been notified of all changes before the position, or of all changes if the primary has not
     * reached it. False if that takes too long; then cached responses may be older than the position.
     */
    async receiveChanges(before: LogPosition | 'latest'): Promise<boolean> {
      // Without a listener nothing is cached, so there is nothing to wait for.
      if (!listener || (before !== 'latest' && before <= notifiedUntil)) return true
      const position = await readPrimaryPosition()
      if (position === notifiedUntil) return true
      if (position === undefined || !(await listener.receiveSoon())) return false
      notifiedUntil = position
      return true
    },
    /**
     * Returns the state of each replica in the order of DATABASE_REPLICA_URL. `lag` is in milliseconds; undefined if the server does
     * not respond, or is not a replica.
     */
    states: () => replicas.map((replica) => ({ lag: replica.state?.lag, isUsed: isUsed(replica) })),
    /** Call after the migrations and before the first request. */
    async open(): Promise<void> {
      await Promise.all(replicas.map((replica) => limitStatementDuration(replica.database, requestTimeout)))
      if (cacheBytes > 0)
        listener = await listenForNotifications(database, { invalidate: noteChange, invalidateAll: noteReconnection })
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
 * Closes connections with running statements after a second failed check, because an unreachable replica may never respond to
 * them. Their queries run again on the primary. A single check may fail because this process is busy.
 */
function abandonStatements(replica: Replica, checkedAt: number): void {
  const { failedAt, busy } = replica
  if (failedAt === undefined) replica.failedAt = performance.now()
  // If a statement is running, `end` of the driver closes the socket without waiting for the server.
  else if (checkedAt >= failedAt) for (const client of busy) (client as pg.PoolClient & pg.Client).end().catch(() => {})
}

function openReplica(url: string, primary: Db, settings: Settings, connect: (pool: Database['pool']) => Db): Replica {
  const { databasePool, databaseDirectUrl } = settings
  // If the primary has a pooler (DATABASE_DIRECT_URL), the URLs of replicas lead to poolers, too.
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
