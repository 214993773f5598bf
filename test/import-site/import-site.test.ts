// The command import-site from end to end: a site is imported, imported again, and continued after interruptions.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import { type ImportSiteOptions, importSite } from '../../src/tools/import-site/import-site.ts'
import { serve } from '../helpers/app.ts'
import { connectTo, migratedDatabaseUrl } from '../helpers/db.ts'
import {
  jsonReply,
  type LegacyItem,
  type LegacySite,
  legacyEvent,
  legacyOrganizer,
  legacyTerm,
  legacyUser,
  legacyVenue,
  startLegacySite,
} from '../helpers/legacy-site.ts'
import { runCli } from '../helpers/process.ts'

let folder: string
let site: LegacySite
let database: { readonly url: string; drop(): Promise<void> }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-import-site-'))
  database = await migratedDatabaseUrl(join(folder, 'data'))
  const categories = [
    legacyTerm(33, { parent: 34, slug: 'jazz' }),
    legacyTerm(34, { name: 'Music &amp; more', slug: 'music' }),
  ]
  const events = Array.from({ length: 55 }, (_, index) => legacyEvent(1000 + index))
  const concert = legacyEvent(500, {
    title: 'Concert &#8211; encore',
    description: '<p>At eight<script>alert(1)</script></p>',
    slug: 'concert',
    venue: legacyVenue(10),
    organizer: [legacyOrganizer(12), legacyOrganizer(11)],
    categories,
    tags: [legacyTerm(35)],
    image: { id: 900, url: '/uploads/concert.png' },
    cost: '$10 – $25',
    cost_details: { values: ['10', '25'] },
    json_ld: { '@type': 'Event', eventStatus: 'https://schema.org/EventCancelled' },
    custom_fields: { color: { label: 'Colour', value: ['red', 'blue'] } },
  })
  const cancelled = { ...concert, title: 'Concert du soir', slug: 'concert-du-soir' }
  site = await startLegacySite({
    en: {
      events: [concert, legacyEvent(501, { status: 'draft', title: 'Draft' }), ...events],
      venues: [legacyVenue(10)],
      organizers: [legacyOrganizer(11), legacyOrganizer(12)],
      categories,
      tags: [legacyTerm(35, { name: 'Tag' })],
    },
    fr: { events: [cancelled, ...events] },
  })
})
afterAll(async () => {
  await site?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const env = () => ({
  DATABASE_URL: database.url,
  IMAGES_DIR: join(folder, 'images'),
  IMAGE_PRIVATE_HOSTS: '127.0.0.1',
  SITE_TIMEZONE: 'Europe/Paris',
})

const run = (options: Partial<ImportSiteOptions> = {}, settings: Record<string, string> = {}) =>
  importSite(
    {
      addresses: [
        { language: 'en', url: site.url },
        { language: 'fr', url: site.rootOf('fr') },
      ],
      credentials: undefined,
      authors: new Map(),
      details: true,
      overwrite: false,
      prune: false,
      dryRun: false,
      concurrency: 2,
      ...options,
    },
    readSettings({ ...env(), ...settings }),
  )

const eventRequests = () => site.requests.filter((path) => /\/events\/\d+$/.test(path))

// Each test continues with the database and the site that the one before left.
describe('a site and a new database', { shuffle: false }, () => {
  // Creating an embedded database takes seconds, and does not depend on the server.
  test.skipIf(inject('server'))('a site that cannot be read leaves no database behind', async () => {
    const url = `pglite:${join(folder, 'failed')}`
    site.odd = (address) =>
      address.searchParams.get('page') === '2' ? { status: 200, headers: {}, body: '<p>Fatal error</p>' } : undefined
    await expect(run({}, { DATABASE_URL: url })).rejects.toThrow('page=2: the response is HTML instead of JSON')
    expect(existsSync(join(folder, 'failed'))).toBe(false)
    site.odd = () => undefined
  })

  test.skipIf(inject('server'))(
    'a dry run before there is a database reports what an import would do, and writes nothing',
    async () => {
      const url = `pglite:${join(folder, 'dry')}`
      const { report } = await run({ dryRun: true }, { DATABASE_URL: url })
      expect(report).toMatchObject({ dryRun: true, counts: { event: { created: 56 }, category: { created: 2 } } })
      expect(existsSync(join(folder, 'dry'))).toBe(false)
    },
  )

  test('the command imports a site', async () => {
    const args = ['import-site', site.url, '--languages', `fr=${site.rootOf('fr')}`, '--user', legacyUser.user]
    const authors = join(folder, 'authors.json')
    writeFileSync(authors, '{"2": "ada"}')
    const first = await runCli(
      env(),
      [...args, '--password-stdin', '--authors', authors, '--json'],
      `${legacyUser.password}\n`,
    ).done
    expect([first.code, first.err]).toEqual([0, ''])
    expect(JSON.parse(first.out)).toMatchObject({
      site: site.root,
      dryRun: false,
      counts: {
        event: { created: 57, skipped: 0 },
        venue: { created: 1 },
        organizer: { created: 2 },
        category: { created: 2 },
        tag: { created: 1 },
      },
      skipped: [],
      notes: [{ kind: 'event', id: 500, note: expect.stringContaining('script') }],
      lossyFields: [],
      notJoined: [],
      warnings: [],
    })
  })

  test('a password without a login is an error without the password', async () => {
    const { code, out, err } = await runCli({ ...env(), LEGACY_PASSWORD: 'secret' }, ['import-site', site.url], '').done
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^There is a password without a login\. .*--user.*\n$/)
  })

  test('in a second run, an event that changed is updated alone, only its details are asked for, and one that is gone stays', async () => {
    const events = site.records.en?.events ?? []
    const changed = events.findIndex(({ id }) => id === 1003)
    events[changed] = { ...events[changed], title: 'Changed', modified_utc: '2020-03-01 09:00:00' }
    for (const { events = [] } of Object.values(site.records)) {
      const gone = events.findIndex(({ id }) => id === 1004)
      events.splice(gone, 1)
    }
    site.requests.length = 0
    const { report, failure } = await run({ credentials: legacyUser, authors: new Map([[2, 'ada']]) })
    expect([report.counts.event, report.counts.venue, report.counts.category, failure]).toEqual([
      { created: 0, updated: 1, unchanged: 55, skipped: 0 },
      { created: 0, updated: 0, unchanged: 1, skipped: 0 },
      { created: 0, updated: 0, unchanged: 2, skipped: 0 },
      undefined,
    ])
    expect(report.pruned).toEqual([])
    expect(eventRequests().map((path) => path.split('/').at(-1))).toEqual(['1003'])
    expect(site.requests.filter((path) => path.startsWith('/uploads'))).toEqual([])
  })

  test('a failure in the middle keeps what was written, and the next run continues, and prunes what is gone', async () => {
    const events = site.records.en?.events ?? []
    events.push(...Array.from({ length: 10 }, (_, index) => legacyEvent(3000 + index)))
    site.odd = (url) =>
      url.pathname.endsWith('/events/3005') ? jsonReply({}, 503, { 'retry-after': '3600' }) : undefined
    const { failure, report } = await run({ credentials: legacyUser, authors: new Map([[2, 'ada']]) })
    expect(failure?.message).toMatch(/asks to wait 3600 seconds/)
    expect(report.counts.event.created).toBeGreaterThan(2)
    site.odd = () => undefined
    const next = await run({ credentials: legacyUser, authors: new Map([[2, 'ada']]), prune: true })
    expect(next.failure).toBeUndefined()
    expect(next.report.counts.event.created).toBe(10 - report.counts.event.created)
    expect(next.report.pruned).toMatchObject([{ kind: 'event', id: 1004 }])
  })

  test('the service shows the imported events under their old IDs, with their languages, texts and links', async () => {
    const opened = connectTo(await openDatabase(database.url, 1))
    const app = await serve(opened, env())
    const get = async (path: string): Promise<LegacyItem> => (await app.get(path)).body
    const event = await get('/cal/events/v1/events/500')
    expect(event).toMatchObject({
      id: 500,
      title: 'Concert – encore',
      slug: 'concert',
      description: '<p>At eight</p>',
      start_date: '2031-05-25 19:00:00',
      utc_start_date: '2031-05-25 17:00:00',
      timezone: 'Europe/Paris',
      modified_utc: '2020-02-05 09:00:00',
      date_utc: '2020-01-05 09:00:00',
      cost: '$10 – $25',
      venue: { id: 10 },
      organizer: [{ id: 12 }, { id: 11 }],
      categories: [
        { id: 34, name: 'Music &amp; more' },
        { id: 33, parent: 34 },
      ],
      tags: [{ id: 35, name: 'Tag' }],
      image: { id: 900, width: 1, height: 1 },
      custom_fields: { color: { label: 'Colour', value: ['red', 'blue'] } },
      json_ld: { eventStatus: 'https://schema.org/EventCancelled' },
    })
    expect(await get('/fr/cal/events/v1/events/by-slug/concert-du-soir')).toMatchObject({
      id: 500,
      title: 'Concert du soir',
    })
    expect(await get('/cal/events/v1/events?start_date=2000-01-01&end_date=2099-01-01')).toMatchObject({
      total: 65,
    })
    await app.close()
  })
})
