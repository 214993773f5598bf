// The filters of the month view and of the list are parameters of the address, so that links and the history keep them.
import { useSearch } from 'wouter'
import { isDate } from './dates.ts'
import type { EventFilter, EventPriceKind, LanguageCode } from './gql/graphql.ts'
import { languages } from './languages.ts'

export interface Filters {
  readonly category: string | null
  readonly city: string | null
  readonly price: EventPriceKind | null
  readonly language: LanguageCode | null
  readonly search: string | null
  /** One day. */
  readonly on: string | null
}

export function useFilters(): { readonly filters: Filters; readonly search: string } {
  const search = useSearch()
  return { filters: readFilters(search), search }
}

function readFilters(search: string): Filters {
  const params = new URLSearchParams(search)
  const text = (name: string) => params.get(name)?.trim() || null
  const price = text('price')
  const on = text('on')
  return {
    category: text('category'),
    city: text('city'),
    price: price === 'FREE' || price === 'PAID' ? price : null,
    language: languages.find(({ tag }) => tag === text('lang'))?.code ?? null,
    search: text('q'),
    on: isDate(on) ? on : null,
  }
}

export function eventFilter({ category, city, price, language, search, on }: Filters): EventFilter {
  return {
    ...(category && { categories: [category] }),
    ...(city && { cities: [city] }),
    ...(price && { price: { free: price === 'FREE' } }),
    ...(language && { translatedInto: [language] }),
    ...(search && { search }),
    ...(on && { between: { from: on, to: on, timeZone: 'local', match: 'OVERLAPPING' as const } }),
  }
}

export const facetNames = ['category', 'city', 'price', 'lang'] as const

/** The query string with a parameter set, or removed by null. */
export function withParam(search: string, name: string, value: string | null): string {
  const params = new URLSearchParams(search)
  if (value === null) params.delete(name)
  else params.set(name, value)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

export function withoutFacets(search: string): string {
  return facetNames.reduce((rest, name) => withParam(rest, name, null), search)
}
