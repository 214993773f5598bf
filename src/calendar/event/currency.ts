// Finds currencies beside numbers in texts. The function `cost_amounts` of the database has the same rules.
import { memoizeByObject, memoizeOnce } from '../../basics/memoize.ts'

/** Matches a currency sign: `$`, `€`, `CA$`, `$ CA`, `S/`. */
const sign =
  '(?:(?<!\\p{L})[A-Za-z]{1,3})?\\p{Sc}(?:(?<=[$]) ?(?:CAN?|CAD|USD?|AUD?|NZD?|HKD?|MXN?)(?![A-Za-z]))?|(?<!\\p{L})S/\\.?'
/** Matches a currency sign after a number, also after a dash in place of cents: `10,- €`. */
const signAfter = new RegExp(`^(?:[.,][-–—]{1,2})? ?(${sign})`, 'u')
const signBefore = new RegExp(`(${sign}) ?$`, 'u')
const wordAfter = /^(?:[.,][-–—]{1,2})? ?(\p{L}{2,8}\.?)(?!\p{L})/u
const wordBefore = /(?<!\p{L})(\p{L}{2,8}\.?) ?$/u

/** The currency codes of ISO 4217 that are in use. */
const codes = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY
  COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
  IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
  MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
  SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD
  XOF XPF YER ZAR ZMW`.split(/\s+/),
)
const abbreviations = new Set('eur usd gbp chf kr zł kč ft fr sfr fcfa cfa rm rp rs lei dt dh dhs'.split(' '))
const signsOfWords: Readonly<Record<string, string>> = {
  ...{ euro: '€', euros: '€', pound: '£', pounds: '£' },
  ...{ dollar: '$', dollars: '$', peso: '$', pesos: '$' },
}

export interface Currency {
  readonly symbol: string
  readonly position: 'prefix' | 'postfix'
  /** Whether the word is ambiguous, such as `dollars`, and may mean the currency of the site. */
  readonly isVague: boolean
}

/** Finds the currency of a number: in `before`, the text after the previous number, or in `after`. Prefers signs to words. */
export function findCurrencyOfNumber(
  before: string,
  after: string,
): (Currency & { readonly used: number }) | undefined {
  const prefix = signBefore.exec(before)
  if (prefix) return currency(prefix, 'prefix')
  const postfix = signAfter.exec(after)
  if (postfix) return currency(postfix, 'postfix')
  const word = wordBefore.exec(before)
  if (isCurrency(word)) return currency(word, 'prefix')
  const wordBehind = wordAfter.exec(after)
  return isCurrency(wordBehind) ? currency(wordBehind, 'postfix') : undefined
}

function isCurrency(match: RegExpExecArray | null): match is RegExpExecArray {
  const word = match?.[1]?.replace('.', '') ?? ''
  return codes.has(word) || abbreviations.has(word.toLowerCase()) || word.toLowerCase() in signsOfWords
}

function currency([text, symbol = '']: RegExpExecArray, position: 'prefix' | 'postfix') {
  const ofWord = signsOfWords[symbol.replace('.', '').toLowerCase()]
  // Length of the text that belongs to this number, not to the number after it.
  const used = position === 'postfix' ? text.length : 0
  return { symbol: ofWord ?? symbol, position, isVague: ofWord === '$', used }
}

/** Returns the same text for all spellings of a currency, to compare the prices of an event. */
export function normalizeCurrency(symbol: string): string {
  const text = spelled(symbol)
  return text === 'EUR' ? '€' : text === 'GBP' ? '£' : text
}

/** The settings of the site for its default currency. */
export interface SiteCurrency {
  readonly defaultCurrencySymbol: string
  readonly defaultCurrencyCode?: string | undefined
}

interface KnownCurrency {
  readonly code: string
  readonly spellings: readonly string[]
}

/** Returns the codes and symbols of a currency, in upper case. An ambiguous symbol means the currency of the site. */
export function currencySpellings(symbol: string, site: SiteCurrency): readonly string[] {
  const own = siteCurrency(site)
  const spelling = spelled(symbol)
  if (own?.spellings.includes(spelling)) return own.spellings
  const found = currencyOf(spelling)?.spellings ?? [spelling]
  return found.filter((each) => !own?.spellings.includes(each))
}

/** Returns the ISO 4217 code; undefined for symbols of several currencies, such as `$`, unless the site uses one of these. */
export function findCurrencyCode(symbol: string, site: SiteCurrency): string | undefined {
  const own = siteCurrency(site)
  const spelling = spelled(symbol)
  if (own?.spellings.includes(spelling)) return own.code
  const code = spelling === '$' ? undefined : currencyOf(spelling)?.code
  return code !== undefined && codes.has(code) ? code : undefined
}

/** Returns the currency of the site, with its ambiguous symbols; undefined if no single currency has the symbol of the site. */
const siteCurrency = memoizeByObject((site: SiteCurrency): KnownCurrency | undefined => {
  const symbol = spelled(site.defaultCurrencySymbol)
  const currency = currencyOf(site.defaultCurrencyCode ?? (symbol === '$' ? '' : symbol))
  return (
    currency && { ...currency, spellings: [...currency.spellings, symbolOf(currency.code, 'narrowSymbol'), symbol] }
  )
})

const spelled = (symbol: string) => symbol.replace(/[\s.]/g, '').toUpperCase()
const currencyOf = (spelling: string) => currencies().find(({ spellings }) => spellings.includes(spelling))

/** Returns the symbol in English, such as `CA$`, or the narrow symbol, which the country itself uses, such as `$`. */
function symbolOf(code: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay }).formatToParts(0)
  return spelled(parts.find(({ type }) => type === 'currency')?.value ?? code)
}

const currencies = memoizeOnce((): KnownCurrency[] => {
  const all = Intl.supportedValuesOf('currency').map(
    (code) => [code, symbolOf(code, 'narrowSymbol'), symbolOf(code, 'symbol')] as const,
  )
  return all.map(([code, narrow, symbol]) => {
    const country = code.slice(0, 2)
    const dollars = symbol.endsWith('$') ? [`${country}$`, `$${country}`, `${code}$`, `$${code}`] : []
    const isOnly = all.filter(([, each]) => each === narrow).length === 1
    const isWritten = /\p{Sc}/u.test(narrow) || abbreviations.has(narrow.toLowerCase())
    const own = isOnly && isWritten ? [narrow] : []
    // Leaves out a symbol of several currencies, such as FCFA.
    if (all.every(([other, , each]) => other === code || each !== symbol)) own.push(symbol)
    return { code, spellings: [...new Set([code, ...own, ...dollars, ...(otherSpellings[code] ?? [])])] }
  })
})

const otherSpellings: Readonly<Record<string, readonly string[]>> = {
  CAD: ['C$', 'CAN$', '$CAN'],
  CHF: ['FR', 'SFR'],
  PEN: ['S/'],
}
