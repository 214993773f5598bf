// How the language roots of a legacy site become one record with several languages, and how records are counted.
import { afterEach, expect, test } from 'vitest'
import { createImportFindings } from '../../src/tools/import-site/findings.ts'
import { importRecords } from '../../src/tools/import-site/import-records.ts'
import { readSite } from '../../src/tools/import-site/read-site.ts'
import { formatImportReport } from '../../src/tools/import-site/report.ts'
import { createSiteClient } from '../../src/tools/import-site/site-client.ts'
import type { AnyRecord } from '../../src/tools/import-site/source-records.ts'
import type { ImportTarget } from '../../src/tools/import-site/target.ts'
import {
  type LegacyItem,
  type LegacySite,
  legacyEvent,
  legacyTerm,
  legacyVenue,
  startLegacySite,
} from '../helpers/legacy-site.ts'

let site: LegacySite
afterEach(() => site.close())

/** Reads the roots `en` and `fr` of a site with these records. */
async function readRoots(lists: 'events' | 'venues' | 'categories', en: LegacyItem[], fr: LegacyItem[]) {
  site = await startLegacySite({ en: { [lists]: en }, fr: { [lists]: fr } })
  return readAll()
}

async function readAll(original = 'en', translation = 'fr') {
  const findings = createImportFindings()
  const addresses = [
    { language: original, url: site.rootOf(original) },
    { language: translation, url: site.rootOf(translation) },
  ] as const
  const currency = { defaultCurrencySymbol: '$', defaultCurrencyPosition: 'prefix' } as const
  const source = await readSite(
    createSiteClient(),
    { addresses, siteTimeZone: 'UTC', currency, details: false },
    findings,
  )
  return { source, findings, ...findings.problems() }
}

const outline = (records: readonly AnyRecord[]) =>
  records.map(({ id, ids, originalLanguage, texts }) => ({
    id,
    ids,
    originalLanguage,
    names: Object.fromEntries(Object.entries(texts).map(([language, { name }]) => [language, name])),
  }))

test('the same ID in each root is one record, with texts only where they differ', async () => {
  const en = [legacyEvent(1, { title: 'Concert' }), legacyEvent(2, { title: 'Choir' })]
  const fr = [legacyEvent(1, { title: 'Concert du soir' }), legacyEvent(2, { title: 'Choir' })]
  const { source, notJoined } = await readRoots('events', en, fr)
  expect(outline(source.records)).toEqual([
    { id: 1, ids: { en: 1, fr: 1 }, originalLanguage: 'en', names: { en: 'Concert', fr: 'Concert du soir' } },
    { id: 2, ids: { en: 2, fr: 2 }, originalLanguage: 'en', names: { en: 'Choir' } },
  ])
  expect(notJoined).toEqual([])
})

test.each([
  ['Polylang', { lang: 'en', translations: { en: 1, fr: 12 } }, { lang: 'fr', translations: { en: 1, fr: 12 } }],
  [
    'WPML',
    { wpml_current_locale: 'en_US', wpml_translations: [{ locale: 'fr_FR', id: 12, href: 'https://legacy.example' }] },
    { wpml_current_locale: 'fr_FR', wpml_translations: [{ locale: 'en_US', id: 1, href: 'https://legacy.example' }] },
  ],
] as const)('the language maps of %s join records with different IDs', async (_, original, translation) => {
  const english = legacyEvent(1, { title: 'Concert', ...original })
  const french = legacyEvent(12, { title: 'Concert du soir', start_date: '2031-05-02 19:00:00', ...translation })
  // Each root may show the records of all languages.
  const { source, notJoined, skipped } = await readRoots('events', [english, french], [english, french])
  expect(outline(source.records)).toEqual([
    { id: 1, ids: { en: 1, fr: 12 }, originalLanguage: 'en', names: { en: 'Concert', fr: 'Concert du soir' } },
  ])
  expect([notJoined, skipped]).toEqual([[], []])
})

test('a locale is the language with its region, if the import has that one, too', async () => {
  const translations = { pt_PT: 1, pt_BR: 12 }
  const events = [
    legacyEvent(1, { title: 'Comboio', lang: 'pt_PT', translations }),
    legacyEvent(12, { title: 'Trem', lang: 'pt_BR', translations }),
  ]
  site = await startLegacySite({ pt: { events }, 'pt-br': { events } })
  const { source } = await readAll('pt', 'pt-br')
  expect(outline(source.records)).toEqual([
    { id: 1, ids: { pt: 1, 'pt-br': 12 }, originalLanguage: 'pt', names: { pt: 'Comboio', 'pt-br': 'Trem' } },
  ])
})

test('without maps, equal slug and start join records; others are listed and imported in their own language', async () => {
  const same = { slug: 'concert', utc_start_date: '2031-05-02 17:00:00', start_date: '2031-05-02 19:00:00' }
  const en = [legacyEvent(1, { title: 'Concert', ...same }), legacyEvent(2, { title: 'Choir', slug: 'choir' })]
  const fr = [
    legacyEvent(31, { title: 'Concert du soir', ...same }),
    legacyEvent(32, { title: 'Chorale', slug: 'chorale' }),
  ]
  const { source, notJoined } = await readRoots('events', en, fr)
  expect(outline(source.records)).toMatchObject([
    { id: 1, ids: { en: 1, fr: 31 }, names: { en: 'Concert', fr: 'Concert du soir' } },
    { id: 2, originalLanguage: 'en' },
    { id: 32, ids: { fr: 32 }, originalLanguage: 'fr', names: { fr: 'Chorale' } },
  ])
  expect(notJoined).toEqual([{ kind: 'event', id: 32, name: 'Chorale', language: 'fr' }])
})

test('the same IDs of different sites do not join records', async () => {
  const en = [1, 2, 3].map((id) => legacyEvent(id, { title: `Event ${id}` }))
  const fr = [1, 2, 3].map((id) =>
    legacyEvent(id, {
      slug: `autre-${id}`,
      utc_start_date: `2031-09-0${id} 17:00:00`,
      start_date: `2031-09-0${id} 19:00:00`,
    }),
  )
  const { source, notJoined } = await readRoots('events', en, fr)
  const ids = outline(source.records).map((record) => record.ids)
  expect(ids.filter(({ en }) => en)).toEqual([{ en: 1 }, { en: 2 }, { en: 3 }])
  // IDs that are none of the site.
  expect(ids.filter(({ fr }) => fr).map(({ fr = 0 }) => fr < 0)).toEqual([true, true, true])
  expect((await readAll()).source.records).toEqual(source.records)
  expect(notJoined.map(({ name, language }) => [name, language])).toEqual([1, 2, 3].map((id) => [`Event ${id}`, 'fr']))
})

test('links of translations lead to the joined records', async () => {
  const maps = { en: 10, fr: 20 }
  site = await startLegacySite({
    en: {
      events: [],
      venues: [legacyVenue(10, { lang: 'en', translations: maps, venue: 'Town hall' })],
      categories: [legacyTerm(3, { slug: 'music' })],
    },
    fr: {
      events: [
        legacyEvent(7, {
          lang: 'fr',
          translations: { fr: 7 },
          venue: legacyVenue(20),
          categories: [legacyTerm(4, { slug: 'music' })],
        }),
      ],
      venues: [legacyVenue(20, { lang: 'fr', translations: maps, venue: 'Mairie' })],
      categories: [legacyTerm(4, { slug: 'music', name: 'Musique' })],
    },
  })
  const { source, notJoined } = await readAll()
  const event = source.records.find((record) => record.kind === 'event')
  expect(event).toMatchObject({ id: 7, originalLanguage: 'fr', venues: [10], categories: [3] })
  expect(notJoined).toEqual([])
})

test('a translation that is not published does not become public with its original', async () => {
  const maps = { translations: { en: 1, fr: 2 } }
  const en = [
    legacyEvent(1, { lang: 'en', ...maps, title: 'Concert' }),
    legacyEvent(2, { lang: 'fr', ...maps, title: 'Secret', status: 'draft' }),
  ]
  site = await startLegacySite({ en: { events: en }, fr: {} })
  site.odd = (url, _count, usual) => {
    if (!url.pathname.endsWith('/events') || url.pathname.startsWith('/fr')) return undefined
    return { ...usual, body: JSON.stringify({ events: en, total: 2, total_pages: 1 }) }
  }
  const { source, notes } = await readAll()
  expect(outline(source.records)).toMatchObject([{ id: 1, names: { en: 'Concert' } }])
  expect(JSON.stringify(source.records)).not.toContain('Secret')
  expect(notes).toEqual([expect.objectContaining({ note: expect.stringContaining('fr is not published') })])
})

test('the report counts what the target did, and a failure keeps what was counted', async () => {
  const { source, findings } = await readRoots(
    'events',
    [1, 2, 3, 4].map((id) => legacyEvent(id)),
    [],
  )
  const outcomes: Record<number, Awaited<ReturnType<ImportTarget['write']>>> = {
    1: { outcome: 'created', id: 1, notes: ['Its slug was taken.'] },
    2: { outcome: 'skipped', reason: 'It is invalid.' },
    3: { outcome: 'unchanged', id: 3, notes: [] },
  }
  const target: ImportTarget = {
    isCurrent: () => false,
    isSeries: () => true,
    reserveIds: async () => {},
    write: async (record) => {
      const outcome = outcomes[(await record).id]
      if (!outcome) throw new Error('The database is gone.')
      return outcome
    },
    prune: async () => [],
  }
  const { failure, ...counts } = await importRecords(source, target, findings, { prune: true, concurrency: 1 })
  expect(failure?.message).toBe('The database is gone.')
  expect(counts.counts.event).toEqual({ created: 1, updated: 0, unchanged: 1, skipped: 1 })
  const lines = formatImportReport({ site: site.root, dryRun: false, ...counts, ...findings.problems() })
  expect(lines.join('\n')).toContain('event      1 created, 0 updated, 1 unchanged, 1 skipped')
  expect(lines).toContain('  event 2 "Event 2": It is invalid.')
  expect(lines).toContain('  event 1 "Event 1": Its slug was taken.')
})
