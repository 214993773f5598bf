// Finds the cost entries that an event was stored with: the site shows only what it computed from them.
import { z } from 'zod'
import { type CurrencyDefaults, readCost } from '../../calendar/event/cost.ts'
import { line } from './fields.ts'

const details = z
  .object({
    currency_symbol: line,
    currency_position: z.string().catch(''),
    values: z.array(z.union([z.string(), z.number()]).transform(String)).catch([]),
  })
  .catch({ currency_symbol: '', currency_position: '', values: [] })

/** `isExact` tells whether the entries show the same cost here. */
export function readCostEntries(cost: unknown, costDetails: unknown, currency: CurrencyDefaults) {
  const text = line.parse(cost)
  const { currency_symbol: symbol, currency_position: position, values } = details.parse(costDetails)
  const numbers = values.filter((value) => /^\d/.test(value))
  if (text === '' && numbers.length === 0) return { entries: [], isExact: true }
  const withSymbol = numbers.map((value) => (position === 'postfix' ? `${value}${symbol}` : `${symbol}${value}`))
  // In the order of preference: what the site shows, without adding or removing a symbol.
  const candidates = [...(symbol ? [withSymbol] : []), numbers, [text], text.split(/\s+[-–—]\s+/)]
  const score = (entries: readonly string[]) => {
    const read = readCost(entries, currency)
    return (
      (read?.text === text ? 8 : 0) +
      (read?.values.join() === values.join() ? 4 : 0) +
      (read?.currencySymbol === symbol ? 2 : 0) +
      (read?.currencyPosition === position ? 1 : 0)
    )
  }
  const scored = candidates.filter(({ length }) => length > 0).map((entries) => ({ entries, score: score(entries) }))
  const [best] = scored.filter((each) => each.score >= 8).sort((a, b) => b.score - a.score)
  return { entries: best?.entries ?? [text], isExact: best !== undefined }
}
