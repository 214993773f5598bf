// A site of 5,000 events is imported, verified, and imported again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSiteClient } from '../../src/tools/import-site/site-client.ts'
import { createSendRequest } from '../../src/tools/verify-site/send.ts'
import { verifySite } from '../../src/tools/verify-site/verify-site.ts'
import { serve, type TestApp } from '../helpers/app.ts'
import { openTestDatabase } from '../helpers/db.ts'
import { importInto } from '../helpers/import-into.ts'
import { openLarge } from '../helpers/large.ts'
import { legacyEnv, listen, type Site } from '../helpers/sites.ts'

const events = 5000

let legacy: TestApp
let ours: TestApp
let legacySite: Site
let ourSite: Site

beforeAll(async () => {
  legacy = await serve(await openLarge(events), legacyEnv)
  // Visitors do not see these events, so that they are not imported without credentials.
  await legacy.db.event.deleteMany({ where: { OR: [{ passwordKey: { not: null } }, { status: { not: 'publish' } }] } })
  for (const table of ['venue', 'organizer'] as const) {
    await legacy.db.$executeRawUnsafe(`UPDATE ${table} SET password_key = NULL, status = 'publish'`)
  }
  ours = await serve(await openTestDatabase())
  ;[legacySite, ourSite] = [await listen(legacy.app), await listen(ours.app)]
})
afterAll(async () => {
  await Promise.all([legacySite?.close(), ourSite?.close()])
  await Promise.all([legacy?.close(), ours?.close()])
})

test('a large site is imported, responds as the original, and is not changed by a second import', {
  timeout: 3_600_000,
}, async () => {
  const root = `${legacySite.url}/wp-json/tribe/events/v1`
  const started = performance.now()
  const first = await importInto(ours, [{ language: 'en', url: root }])
  const seconds = (performance.now() - started) / 1000
  expect(first).toMatchObject({ failure: undefined, skipped: [] })
  expect(first.counts.event.created).toBeGreaterThan(events * 0.8)
  const megabytes = process.memoryUsage.rss() / 1024 ** 2
  console.info(
    `${first.records} records in ${seconds.toFixed(0)} s, ${(first.records / seconds).toFixed(0)} a second, ${megabytes.toFixed(0)} MB`,
  )

  const send = createSendRequest(createSiteClient({ attempts: 1 }))
  const report = await verifySite({
    legacy: { root, send, languages: {} },
    ours: { root: `${ourSite.url}/cal/events/v1`, send, languages: {} },
    sample: 500,
    concurrency: 2,
    // Many generated images have one URL, which is one image after the import.
    ignore: ['image.id'],
    hasCredentials: false,
    onProgress: () => {},
  })
  expect(report.unexplained).toEqual([])

  const second = await importInto(ours, [{ language: 'en', url: root }])
  for (const { created, updated } of Object.values(second.counts)) expect([created, updated]).toEqual([0, 0])
})
