// Imports a legacy site: reads all of it, and then writes what changed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../basics/env.ts'
import { prepareSite } from '../../calendar/site/site.ts'
import { createOperations } from '../operations.ts'
import { createProgress } from '../progress.ts'
import { isNewFolder, type Session, withNewSite, withSite } from '../session.ts'
import { createFindings } from './findings.ts'
import { importRecords } from './import-records.ts'
import { type ReadOptions, readSite } from './read-site.ts'
import type { ImportReport } from './report.ts'
import { createSiteClient, type SiteCredentials } from './site-client.ts'
import type { TargetOptions } from './source-records.ts'
import { createImportTarget } from './target.ts'

export interface ImportSiteOptions extends Omit<TargetOptions, 'site' | 'keepIds'> {
  readonly addresses: ReadOptions['addresses']
  readonly credentials: SiteCredentials | undefined
  readonly keepIds?: boolean
  /** Whether to send a request for each event that changed. */
  readonly details: boolean
  readonly prune: boolean
  /** Requests at a time. */
  readonly concurrency: number
}

interface ImportSiteResult {
  readonly report: ImportReport
  /** Why the import stopped before its end. */
  readonly failure: Error | undefined
}

/** Throws if the site cannot be read; then nothing was written. */
export async function importSite(options: ImportSiteOptions, config: Settings): Promise<ImportSiteResult> {
  const { addresses, credentials, details, dryRun, overwrite, prune, concurrency, keepIds, authors } = options
  const client = createSiteClient({ concurrency, credentials })
  const findings = createFindings()
  const progress = createProgress({ showRate: true })
  const onPage = (list: string, done: number, total: number) => progress.show(done, total, `pages of ${list}`)
  const onProgress = (done: number, total: number) => progress.show(done, total, 'records')

  const run = async (session: Session, mayWrite: boolean) => {
    const { siteTimeZone } = config
    const source = await readSite(client, { addresses, siteTimeZone, currency: config, details, onPage }, findings)
    // The service adds sample events to new databases only.
    if (mayWrite) await prepareSite(session.db, config)
    const site = source.root.href
    const target = await createImportTarget(await createOperations(session), {
      site,
      keepIds,
      dryRun,
      overwrite,
      authors,
    })
    const outcome = await importRecords(source, target, findings, { prune, concurrency, onProgress })
    const { failure, ...counts } = outcome
    const report: ImportReport = { site, dryRun, ...counts, ...findings.problems() }
    return { report, failure }
  }
  try {
    if (!dryRun) return await withNewSite(config, (session) => run(session, true))
    if (!isNewFolder(config)) return await withSite(config, (session) => run(session, false))
    return await withTemporarySite(config, (session) => run(session, true))
  } finally {
    progress.end()
  }
}

/** An empty database for a dry run before there is one. */
async function withTemporarySite<Result>(
  config: Settings,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'import-site-'))
  try {
    return await withNewSite({ ...config, databaseUrl: `pglite:${join(folder, 'data')}` }, work)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
