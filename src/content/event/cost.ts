// Parses the cost entries of an event into numbers and a currency (contract c.8).
import { memoize } from '../../memoize.ts'
import { stripTags } from '../../strip-tags.ts'
import { slugify } from '../text/slug.ts'

export interface Cost {
  /** Formatted, such as `$10 – $20` or `Free`. */
  readonly text: string
  /** The currency as written in the entries; empty unless all entries have the same. */
  readonly currencySymbol: string
  readonly currencyPosition: '' | 'prefix' | 'postfix'
  /** Numbers with a decimal point, ascending; the slugs of the entries if none has a number. */
  readonly values: readonly string[]
}

export interface CurrencyDefaults {
  readonly defaultCurrencySymbol: string
  readonly defaultCurrencyPosition: 'prefix' | 'postfix'
}

interface Amount {
  readonly written: string
  readonly value: string
}

const amountPattern = /\d+(?:[.,]\d+)*/g
/** `$`, `€`, `CA$`, `EUR`, `kr.`: longer words next to a number are not a currency. */
const currencyPattern = /^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)$/u

/** Characters. Longer costs are not memoized, to bound the memory. */
const maxMemoizedLength = 1000

type EntriesToRead = readonly [entries: readonly string[], symbol: string, position: 'prefix' | 'postfix']

const memoizedReadEntries = memoize({ name: 'readEntries', max: 1000 }, (_key: string, input: EntriesToRead) =>
  readEntries(...input),
)

/** Undefined if all entries are blank. */
export function readCost(entries: readonly string[], defaults: CurrencyDefaults): Cost | undefined {
  const { defaultCurrencySymbol, defaultCurrencyPosition } = defaults
  const input: EntriesToRead = [entries, defaultCurrencySymbol, defaultCurrencyPosition]
  const key = JSON.stringify(input)
  return key.length > maxMemoizedLength ? readEntries(...input) : memoizedReadEntries(key, input)
}

function readEntries(...[input, defaultSymbol, defaultPosition]: EntriesToRead): Cost | undefined {
  // Entries are stored as they were entered, but prices are shown without tags.
  const entries = input.map((entry) => stripTags(entry).replace(/\s+/g, ' ').trim()).filter((entry) => entry !== '')
  if (entries.length === 0) return undefined
  const amounts = distinct(
    entries.flatMap((entry) => [...entry.matchAll(amountPattern)].map((match) => toAmount(match[0]))),
  )
  const [lowest, highest] = [amounts[0], amounts.at(-1)]
  if (!lowest || !highest) {
    const values = [...new Set(entries.map(slugify))].sort()
    return { text: entries.join(', '), currencySymbol: '', currencyPosition: '', values }
  }
  const common = commonCurrency(entries)
  const symbol = common.symbol || defaultSymbol
  const position = common.position || defaultPosition
  const format = ({ written, value }: Amount) => {
    if (Number(value) === 0) return 'Free'
    return position === 'prefix' ? `${symbol}${written}` : `${written}${symbol}`
  }
  return {
    text: lowest === highest ? format(lowest) : `${format(lowest)} – ${format(highest)}`,
    currencySymbol: common.symbol,
    currencyPosition: common.position,
    values: amounts.map(({ value }) => value),
  }
}

/**
 * A separator that occurs twice, and a comma before exactly three digits, group thousands. Otherwise the last separator
 * is the decimal separator.
 */
function toAmount(written: string): Amount {
  const separators = written.replace(/\d/g, '')
  const lastSeparator = separators.at(-1) ?? ''
  const groupsThousands =
    lastSeparator !== '' &&
    (separators.split(lastSeparator).length > 2 || (separators === ',' && /,\d{3}$/.test(written)))
  const decimalIndex = lastSeparator === '' || groupsThousands ? written.length : written.lastIndexOf(lastSeparator)
  const whole = written.slice(0, decimalIndex).replace(/\D/g, '')
  const fraction = written.slice(decimalIndex + 1)
  return { written, value: fraction === '' ? whole : `${whole}.${fraction}` }
}

function distinct(amounts: readonly Amount[]): Amount[] {
  const byValue = new Map(amounts.map((each) => [Number(each.value), each]))
  return [...byValue.entries()].sort(([a], [b]) => a - b).map(([, each]) => each)
}

function commonCurrency(entries: readonly string[]): { symbol: string; position: '' | 'prefix' | 'postfix' } {
  const none = { symbol: '', position: '' } as const
  const pieces = entries
    .flatMap((entry) => entry.split(/(?<!\d),|,(?!\d)|\s+[-–—]\s+/))
    .filter((piece) => /\d/.test(piece))
  const currencies = pieces.map((piece) => {
    const symbol = piece.replace(amountPattern, '').trim()
    return { symbol, position: piece.startsWith(symbol) ? ('prefix' as const) : ('postfix' as const) }
  })
  const [first] = currencies
  if (!first || !currencyPattern.test(first.symbol) || currencies.some(({ symbol }) => symbol !== first.symbol))
    return none
  return currencies.every(({ position }) => position === first.position) ? first : { ...first, position: '' }
}
