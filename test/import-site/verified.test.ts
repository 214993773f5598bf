// A site that was imported responds as the original did.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImportFindings } from '../../src/tools/import-site/findings.ts'
import { importRecords } from '../../src/tools/import-site/import-records.ts'
import { readSite } from '../../src/tools/import-site/read-site.ts'
import { createSiteClient } from '../../src/tools/import-site/site-client.ts'
import { createImportTarget } from '../../src/tools/import-site/target.ts'
import { createOperations } from '../../src/tools/operations.ts'
import { createSendRequest } from '../../src/tools/verify-site/send.ts'
import { verifySite } from '../../src/tools/verify-site/verify-site.ts'
import { compared, now, serve, type TestApp } from '../helpers/app.ts'
import { openTestDatabase } from '../helpers/db.ts'
import { openRealApp, type SampleApp } from '../helpers/sample.ts'
import { type Change, legacyEnv, listen, type ProxiedRecord, type Site, serveBeside } from '../helpers/sites.ts'

let sample: SampleApp
let legacy: TestApp
let ours: TestApp
let legacySite: Site
let ourSite: Site

/** How the older service writes texts. */
const entities = (text: string) =>
  text
    .replaceAll("'", '&#8217;')
    .replaceAll(' - ', ' &#8211; ')
    .replaceAll('"', '&#8220;')
    .replaceAll('&amp;', '&#038;')

/** A record as the older service and its add-ons show it. */
function makeOdd(record: ProxiedRecord): void {
  for (const name of ['title', 'venue', 'organizer', 'name']) {
    const value = record[name]
    if (typeof value === 'string') record[name] = entities(value)
  }
  for (const nested of [record.categories, record.tags, [record.venue], [record.organizer]].flat(2)) {
    if (typeof nested === 'object' && nested !== null) makeOdd(nested as ProxiedRecord)
  }
  const { id, image } = record
  if (record.taxonomy)
    Object.assign(record, { term_group: 0, term_taxonomy_id: id, filter: 'raw', _links: { self: [] } })
  else Object.assign(record, { site_code: [`${id}|1`] })
  if (image) {
    const url = `${legacySite.url}/uploads/${Number(id) % 5}.png`
    const size = { url, width: 1, height: 1, filesize: 70 }
    record.image = {
      ...size,
      id: 9000 + (Number(id) % 5),
      extension: 'png',
      sizes: { medium: { ...size, 'mime-type': 'image/png' } },
    }
  }
  if ('start_date' in record) {
    // Another title for one date makes it an event of its own.
    if (record.slug === 'course' && String(record.start_date).startsWith('2027')) record.title = 'Last course'
    Reflect.deleteProperty(record, 'series')
    Object.assign(record, {
      is_virtual: false,
      virtual_url: null,
      virtual_video_source: '',
      json_ld: { '@type': 'Event' },
    })
    if (record.description) record.description += '<script>alert(1)</script><div class="share">Share</div>'
  }
}

const odd: Change = ({ body }) => {
  const lists = [body.events, body.venues, body.organizers, body.categories, body.tags]
  for (const record of lists.flatMap((list) => (Array.isArray(list) ? list : []))) makeOdd(record)
  if (body.id) makeOdd(body as ProxiedRecord)
  if (body.rest_url) body.rest_url = decodeURIComponent(String(body.rest_url))
  if (body.code) body.message = 'Something is wrong.'
}

beforeAll(async () => {
  sample = await openRealApp(compared, 40)
  // The older service has a recurring event, which shows each date with its day in the URL.
  const times = ['2026-11-24', '2026-12-01', '2026-12-08', '2027-01-05'].map((day) => ({
    ...{ startsLocal: `${day}T18:00:00`, endsLocal: `${day}T20:00:00` },
  }))
  const { body } = await sample.administrator.graphql(
    `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) { userErrors { message } } }`,
    {
      input: {
        ...{ title: 'Course', slug: 'course', description: '<p>Text</p>', status: 'PUBLISHED' },
        schedule: { timeZone: 'Europe/Paris', recurrences: [], extraDates: times },
      },
    },
  )
  expect(body.data.createEventSeries.userErrors).toEqual([])
  legacy = await serveBeside(sample, { ...legacyEnv, ...compared })
  ours = await serve(await openTestDatabase(sample.settings.readEngine), {
    ...compared,
    IMAGE_PRIVATE_HOSTS: '127.0.0.1',
  })
  ;[legacySite, ourSite] = [await listen(legacy.app), await listen(ours.app)]
  legacySite.change(odd)
})
afterAll(async () => {
  await Promise.all([legacySite?.close(), ourSite?.close()])
  await legacy?.close()
  await sample?.close()
  await ours?.close()
})

const languages = ['en', 'fr', 'es']
const rootOf = (site: Site, path: string, language = 'en') =>
  `${site.url}${language === 'en' ? '' : `/${language}`}${path}`
const legacyRoot = (language?: string) => rootOf(legacySite, '/wp-json/tribe/events/v1', language)
const client = () => createSiteClient({ concurrency: 8, attempts: 1 })

async function runImport() {
  const { settings } = ours
  const findings = createImportFindings()
  const [first = { language: 'en', url: legacyRoot() }, ...others] = languages.map((language) => ({
    language,
    url: legacyRoot(language),
  }))
  const { siteTimeZone } = settings
  const source = await readSite(
    client(),
    { addresses: [first, ...others], siteTimeZone, currency: settings, details: true },
    findings,
  )
  const target = await createImportTarget(await createOperations({ ...ours, now: () => now }), {
    site: source.root.href,
    keepIds: true,
    dryRun: false,
    overwrite: false,
    authors: new Map(),
  })
  const { counts, failure } = await importRecords(source, target, findings, { prune: false, concurrency: 2 })
  return { counts, failure, ...findings.problems() }
}

const verify = () => {
  const others = languages.slice(1)
  const roots = (site: Site, path: string) =>
    Object.fromEntries(others.map((language) => [language, rootOf(site, path, language)]))
  const send = createSendRequest(client())
  return verifySite({
    legacy: { root: legacyRoot(), send, languages: roots(legacySite, '/wp-json/tribe/events/v1') },
    ours: { root: rootOf(ourSite, '/cal/events/v1'), send, languages: roots(ourSite, '/cal/events/v1') },
    sample: 90,
    concurrency: 4,
    ignore: [],
    hasCredentials: false,
    onProgress: () => {},
  })
}

test('after an import, verify-site finds no unexplained difference, and a second import changes nothing', async () => {
  const first = await runImport()
  expect(first).toMatchObject({ failure: undefined, skipped: [], notJoined: [] })
  expect(first.counts.event).toMatchObject({ created: 13, skipped: 0 })
  expect(await ours.db.event.count({ where: { series: { isNot: null } } })).toBe(3)
  const report = await verify()
  expect(report.unexplained).toEqual([])
  expect(report.ids).toBe('kept')
  expect(report.explained.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['c.1', 'c.5', 'c.6', 'QUIRK-22']))

  const second = await runImport()
  for (const { created, updated } of Object.values(second.counts)) expect([created, updated]).toEqual([0, 0])
})
