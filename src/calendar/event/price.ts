// The filter of events by price. The prices of an event are the amounts of its cost and the prices of its tickets.
import { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../service/graphql/builder.ts'
import { currencySpellings, type SiteCurrency } from './currency.ts'

export const PriceFilter = builder.inputType('PriceFilter', {
  description:
    'Selects events by their prices: the amounts of `cost` and the prices of tickets. Criteria combine with AND. Events without a known price match none of them.',
  fields: (t) => ({
    free: t.boolean({
      description: 'True: only events whose prices are all 0, such as `Free`. False: only events with a price above 0.',
    }),
    upTo: t.float({
      description: 'Only events whose lowest price is not above this amount. A price of 0 is free in any currency.',
    }),
    currency: t.string({
      description:
        'Compares only prices in this currency: an ISO 4217 code such as `EUR`, or a symbol such as `€`. Prices without a currency are in the default currency of the site.',
    }),
  }),
})

type PriceFilterInput = typeof PriceFilter.$inferInput

export function findPriceErrors(price: PriceFilterInput | null | undefined): Readonly<Record<string, string>> {
  if (!price) return {}
  const problems: string[] = []
  if (price.upTo != null && price.upTo < 0) problems.push('upTo must be 0 or greater.')
  if (price.currency != null && !/^[^\s\p{Cc}\p{Cs}]{1,10}$/u.test(price.currency.trim())) {
    problems.push('currency must be an ISO 4217 code such as EUR, or a symbol such as €.')
  }
  return problems.length > 0 ? { price: problems.join(' ') } : {}
}

/** Selects events whose field `cost` has an amount, whatever the prices of tickets. */
export const costHasAmountFilter: Prisma.EventWhereInput = { lowestCost: { not: null } }
export const costAboveZeroFilter: Prisma.EventWhereInput = {
  AND: [{ highestCost: { not: null } }, { highestCost: { gt: 0 } }],
}

/** Converts the filter by price to conditions. No condition is NULL in SQL, so that each can be negated. */
export function toPriceConditions(
  { free, upTo, currency }: PriceFilterInput,
  site: SiteCurrency,
): Prisma.EventWhereInput[] {
  const spellings = currency == null ? undefined : currencySpellings(currency, site)
  const inCurrency = spellings ? inSpellings(spellings, site) : { cost: [], ticket: {} }
  const filters: Prisma.EventWhereInput[] = []
  if (free === true) {
    const hasPrice = { OR: [costHasAmountFilter, { tickets: { some: {} } }] }
    filters.push(hasPrice, { NOT: { OR: [costAboveZeroFilter, { tickets: { some: { price: { gt: 0 } } } }] } })
  }
  if (free === false) {
    const ticket = { tickets: { some: { price: { gt: 0 }, ...inCurrency.ticket } } }
    filters.push({ OR: [{ AND: [costAboveZeroFilter, ...inCurrency.cost] }, ticket] })
  }
  if (upTo != null || (spellings && free == null)) {
    const limit = new Prisma.Decimal(Math.min(upTo ?? maxTicketPrice, maxTicketPrice))
    const ticketLimit = { lte: limit.toDecimalPlaces(2, Prisma.Decimal.ROUND_DOWN) }
    const cost = [...(upTo == null ? [] : [{ lowestCost: { lte: upTo } }]), ...inCurrency.cost]
    const isAffordable = { OR: [{ lowestCost: { lte: 0 } }, { AND: cost }] }
    const ticket = { OR: [{ price: { lte: 0 } }, { price: ticketLimit, ...inCurrency.ticket }] }
    filters.push({ OR: [{ AND: [costHasAmountFilter, isAffordable] }, { tickets: { some: ticket } }] })
  }
  return filters
}

/** Maximum price of a ticket, with two decimal places. */
const maxTicketPrice = 9_999_999_999.99

function inSpellings(spellings: readonly string[], site: SiteCurrency) {
  const isDefault = currencySpellings(site.defaultCurrencySymbol, site).some((spelling) => spellings.includes(spelling))
  return {
    cost: [{ costCurrency: { not: null } }, { costCurrency: { in: [...spellings, ...(isDefault ? [''] : [])] } }],
    ticket: { currency: { in: [...spellings] } },
  }
}
