// What an event costs, read out of the entries as they were given (contract c.8 and its golden table).
import { memoize } from '../../memoize.ts'
import { slugify } from '../text/slug.ts'

export interface Cost {
  /** For people: `$10 – $20`, `Free`. */
  readonly text: string
  /** What stands beside the numbers, if the same everywhere; else empty. */
  readonly currencySymbol: string
  readonly currencyPosition: '' | 'prefix' | 'postfix'
  /** Numbers with a decimal point, ascending; the entry's slug when it has none. */
  readonly values: readonly string[]
}

export interface CurrencyDefaults {
  readonly defaultCurrencySymbol: string
  readonly defaultCurrencyPosition: 'prefix' | 'postfix'
}

interface Amount {
  readonly shown: string
  readonly value: string
}

const amount = /\d+(?:[.,]\d+)*/g
/** `$`, `€`, `CA$`, `EUR`, `kr.`: longer words beside a number are prose. */
const currency = /^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)$/u

/** Characters of a cost that is kept with what was read out of it. */
const usual = 1000

type Asked = readonly [given: readonly string[], symbol: string, position: 'prefix' | 'postfix']

const memoizedReadEntries = memoize({ name: 'readEntries', max: 1000 }, (_key: string, asked: Asked) =>
  readEntries(...asked),
)

/** Undefined when no entry says anything. */
export function readCost(given: readonly string[], defaults: CurrencyDefaults): Cost | undefined {
  const { defaultCurrencySymbol, defaultCurrencyPosition } = defaults
  const asked: Asked = [given, defaultCurrencySymbol, defaultCurrencyPosition]
  const key = JSON.stringify(asked)
  return key.length > usual ? readEntries(...asked) : memoizedReadEntries(key, asked)
}

function readEntries(...[given, defaultSymbol, defaultPosition]: Asked): Cost | undefined {
  const entries = given.map((entry) => entry.trim()).filter((entry) => entry !== '')
  if (entries.length === 0) return undefined
  const amounts = distinct(entries.flatMap((entry) => [...entry.matchAll(amount)].map((match) => toAmount(match[0]))))
  const [lowest, highest] = [amounts[0], amounts.at(-1)]
  if (!lowest || !highest) {
    const values = [...new Set(entries.map(slugify))].sort()
    return { text: entries.join(', '), currencySymbol: '', currencyPosition: '', values }
  }
  const found = commonCurrency(entries)
  const symbol = found.symbol || defaultSymbol
  const position = found.position || defaultPosition
  const show = ({ shown, value }: Amount) => {
    if (Number(value) === 0) return 'Free'
    return position === 'prefix' ? `${symbol}${shown}` : `${shown}${symbol}`
  }
  return {
    text: lowest === highest ? show(lowest) : `${show(lowest)} – ${show(highest)}`,
    currencySymbol: found.symbol,
    currencyPosition: found.position,
    values: amounts.map(({ value }) => value),
  }
}

/** A comma before exactly three digits, or a separator used twice, groups thousands; the last other one is decimal. */
function toAmount(shown: string): Amount {
  const separators = shown.replace(/\d/g, '')
  const last = separators.at(-1) ?? ''
  const grouping = last !== '' && (separators.split(last).length > 2 || (separators === ',' && /,\d{3}$/.test(shown)))
  const cut = last === '' || grouping ? shown.length : shown.lastIndexOf(last)
  const whole = shown.slice(0, cut).replace(/\D/g, '')
  const fraction = shown.slice(cut + 1)
  return { shown, value: fraction === '' ? whole : `${whole}.${fraction}` }
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
  const found = pieces.map((piece) => {
    const symbol = piece.replace(amount, '').trim()
    return { symbol, position: piece.startsWith(symbol) ? ('prefix' as const) : ('postfix' as const) }
  })
  const [first] = found
  if (!first || !currency.test(first.symbol) || found.some(({ symbol }) => symbol !== first.symbol)) return none
  return found.every(({ position }) => position === first.position) ? first : { ...first, position: '' }
}
