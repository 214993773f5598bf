// Every filter alone and in pairs, in both APIs, on several sites, compared with the oracle.
import { afterAll, beforeAll, test } from 'vitest'
import { check, type Draws, type OracleSite, openOracleSite, withSettings } from '../helpers/oracle-check.ts'
import { eventDraws, linkedDraws, onlyGraphql, termDraws } from '../helpers/oracle-draw.ts'
import { checkFacets } from '../helpers/oracle-facets.ts'
import { partOf } from '../helpers/runs.ts'

let oracleSite: OracleSite
beforeAll(async () => {
  oracleSite = await openOracleSite()
})
afterAll(() => oracleSite?.app.close())

test('REST lists of events match the oracle', async () => {
  const names = new Set<string>(onlyGraphql)
  const draws = Object.fromEntries(Object.entries(eventDraws(oracleSite.world)).filter(([name]) => !names.has(name)))
  await check(oracleSite, { kind: 'events', legacy: true, draws, each: 2 })
})

test('GraphQL lists of events match the oracle', async () => {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after, strict_dates, ...draws } =
    eventDraws(oracleSite.world)
  const orders = [
    ...['START', 'START_LOCAL', 'END', 'PUBLICATION', 'MODIFIED', 'TITLE', 'DISTANCE', 'RELEVANCE'],
    ...['PRICE', 'ALL_DAY', 'PLACE_NAME'],
  ]
  await check(oracleSite, { kind: 'events', legacy: false, draws, orders, byNumber: ['DISTANCE'], each: 2 })
})

test.each(['venues', 'organizers'] as const)('REST lists of %s match the oracle', async (kind) => {
  const { search, event, hasEvents, onlyWithUpcoming, status } = linkedDraws(oracleSite.world, kind)
  const draws = { search, event, hasEvents, onlyWithUpcoming, status }
  await check(oracleSite, { kind, legacy: true, draws, each: 6 })
})

test.each(['venues', 'organizers'] as const)('GraphQL lists of %s match the oracle', async (kind) => {
  const { near, located, ...others } = linkedDraws(oracleSite.world, kind)
  const places = kind === 'venues'
  const draws: Draws = places ? { ...others, near, located } : others
  const orders = ['PUBLICATION', 'NAME', 'RELEVANCE', ...(places ? ['DISTANCE'] : [])]
  await check(oracleSite, { kind, legacy: false, draws, orders, byNumber: ['DISTANCE'], each: 5 })
})

const ordersOfTerms = ['NAME', 'SLUG', 'NUMBER', 'DESCRIPTION', 'COUNT', 'INCLUDE']
const byNumber = ['DESCRIPTION', 'COUNT', 'INCLUDE', 'PARENT']

test.each([
  { kind: 'categories', legacy: true },
  { kind: 'categories', legacy: false },
  { kind: 'tags', legacy: true },
  { kind: 'tags', legacy: false },
] as const)('lists of $kind match the oracle; REST: $legacy', async ({ kind, legacy }) => {
  const { parent, translatedInto, missingTranslation, ...others } = termDraws(oracleSite.world, kind)
  const common: Draws = legacy ? others : { ...others, translatedInto, missingTranslation }
  const draws: Draws = kind === 'categories' ? { ...common, parent } : common
  const orders = [...ordersOfTerms, ...(kind === 'categories' ? ['PARENT'] : []), ...(legacy ? [] : ['RELEVANCE'])]
  await check(oracleSite, { kind, legacy, draws, orders, byNumber, each: 4 })
})

const sites: readonly Readonly<Record<string, string>>[] = [
  { SITE_TIMEZONE: 'UTC', END_OF_DAY_CUTOFF: '04:00' },
  { SITE_TIMEZONE: 'America/New_York' },
  { SITE_TIMEZONE: 'America/New_York', SHOW_IN_SITE_TIMEZONE: 'on' },
  { SITE_TIMEZONE: 'Asia/Kolkata', END_OF_DAY_CUTOFF: '05:30' },
  { SITE_TIMEZONE: 'Australia/Lord_Howe' },
  { SITE_TIMEZONE: 'Australia/Lord_Howe', SHOW_IN_SITE_TIMEZONE: 'on' },
]

test.each(partOf(sites, 2))('date filters match the oracle with %o', async (settings) => {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after, strict_dates, include } =
    eventDraws(oracleSite.world)
  const draws = { start_date, end_date, starts_before, starts_after, ends_before, ends_after, strict_dates, include }
  const site = await withSettings(oracleSite, settings)
  await check(site, { kind: 'events', legacy: true, draws, each: 1 })
})

test.each([true, false])('without language fallback, lists match the oracle; REST: %s', async (legacy) => {
  const site = await withSettings(oracleSite, { LANGUAGE_FALLBACK: 'off' })
  const { search, categories, tags, venues, organizers, located, include } = eventDraws(oracleSite.world)
  const events = { search, categories, tags, venues, organizers, located, include }
  await check(site, { kind: 'events', legacy, draws: events, each: 1 })
  for (const kind of ['venues', 'organizers'] as const) {
    const { search, event, hasEvents, onlyWithUpcoming, translatedInto, missingTranslation } = linkedDraws(
      oracleSite.world,
      kind,
    )
    const common = { search, event, hasEvents, onlyWithUpcoming }
    const draws: Draws = legacy ? common : { ...common, translatedInto, missingTranslation }
    await check(site, { kind, legacy, draws, each: 1 })
  }
  for (const kind of ['categories', 'tags'] as const) {
    const { parent, translatedInto, missingTranslation, ...others } = termDraws(oracleSite.world, kind)
    const draws: Draws = legacy ? others : { ...others, translatedInto, missingTranslation }
    await check(site, { kind, legacy, draws, orders: ['NAME', 'COUNT'], byNumber: ['COUNT'], each: 1 })
  }
})

test.each(['on', 'off'])('facets count what lists count, with the language fallback %s', async (fallback) => {
  // One operation has a list for each value of the facets.
  await checkFacets(await withSettings(oracleSite, { LANGUAGE_FALLBACK: fallback, QUERY_COST_MAX: '50000' }))
})
