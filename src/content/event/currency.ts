// Finds currencies beside numbers in texts. The function `cost_amounts` of the database has the same rules.
import { memoizeOnce } from '../../memoize.ts'

/** `$`, `€`, `CA$`, `$ CA`, `S/`. */
const sign =
  '(?:(?<!\\p{L})[A-Za-z]{1,3})?\\p{Sc}(?:(?<=[$]) ?(?:CAN?|CAD|USD?|AUD?|NZD?|HKD?|MXN?)(?![A-Za-z]))?|(?<!\\p{L})S/\\.?'
/** After the number there may be a dash in place of cents: `10,- €`. */
const signAfter = new RegExp(`^(?:[.,][-–—]{1,2})? ?(${sign})`, 'u')
const signBefore = new RegExp(`(${sign}) ?$`, 'u')
const wordAfter = /^(?:[.,][-–—]{1,2})? ?(\p{L}{2,8}\.?)(?!\p{L})/u
const wordBefore = /(?<!\p{L})(\p{L}{2,8}\.?) ?$/u

/** The codes of ISO 4217 in use. */
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
  /** Whether a word such as `dollars` may mean those of the site. */
  readonly isVague: boolean
}

/** The currency between `before`, the text since the number before, and `after`. A sign goes before a word. */
export function currencyBeside(before: string, after: string): (Currency & { readonly used: number }) | undefined {
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
  // The length of the text after the number that is not before the next number.
  const used = position === 'postfix' ? text.length : 0
  return { symbol: ofWord ?? symbol, position, isVague: ofWord === '$', used }
}

/** Equal for spellings of the same currency in a list of prices. */
export function canonicalCurrency(symbol: string): string {
  const text = symbol.replace(/[\s.]/g, '').toUpperCase()
  return text === 'EUR' ? '€' : text === 'GBP' ? '£' : text
}

/** Codes and symbols of a currency, in upper case. */
export function currencySpellings(symbol: string): readonly string[] {
  const spelling = symbol.replace(/[\s.]/g, '').toUpperCase()
  return spellingsOfCurrencies().find((each) => each.includes(spelling)) ?? [spelling]
}

/** The code of ISO 4217; undefined for symbols such as `$` that several currencies have. */
export function currencyCode(symbol: string): string | undefined {
  const [code = ''] = canonicalCurrency(symbol) === '$' ? [] : currencySpellings(symbol)
  return codes.has(code) ? code : undefined
}

/** With the symbols in English, which differ for each currency, such as `$` and `CA$`. */
const spellingsOfCurrencies = memoizeOnce(() =>
  Intl.supportedValuesOf('currency').map((code) => {
    const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code }).formatToParts(0)
    const symbol = (parts.find(({ type }) => type === 'currency')?.value ?? code).replace(/\s/g, '').toUpperCase()
    const country = code.slice(0, 2)
    const dollars = symbol.endsWith('$') ? [`${country}$`, `$${country}`, `${code}$`, `$${code}`] : []
    return [...new Set([code, symbol, ...dollars, ...(otherSpellings[code] ?? [])])]
  }),
)

const otherSpellings: Readonly<Record<string, readonly string[]>> = {
  CAD: ['C$', 'CAN$', '$CAN'],
  CHF: ['FR', 'SFR'],
  PEN: ['S/'],
}
