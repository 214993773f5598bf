// Prices as people write them: REST, GraphQL, JSON-LD and the filter by price read the same amounts and currency.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseCost } from '../../src/calendar/event/cost.ts'
import { normalizeCurrency } from '../../src/calendar/event/currency.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { numbered } from '../helpers/rest.ts'
import { partOf, runs } from '../helpers/runs.ts'

let app: TestApp
let euro: TestApp
let canada: TestApp
beforeAll(async () => {
  app = await openTestApp()
  euro = await serve(app, { DEFAULT_CURRENCY_SYMBOL: '€', DEFAULT_CURRENCY_POSITION: 'postfix' })
  canada = await serve(app, { DEFAULT_CURRENCY_CODE: 'CAD' })
})
afterAll(async () => {
  await euro?.app.close()
  await canada?.app.close()
  await app?.close()
})

type Row = readonly [cost: string[], text: string, symbol: string, position: string, values: number[], code: string]

const rows: readonly Row[] = [
  [['10 € / 8 €'], '8€ – 10€', '€', 'postfix', [8, 10], 'EUR'],
  [['10 €<br>8 <b>€</b>'], '8€ – 10€', '€', 'postfix', [8, 10], 'EUR'],
  [['Adultes : 10 €', 'Enfants : 5 €'], '5€ – 10€', '€', 'postfix', [5, 10], 'EUR'],
  [['Adultes : 10 €', 'Enfants : 5'], '5€ – 10€', '€', 'postfix', [5, 10], 'EUR'],
  [['à partir de 12 €'], '12€', '€', 'postfix', [12], 'EUR'],
  [['desde 12 €'], '12€', '€', 'postfix', [12], 'EUR'],
  [['de 5 à 10 €'], '5€ – 10€', '€', 'postfix', [5, 10], 'EUR'],
  [['10-15 €'], '10€ – 15€', '€', 'postfix', [10, 15], 'EUR'],
  [['10–15 €'], '10€ – 15€', '€', 'postfix', [10, 15], 'EUR'],
  [['€10-15'], '€10 – €15', '€', 'prefix', [10, 15], 'EUR'],
  [['5€ (réduit 3€)'], '3€ – 5€', '€', 'postfix', [3, 5], 'EUR'],
  [['10 €, gratuit pour les moins de 12 ans'], '10€', '€', 'postfix', [10], 'EUR'],
  [['20h: 10 €'], '10€', '€', 'postfix', [10], 'EUR'],
  [['Saison 2026 : 10 € (-50 % le lundi)'], '10€', '€', 'postfix', [10], 'EUR'],
  [['Pass 3 jours : 45 € (2 personnes : 80 €)'], '45€ – 80€', '€', 'postfix', [45, 80], 'EUR'],
  [['TTC 10 €'], '10€', '€', 'postfix', [10], 'EUR'],
  [['10 euros'], '10€', '€', 'postfix', [10], 'EUR'],
  [['10 €', '5 EUR'], '5€ – 10€', '€', 'postfix', [5, 10], 'EUR'],
  [['12,50 €'], '12,50€', '€', 'postfix', [12.5], 'EUR'],
  [['7€50'], '7,50€', '€', 'postfix', [7.5], 'EUR'],
  [['10,- €'], '10€', '€', 'postfix', [10], 'EUR'],
  [['1.234,50 €'], '1.234,50€', '€', 'postfix', [1234.5], 'EUR'],
  [['1 000 €'], '1 000€', '€', 'postfix', [1000], 'EUR'],
  [['1\u00a0000\u00a0€'], '1 000€', '€', 'postfix', [1000], 'EUR'],
  [['1\u202f234,50\u202f€'], '1 234,50€', '€', 'postfix', [1234.5], 'EUR'],
  [["1'000 CHF"], "1'000CHF", 'CHF', 'postfix', [1000], 'CHF'],
  [['CHF 1’000.-'], 'CHF1’000', 'CHF', 'prefix', [1000], 'CHF'],
  [['Fr. 20'], 'Fr.20', 'Fr.', 'prefix', [20], 'CHF'],
  [['£10 / £8'], '£8 – £10', '£', 'prefix', [8, 10], 'GBP'],
  [['C$10'], 'C$10', 'C$', 'prefix', [10], 'CAD'],
  [['10 $ CA'], '10$ CA', '$ CA', 'postfix', [10], 'CAD'],
  [['A$10'], 'A$10', 'A$', 'prefix', [10], 'AUD'],
  [['Members USD 8, others USD 10'], 'USD8 – USD10', 'USD', 'prefix', [8, 10], 'USD'],
  [['100–150 kr.'], '100kr. – 150kr.', 'kr.', 'postfix', [100, 150], ''],
  [['50 zł'], '50zł', 'zł', 'postfix', [50], 'PLN'],
  [['₺50'], '₺50', '₺', 'prefix', [50], 'TRY'],
  [['10 лв'], '10лв', 'лв', 'postfix', [10], ''],
  [['$5', '€7'], '$5 – €7', '', '', [5, 7], ''],
  [['5 € / 7 $'], '5€ – 7$', '', '', [5, 7], 'EUR'],
  [['0 €'], 'Free', '€', 'postfix', [0], 'EUR'],
  [['€25 - 2 days'], '€25', '€', 'prefix', [25], 'EUR'],
  [['£40 – 2 dias'], '£40', '£', 'prefix', [40], 'GBP'],
  [['CHF 25 - 2 Tage'], 'CHF25', 'CHF', 'prefix', [25], 'CHF'],
  [['10&nbsp;€'], '10€', '€', 'postfix', [10], 'EUR'],
  [['10 &euro; / 8 &euro;'], '8€ – 10€', '€', 'postfix', [8, 10], 'EUR'],
  [['Gratuit', '10 €'], 'Free – 10€', '€', 'postfix', [0, 10], 'EUR'],
]

const query = `query ($id: ID!) { event(id: $id) {
  cost { text currencySymbol currencyPosition values currency minimum maximum } jsonLd } }`
const queryWithTotals = `query ($id: ID!, $same: EventFilter, $less: EventFilter, $yen: EventFilter) {
  event(id: $id) { cost { text currencySymbol currencyPosition values currency minimum maximum } jsonLd }
  found: eventsPage(filter: $same) { total }
  less: eventsPage(filter: $less) { total }
  yen: eventsPage(filter: $yen) { total } }`

test.each(numbered(rows))('%j costs %s', async (cost, text, symbol, position, values, code, index) => {
  const id = await makeEvent(app.db, 'Choir', { cost })
  const [lowest = 0] = values
  const currency = code || symbol || '$'
  const filter = (price: object) => ({ include: [String(id)], price })
  const variables = {
    id,
    same: filter({ upTo: lowest, currency }),
    less: filter({ upTo: Math.max(0, lowest - 0.01), currency }),
    yen: filter({ upTo: lowest, currency: 'JPY' }),
  }
  // The currency of the site does not matter.
  for (const site of partOf([app, euro], 2, index)) {
    const { event, found, less, yen } = (await site.graphql(queryWithTotals, variables)).body.data
    // Prices in several currencies cannot be compared.
    const range = symbol === '' ? [null, null] : [event.cost.values[0], event.cost.values.at(-1)]
    expect({ ...event.cost, values: event.cost.values.map(Number) }).toEqual({
      ...{ text, currencySymbol: symbol, currencyPosition: position.toUpperCase() || null, values },
      ...{ currency: (symbol && code) || null, minimum: range[0], maximum: range[1] },
    })
    const { price, priceCurrency = '' } = event.jsonLd.offers
    expect([Number(price), priceCurrency]).toEqual([values[0], code])
    // What is free costs nothing in every currency.
    const others = { total: lowest === 0 ? 1 : 0 }
    expect({ found, less, yen }).toEqual({ found: { total: 1 }, less: others, yen: others })
  }
  const { body } = await euro.get(`/cal/events/v1/events/${id}`)
  expect(body).toMatchObject({ cost: text, cost_details: { currency_symbol: symbol, currency_position: position } })
})

test.each([
  [['2026'], '2026€', 'EUR'],
  [['ab 12'], '12€', 'EUR'],
  [['10 / 8'], '8€ – 10€', 'EUR'],
  [['<p>10</p><p>8</p>'], '8€ – 10€', 'EUR'],
  [['from 20 to 30 dollars'], '20$ – 30$', undefined],
  [['1.000 pesos'], '1.000$', undefined],
  [['Donation'], 'Donation', undefined],
])('%j costs %s on a site with prices in euros', async (cost, text, code) => {
  const id = await makeEvent(app.db, 'Choir', { cost })
  const { event } = (await euro.graphql(query, { id })).body.data
  expect([event.cost.text, event.jsonLd.offers.priceCurrency]).toEqual([text, code])
})

const price = (currency: string | null, minimum: string | null, maximum = minimum) => ({ currency, minimum, maximum })

test.each([
  ['12.50', price(null, '12.50'), price('EUR', '12.50'), price('CAD', '12.50')],
  ['007,50 / 1.000', price(null, '7.50', '1000'), price('EUR', '7.50', '1000'), price('CAD', '7.50', '1000')],
  ['$12.50', price(null, '12.50'), price(null, '12.50'), price('CAD', '12.50')],
  ['10 dollars', price(null, '10'), price(null, '10'), price('CAD', '10')],
  ['US$10', price('USD', '10'), price('USD', '10'), price('USD', '10')],
  ['0', price(null, '0'), price('EUR', '0'), price('CAD', '0')],
  ['0,00 €', price('EUR', '0'), price('EUR', '0'), price('EUR', '0')],
  // Two currencies have this abbreviation.
  ['5000 FCFA', price(null, '5000'), price(null, '5000'), price(null, '5000')],
  ['Free', price(null, '0'), price(null, '0'), price(null, '0')],
  ['Free, members $5', price(null, '5'), price(null, '5'), price('CAD', '5')],
  ['Donation', price(null, null), price(null, null), price(null, null)],
  ['$5 or €7', price(null, null), price(null, null), price(null, null)],
])('%s: the currency and the amounts depend on the currency of the site', async (entry, ...expected) => {
  const id = await makeEvent(app.db, 'Choir', { cost: [entry] })
  const found = await Promise.all(
    [app, euro, canada].map(async (site) => {
      const { text, currencySymbol, currencyPosition, values, ...range } = (await site.graphql(query, { id })).body.data
        .event.cost
      return range
    }),
  )
  expect(found).toEqual(expected)
})

test('the filter by price knows the currency of the site', async () => {
  const id = await makeEvent(app.db, 'Choir', { cost: ['$10'] })
  const filter = (currency: string) => ({ include: [String(id)], price: { upTo: 10, currency } })
  const counting = 'query ($filter: EventFilter) { eventsPage(filter: $filter) { total } }'
  const total = async (site: TestApp, currency: string) =>
    (await site.graphql(counting, { filter: filter(currency) })).body.data.eventsPage.total
  const currencies = ['$', 'USD', 'CAD', 'CA$', 'EUR']
  const totals = (site: TestApp) => Promise.all(currencies.map((currency) => total(site, currency)))
  expect(await totals(app)).toEqual([1, 1, 0, 0, 0])
  expect(await totals(canada)).toEqual([1, 0, 1, 1, 0])
})

test.each(['Gratuit', 'Entrée libre', 'Entrada libre', 'Eintritt frei'])('%s is a price of 0', async (cost) => {
  const id = await makeEvent(app.db, 'Choir', { cost: [cost] })
  const { event } = (await app.graphql(query, { id })).body.data
  expect([event.cost.text, event.jsonLd.offers.price]).toEqual([cost, '0'])
})

test('an unknown price is not 0', async () => {
  const { event } = (await app.graphql(query, { id: await makeEvent(app.db, 'Choir', { cost: ['Donation'] }) })).body
    .data
  expect(event.jsonLd.offers).not.toHaveProperty('price')
})

const parts = [
  ...[
    '€',
    '$',
    '£',
    'CHF',
    'EUR',
    'euros',
    'kr.',
    'C$',
    ' $ CA',
    'S/',
    'лв',
    'Fr',
    'à',
    'ab',
    'dollars',
    '<b>',
    '<br>',
    ',-',
  ],
  ...['5', '10', '0', '2026', '000', '1 000', "'", '’', ' ', ' ', ' ', '\u00a0', '\u202f', ',', '.', '-', ' – ', ' / '],
  ...[': ', 'h', '%', ' ans', ' pm', 'Adultes', ' Uhr', 'Free'],
]
const entry = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 7 }).map((items) => items.join(''))
const defaults = { defaultCurrencySymbol: '€', defaultCurrencyPosition: 'postfix' } as const

test('the database reads the same prices from any entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 3 }), async (cost) => {
      const read = parseCost(cost, defaults)
      const [row] = await app.db.$queryRaw<{ range: (number | null)[]; currency: string }[]>`
        SELECT cost_range(${cost}::text[]) AS range, cost_currency(${cost}::text[]) AS currency`
      const numbers = (read?.values ?? []).map(Number).filter((value) => !Number.isNaN(value))
      // Words for 0 are slugs among the values.
      const values = read?.lowest ? [...numbers, ...(numbers.length > 0 ? [] : [0])] : []
      expect(row?.range).toEqual([values[0] ?? null, values.at(-1) ?? null])
      if (read?.currencySymbol) expect(row?.currency).toBe(normalizeCurrency(read.currencySymbol))
    }),
    { numRuns: runs(300) },
  )
})
