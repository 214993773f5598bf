import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Settings } from '../../../basics/env.ts'
import type { Db } from '../../postgres/client.ts'
import type { Database } from '../../postgres/pool.ts'
import { fingerprintOf } from './fingerprint.ts'
import { purgeMetrics } from './metrics.ts'
import { registerTargets } from './purge-queue.ts'
import { type Purger, startPurger } from './purger.ts'
import { purgeTargets } from './targets.ts'

interface Dependencies {
  readonly db: Db
  readonly database: Database
  readonly registry: Registry
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** Starts to purge the CDNs of CDN_PURGE. Without it, triggers queue nothing from now on. */
export async function openPurger(
  settings: Settings,
  { db, database, registry, log }: Dependencies,
): Promise<Purger | undefined> {
  const targets = purgeTargets(settings)
  const names = targets.map(({ name }) => name)
  await registerTargets(db, names, targets.length === 0 ? '' : fingerprintOf(settings))
  if (targets.length === 0) return undefined
  return startPurger({ db, database, targets, log, metrics: purgeMetrics(db, names, registry) })
}
