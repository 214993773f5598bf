// Imports a legacy site: reads all records, and then writes the changed ones.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../basics/env.ts'
import { initializeSite } from '../../calendar/site/site.ts'
import { createOperations } from '../operations.ts'
import { createProgressBar } from '../progress.ts'
import { isNewEmbeddedDatabase, type Session, withNewDatabase, withSiteDatabase } from '../session.ts'
import { createImportFindings } from './findings.ts'
import { importRecords } from './import-records.ts'
import { type ReadSiteOptions, readSite } from './read-site.ts'
import { createSiteClient, type SiteClientOptions } from './site-client.ts'
import type { TargetOptions } from './source-records.ts'
import { createImportTarget } from './target.ts'

export interface ImportSiteOptions
  extends Omit<TargetOptions, 'site'>,
    Pick<ReadSiteOptions, 'addresses' | 'details'>,
    Pick<SiteClientOptions, 'credentials'> {
  /** Maximum number of simultaneous requests to the site. */
  readonly concurrency: number
  readonly prune: boolean
}

/** Throws if the site cannot be read; then nothing was written. `failure`: the error that stopped the writing. */
export async function importSite(options: ImportSiteOptions, config: Settings) {
  const { dryRun } = options
  const client = createSiteClient(options)
  const findings = createImportFindings()
  const progress = createProgressBar({ showRate: true })
  const onPage = (list: string, done: number, total: number) => progress.show(done, total, `pages of ${list}`)
  const onProgress = (done: number, total: number) => progress.show(done, total, 'records')

  const run = (mayWrite: boolean) => async (session: Session) => {
    const { siteTimeZone } = config
    const source = await readSite(client, { ...options, siteTimeZone, currency: config, onPage }, findings)
    // Marks the database as set up, so that the service does not add sample events at its next start.
    if (mayWrite) await initializeSite(session.db, config)
    const site = source.root.href
    const target = await createImportTarget(await createOperations(session), { ...options, site })
    const { failure, ...counts } = await importRecords(source, target, findings, { ...options, onProgress })
    return { report: { site, dryRun, ...counts, ...findings.problems() }, failure }
  }
  try {
    if (!dryRun) return await withNewDatabase(config, run(true))
    if (!isNewEmbeddedDatabase(config)) return await withSiteDatabase(config, run(false))
    // A dry run without a database uses a temporary empty one.
    await using folder = await mkdtempDisposable(join(tmpdir(), 'import-site-'))
    return await withNewDatabase({ ...config, databaseUrl: `pglite:${join(folder.path, 'data')}` }, run(true))
  } finally {
    progress.end()
  }
}
