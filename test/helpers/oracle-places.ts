// The oracle for prices and places of events.
import type { EventFacts, LinkedFacts, Reader } from './oracle-facts.ts'
import { isOpen } from './oracle-readers.ts'
import { fold, served } from './oracle-text.ts'

export interface Price {
  readonly free?: boolean
  readonly upTo?: number
  readonly currency?: string
}

interface Range {
  readonly lowest: number
  readonly highest: number
  readonly currency: string | undefined
}

function pricesOf({ cost: { range, currency }, ticketed }: EventFacts): Range[] {
  const own = range ? [{ lowest: range[0], highest: range[1], currency }] : []
  return [...own, ...(ticketed ? [{ lowest: 5, highest: 5, currency: 'EUR' }] : [])]
}

export const lowestPrice = (event: EventFacts): number | undefined =>
  pricesOf(event)
    .map(({ lowest }) => lowest)
    .sort((one, other) => one - other)[0]

const codes: Readonly<Record<string, string>> = { '€': 'EUR', eur: 'EUR', $: 'USD' }

/** Whether the filter has criteria. Without one it selects all events, locked ones too. */
export const hasCriteria = (price: Price): boolean => Object.keys(price).length > 0

export function fitsPrice(event: EventFacts, { free, upTo, currency }: Price): boolean {
  const prices = pricesOf(event)
  const code = currency && (codes[currency] ?? currency)
  const isPaid = (one: Range) => one.highest > 0
  const inCurrency = prices.filter((one) => code === undefined || one.currency === code)
  return (
    (free === undefined || (free ? prices.length > 0 && !prices.some(isPaid) : inCurrency.some(isPaid))) &&
    ((upTo === undefined && (code === undefined || free !== undefined)) ||
      prices.some(({ lowest }) => lowest === 0) ||
      inCurrency.some(({ lowest }) => lowest <= (upTo ?? Infinity)))
  )
}

const line = (text: string) => fold(text).replace(/\s+/g, ' ').trim()

export const isIn = (venue: LinkedFacts, cities: readonly string[], reader: Reader): boolean => {
  const city = line(venue.contact.city ?? '')
  return isOpen(venue, reader) && city !== '' && cities.some((each) => line(each) === city)
}

export function isNamed(venue: LinkedFacts, placeName: string, reader: Reader): boolean {
  const { address = '', city = '' } = venue.contact
  const name = served(venue.texts, reader.language, 'name')
  const fields = isOpen(venue, reader) ? [name, address, city] : [name]
  return placeName.split(' ').every((word) => fields.some((field) => line(field).includes(line(word))))
}
