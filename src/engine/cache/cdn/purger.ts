// Purges outdated responses from CDNs after a change.
import type { FastifyBaseLogger } from 'fastify'
import { startLoop } from '../../../basics/loop.ts'
import type { Db } from '../../postgres/client.ts'
import { listenForNotifications, parseNotification } from '../../postgres/notifications.ts'
import type { Database } from '../../postgres/pool.ts'
import { invalidatedSurrogateKeys, keyOfAllResponses } from '../surrogate-keys.ts'
import type { PurgeMetrics } from './metrics.ts'
import { claimPurges, collapsePurges, postponePurges, type QueuedPurge, removePurges } from './purge-queue.ts'
import { PurgeError, type PurgeTarget } from './targets.ts'

export type Purger = Awaited<ReturnType<typeof startPurger>>

interface PurgerOptions {
  readonly db: Db
  readonly database: Database
  readonly targets: readonly PurgeTarget[]
  readonly metrics: PurgeMetrics
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Milliseconds after which a purge is repeated, because a CDN may receive an outdated response after the purge: usually some
 * milliseconds later, but up to three seconds later if this service did not notice that notifications stopped to arrive.
 */
const repetitions = [700, 4300]

/** Milliseconds between two polls of the queue, which find purges that an ended instance left. */
const pollInterval = 1000

/** Milliseconds until a failed purge is tried again for the first time. */
const firstRetry = 500

/** Number of changed records of a kind above which all responses with records of that kind are purged. */
const maxRecords = 100

export async function startPurger({ db, database, targets, metrics, log }: PurgerOptions) {
  const loops = targets.map((target) => startPurging({ db, target, metrics, log }))
  const wake = () => {
    for (const loop of loops) loop.wake()
  }
  const listener = await listenForNotifications(database, { invalidate: wake, invalidateAll: wake })
  return {
    /** Stops polling. Resolves once running calls to CDNs have ended. */
    async close() {
      await Promise.all([listener.close(), ...loops.map((loop) => loop.close())])
    },
  }
}

type LoopOptions = Pick<PurgerOptions, 'db' | 'metrics' | 'log'> & { readonly target: PurgeTarget }

function startPurging({ db, target, metrics, log }: LoopOptions) {
  let [failures, pausedUntil] = [0, 0]

  const purgeDue = async () => {
    const begun = performance.now()
    if (begun < pausedUntil) return
    let claimed: readonly QueuedPurge[] = []
    try {
      claimed = await claimPurges(db, target.name)
      if (claimed.length === 0) return
      for (const keys of batches(keysOf(claimed), target.maxKeys)) await target.purge(keys)
      const duration = performance.now() - begun
      for (const { round, age } of claimed) if (round === 0) metrics.observeDelay(target.name, age + duration)
      await finish(claimed)
      metrics.count(target.name, 'success')
      if (failures > 0) log.info({ target: target.name }, 'the CDN accepts purges again')
      failures = 0
      // The queue may have more due changes than one call returns.
      loop.wake()
    } catch (error) {
      await handleFailure(error, claimed)
    }
  }

  const finish = async (claimed: readonly QueuedPurge[]) => {
    for (const [round, purges] of Map.groupBy(claimed, (each) => each.round)) {
      const ids = purges.map(({ id }) => id)
      const delay = repetitions[round]
      if (delay === undefined) await removePurges(db, ids)
      else {
        await postponePurges(db, ids, delay, true)
        loop.wakeAfter(delay)
      }
    }
  }

  const handleFailure = async (error: unknown, claimed: readonly QueuedPurge[]) => {
    const ownDelay = Math.min(firstRetry * 2 ** failures, target.maxDelay)
    const delay = error instanceof PurgeError ? Math.max(error.retryAfter ?? 0, ownDelay) : ownDelay
    failures += 1
    metrics.count(target.name, 'failure')
    const cause = error instanceof PurgeError ? { reason: error.message } : { err: error }
    log.warn({ target: target.name, ...cause, retryAfterMs: delay }, 'could not purge the CDN')
    pausedUntil = performance.now() + delay
    loop.wakeAfter(delay)
    try {
      const ids = claimed.map(({ id }) => id)
      await postponePurges(db, ids, delay, false)
      await collapsePurges(db, target.name)
    } catch (err) {
      log.warn({ err }, 'could not postpone purges, they are due again after 30 seconds')
    }
  }

  const loop = startLoop(purgeDue, {
    interval: pollInterval,
    onError: (err) => log.warn({ err }, 'could not purge the CDN'),
  })
  return loop
}

function keysOf(claimed: readonly QueuedPurge[]): readonly string[] {
  const idsByKind = new Map<string, Set<number> | undefined>()
  for (const { change } of claimed) {
    const { kind, ids } = parseNotification(change)
    const earlierIds = idsByKind.has(kind) ? idsByKind.get(kind) : new Set<number>()
    const all = ids && earlierIds && new Set([...earlierIds, ...ids])
    idsByKind.set(kind, all !== undefined && all.size > maxRecords ? undefined : all)
  }
  const keys = [...idsByKind].flatMap(([kind, ids]) => invalidatedSurrogateKeys({ kind, ids: ids && [...ids] }))
  return keys.includes(keyOfAllResponses) ? [keyOfAllResponses] : [...new Set(keys)]
}

function* batches(keys: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < keys.length; start += size) yield keys.slice(start, start + size)
}
