// Parses the cost entries of an event into numbers and a currency (contract c.8). The function `cost_amounts` of the
// database has the same rules, for filters and orders.
import { memoize } from '../../basics/memoize.ts'
import { htmlToLine } from '../../basics/strip-tags.ts'
import { slugify } from '../text/slug.ts'
import { type Currency, findCurrencyOfNumber, normalizeCurrency } from './currency.ts'

/** What an event costs, parsed from its cost entries. */
export interface ParsedCost {
  /** The cost as text, such as `$10 – $20` or `Free`. */
  readonly text: string
  /** The currency as written in the entries; empty unless all entries have the same currency. */
  readonly currencySymbol: string
  readonly currencyPosition: '' | 'prefix' | 'postfix'
  /** The amounts as decimal numbers, ascending; if no entry has a number, the slugs of the entries. */
  readonly values: readonly string[]
  /** The lowest price; undefined if unknown. */
  readonly lowest: { readonly value: string; readonly symbol: string } | undefined
  /** The lowest and the highest price; undefined if unknown, or in several currencies. */
  readonly range: { readonly minimum: string; readonly maximum: string; readonly symbol: string } | undefined
}

export interface CurrencyDefaults {
  readonly defaultCurrencySymbol: string
  readonly defaultCurrencyPosition: 'prefix' | 'postfix'
}

interface Amount {
  readonly written: string
  readonly value: string
  readonly currency: Currency | undefined
}

/** Matches a number. Blanks and apostrophes group three digits: `1 000`, `1'000`. */
const number = /\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,]\d+)*|\d+(?:[.,]\d+)*/g
/** Matches a price with the cents after the sign: `5€50`. */
const centsBehindSign = /(\d)€(\d\d)(?!\d)/g
/** Match numbers that are not prices: times of day, ages, counts and percentages. A number after a currency is a price. */
const noPrices = [
  /(?<![\d.,$€£¥])(?<![$€£¥] )(?<!(?:CHF|EUR|GBP|USD) )\d{1,2}(?::\d\d(?: ?[ap]\.? ?m\.?)?| ?h(?:\d\d)?| ?Uhr| ?[ap]\.? ?m\.?)(?![\p{L}\d])/giu,
  /(?<![\d.,$€£¥])(?<![$€£¥] )(?<!(?:CHF|EUR|GBP|USD) )(?:\d{1,2} ?[-–àa] ?)?\d{1,2} ?(?:ans|años|anos|anni|Jahren?|years?|jours?|d[ií]as?|days?|Tagen?|personnes?|personas?|persons?|people|Personen)(?!\p{L})/giu,
  /(?<!\d)\d+(?:[.,]\d+)? ?%/g,
]
const year = /^(?:19|20)\d\d$/
/** Matches a word that may be an unknown currency: at most three letters, such as `лв` or `din.`, but not `for` or `max`. */
const abbreviation = /^(?!(?:à|ab|ca|da|de|des|dès|for|je|max|min|par|per|pp|vip)\.?$)\p{L}{1,3}\.?$/iu
const free = new Set([
  ...['free', 'free entry', 'free admission', 'kostenlos', 'eintritt frei', 'freier eintritt'],
  ...['gratuit', 'gratuite', 'entrée libre', 'entrée gratuite', 'accès libre', 'accès gratuit'],
  ...['gratis', 'gratuito', 'gratuita', 'entrada libre', 'entrada gratuita', 'entrada gratis', 'ingresso libero'],
])

const isFree = (entry: string) => free.has(entry.toLowerCase())
const noCost: Amount = { written: '0', value: '0', currency: undefined }

/** Maximum of characters of a price: longer numbers are no prices. */
const maxNumberLength = 15

/** Maximum of characters of a memoized cost, to bound the memory. */
const maxMemoizedLength = 1000

type EntriesToRead = readonly [entries: readonly string[], symbol: string, position: 'prefix' | 'postfix']

const memoizedReadEntries = memoize({ name: 'readEntries', max: 1000 }, (_key: string, input: EntriesToRead) =>
  readEntries(...input),
)

/** Parses the cost entries of an event. Returns undefined if all entries are blank. */
export function parseCost(entries: readonly string[], defaults: CurrencyDefaults): ParsedCost | undefined {
  const { defaultCurrencySymbol, defaultCurrencyPosition } = defaults
  const input: EntriesToRead = [entries, defaultCurrencySymbol, defaultCurrencyPosition]
  const key = JSON.stringify(input)
  return key.length > maxMemoizedLength ? readEntries(...input) : memoizedReadEntries(key, input)
}

function readEntries(...[input, defaultSymbol, defaultPosition]: EntriesToRead): ParsedCost | undefined {
  // Entries are stored as they were entered, but prices are shown without tags.
  const entries = input.map(htmlToLine).filter((entry) => entry !== '')
  if (entries.length === 0) return undefined
  const read = readAmounts(entries)
  const amounts = read.length > 0 && entries.some(isFree) ? [...read, noCost] : read
  const found = amounts.flatMap(({ currency }) => currency ?? [])
  const isMixed = new Set(found.map(({ symbol }) => normalizeCurrency(symbol))).size > 1
  const sorted = distinct(amounts, isMixed)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) {
    const values = [...new Set(entries.map(slugify))].sort()
    const free = entries.some(isFree)
    return {
      ...{ text: entries.join(', '), currencySymbol: '', currencyPosition: '', values },
      lowest: free ? { value: '0', symbol: '' } : undefined,
      range: free ? { minimum: '0', maximum: '0', symbol: '' } : undefined,
    }
  }
  const common = isMixed || (found[0]?.isVague && defaultSymbol.includes(found[0].symbol)) ? undefined : found[0]
  const position = found.every((each) => each.position === common?.position) ? common?.position : undefined
  const shown = { symbol: common?.symbol ?? defaultSymbol, position: position ?? defaultPosition }
  const currencyOf = ({ currency }: Amount) => (isMixed ? currency : shown)
  const format = (amount: Amount) => {
    if (Number(amount.value) === 0) return 'Free'
    const currency = currencyOf(amount)
    return currency?.position === 'prefix'
      ? `${currency.symbol}${amount.written}`
      : `${amount.written}${currency?.symbol ?? ''}`
  }
  return {
    text: first === last ? format(first) : `${format(first)} – ${format(last)}`,
    currencySymbol: common?.symbol ?? '',
    currencyPosition: position ?? '',
    values: [...new Set(sorted.map(({ value }) => value))],
    lowest: { value: first.value, symbol: currencyOf(first)?.symbol ?? '' },
    range: isMixed ? undefined : { minimum: decimal(first.value), maximum: decimal(last.value), symbol: shown.symbol },
  }
}

function readAmounts(entries: readonly string[]): Amount[] {
  const rests = new Set<string>()
  const amounts = entries.flatMap((entry) => {
    const text = noPrices.reduce(
      (rest, pattern) => rest.replace(pattern, ' '),
      entry.replace(centsBehindSign, '$1,$2€'),
    )
    const gaps = text.split(number)
    const found = (text.match(number) ?? []).map((written, index): Amount => {
      const [before = '', after = ''] = [gaps[index], gaps[index + 1]]
      const currency = findCurrencyOfNumber(before, after)
      gaps[index + 1] = after.slice(currency?.used ?? 0)
      return { written, value: valueOfAmount(written), currency }
    })
    if (found.length > 0) for (const gap of gaps) rests.add(gap.replace(/^[\s,/–—-]+|(?<![\s,/–—-])[\s,/–—-]+$/g, ''))
    const isPriced = found.some(({ currency }) => currency)
    return found.filter(
      ({ written, currency }) => written.length <= maxNumberLength && (currency || !isPriced || !year.test(written)),
    )
  })
  rests.delete('')
  const [rest = ''] = rests
  if (rests.size !== 1 || !abbreviation.test(rest) || amounts.some(({ currency }) => currency)) return amounts
  const position = entries.some((entry) => entry.startsWith(rest)) ? 'prefix' : 'postfix'
  return amounts.map((amount) => ({ ...amount, currency: { symbol: rest, position, isVague: false } }))
}

/** Returns an amount as a decimal number. Separators that occur twice, or before exactly three digits, group thousands: `1,000`, `1.000.000`. */
function valueOfAmount(written: string): string {
  const text = written.replace(/[ '’]/g, '')
  const [separator = ''] = /[.,](?=\d+$)/.exec(text) ?? []
  const groupsThousands = separator === '' || text.split(separator).length > 2 || /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
  if (groupsThousands) return text.replace(/\D/g, '')
  const decimal = text.lastIndexOf(separator)
  return `${text.slice(0, decimal).replace(/\D/g, '')}.${text.slice(decimal + 1)}`
}

const decimal = (value: string) => (Number(value) === 0 ? '0' : value.replace(/^0+(?=\d)/, ''))

function distinct(amounts: readonly Amount[], isMixed: boolean): Amount[] {
  const keyOf = ({ value, currency }: Amount) => `${Number(value)}${isMixed ? ` ${currency?.symbol}` : ''}`
  const byKey = new Map(amounts.map((each) => [keyOf(each), each]))
  return [...byKey.values()].sort((a, b) => Number(a.value) - Number(b.value))
}
