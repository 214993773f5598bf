// Imports a legacy site into the database of an instance.
import { createImportFindings } from '../../src/tools/import-site/findings.ts'
import { importRecords } from '../../src/tools/import-site/import-records.ts'
import { type ReadSiteOptions, readSite } from '../../src/tools/import-site/read-site.ts'
import { createSiteClient } from '../../src/tools/import-site/site-client.ts'
import { createImportTarget } from '../../src/tools/import-site/target.ts'
import { createOperations } from '../../src/tools/operations.ts'
import { now, type TestApp } from './app.ts'

/** The first address is that of the original language. The IDs of the site are kept. */
export async function importInto(
  app: TestApp,
  addresses: readonly ReadSiteOptions['addresses'][number][],
  { prune = false, dryRun = false } = {},
) {
  const [first, ...others] = addresses
  if (!first) throw new Error('There is no address.')
  const { settings } = app
  const findings = createImportFindings()
  const client = createSiteClient({ concurrency: 8, attempts: 1 })
  const source = await readSite(
    client,
    { addresses: [first, ...others], siteTimeZone: settings.siteTimeZone, currency: settings, details: true },
    findings,
  )
  const target = await createImportTarget(await createOperations({ ...app, now: () => now }), {
    site: source.root.href,
    keepIds: true,
    dryRun,
    overwrite: false,
    authors: new Map(),
  })
  const { counts, failure } = await importRecords(source, target, findings, { prune, concurrency: 2 })
  return { records: source.records.length, counts, failure, ...findings.problems() }
}
