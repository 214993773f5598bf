import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import { type Settings, sharedSettings } from '../../../basics/env.ts'
import type { Db } from '../../postgres/client.ts'
import type { Database } from '../../postgres/pool.ts'
import { createPurgeMetrics } from './metrics.ts'
import { registerPurgeTargets } from './purge-queue.ts'
import { type Purger, startPurger } from './purger.ts'
import { purgeTargets } from './targets.ts'

interface Dependencies {
  readonly db: Db
  readonly database: Database
  readonly registry: Registry
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** Starts to purge the CDNs of CDN_PURGE. If CDN_PURGE is not set, makes the database triggers queue nothing. */
export async function openPurger(
  settings: Settings,
  { db, database, registry, log }: Dependencies,
): Promise<Purger | undefined> {
  const targets = purgeTargets(settings)
  const names = targets.map(({ name }) => name)
  await registerPurgeTargets(db, names, targets.length === 0 ? '' : fingerprintOf(settings))
  if (targets.length === 0) return undefined
  return startPurger({ db, database, targets, log, metrics: createPurgeMetrics(db, names, registry) })
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Returns a hash of everything that may change all responses: the code, its dependencies and the settings. */
function fingerprintOf(settings: Settings): string {
  const hash = createHash('sha256')
  const files = globSync(['src/**/*.*', 'package-lock.json'], { cwd: root }).sort()
  for (const file of files) hash.update(file).update(readFileSync(`${root}/${file}`))
  return hash.update(JSON.stringify(sharedSettings(settings))).digest('base64url')
}
