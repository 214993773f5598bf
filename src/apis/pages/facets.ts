// Filters of the landing page as links, with the number of events of each filter value.

import { html } from 'ghtml'
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import { languageOfCode } from '../../basics/language.ts'
import type { PageFacetsFragment } from '../../generated/graphql/graphql.ts'
import { type CalendarQuery, calendarHref, type FilterName, hasMonthPage, replaceFilter } from './calendar-query.ts'
import { formatDays, formatMonth } from './date-format.ts'
import { languageName, type Messages } from './messages.ts'
import type { PageContext } from './page.ts'

interface Value {
  readonly value: string
  /** Other values of the query parameter with the same meaning, such as the slug in another language. */
  readonly aliases?: readonly (string | null)[]
  readonly label: string
  readonly count: number
}

/** Returns links that set filters. The link of a selected value removes the filter. The style sheet unfolds them on wide screens. */
export function facetLinksHtml(facets: PageFacetsFragment, query: CalendarQuery, pageContext: PageContext): string {
  const { language, messages } = pageContext
  const valuesOf = valuesByFilter(facets, pageContext)
  const groups = (Object.keys(valuesOf) as FilterName[]).map((name) => {
    const links = valuesOf[name].map((each) => {
      const isCurrent = isValue(each, query.filters[name])
      const url = calendarHref(replaceFilter(query, name, isCurrent ? undefined : each.value), pageContext)
      return { ...each, isCurrent, url }
    })
    return group(messages.filters[name], links)
  })
  const months = facets.months.flatMap(({ month, count }) => {
    if (!hasMonthPage(month)) return []
    const isCurrent = month === query.month
    const url = calendarHref({ ...query, month: isCurrent ? undefined : month, date: undefined }, pageContext)
    return { label: formatMonth(month, language), count, isCurrent, url }
  })
  const values = [...groups, query.view === 'list' ? group(messages.filters.month, months) : ''].join('')
  return values === ''
    ? ''
    : html`<aside class="filters" id="filters" aria-labelledby="filter"><h2 id="filter">${messages.filter}</h2>
<details><summary>${filtersSet(Object.keys(query.filters).length, messages)}</summary><div>!${values}</div></details></aside>`
}

const filtersSet = (count: number, { noFilterSet, filtersSet }: Messages): string =>
  count === 0 ? noFilterSet : fillPlaceholders(filtersSet, { count })

function valuesByFilter(facets: PageFacetsFragment, { language, messages }: PageContext): Record<FilterName, Value[]> {
  return {
    category: facets.categories.map(({ category, count }) => ({
      ...{ value: category.slug, label: category.name, count },
      aliases: category.translations.map(({ slug }) => slug),
    })),
    city: facets.cities.map(({ city, count }) => ({ value: city, label: city, count })),
    price: facets.prices.map(({ price, count }) => {
      const value = price === 'FREE' ? 'free' : 'paid'
      return { value, label: messages[value], count }
    }),
    language: facets.languages.map(({ language: code, count }) => {
      const value = languageOfCode(code)
      return { value, label: languageName(value, language), count }
    }),
  }
}

const isValue = ({ value, aliases = [] }: Value, selected: string | undefined): boolean =>
  selected !== undefined && [value, ...aliases].includes(selected)

interface FacetLink extends Pick<Value, 'label' | 'count'> {
  readonly isCurrent: boolean
  readonly url: string
}

function group(title: string, links: readonly FacetLink[]): string {
  if (links.length < 2 && !links.some(({ isCurrent }) => isCurrent)) return ''
  return html`<details open><summary>${title}</summary><ul>!${links.map(
    ({ label, count, isCurrent, url }) =>
      html`<li><a href="${url}" rel="nofollow"!${isCurrent ? ' aria-current="true"' : ''}>${label} <span>${count}</span></a></li>`,
  )}</ul></details>`
}

/** Returns the label of the days or month to which a list is limited, and the query without this limit; or undefined. */
export function describePeriod({ view, date, to, month, ...others }: CalendarQuery, language: string) {
  const label =
    date !== undefined
      ? formatDays(date, to ?? date, language)
      : view === 'list' && month !== undefined
        ? formatMonth(month, language)
        : undefined
  return label === undefined ? undefined : { label, without: { ...others, view } }
}

/** Returns the active filters as links; each link removes its filter. */
export function activeFilterLinksHtml(
  query: CalendarQuery,
  facets: PageFacetsFragment,
  pageContext: PageContext,
): string {
  const { language, messages } = pageContext
  const values = valuesByFilter(facets, pageContext)
  const set = [
    ...[describePeriod(query, language)].flatMap((period) => period ?? []),
    ...(query.search === undefined ? [] : [{ label: query.search, without: { ...query, search: undefined } }]),
    ...(Object.entries(query.filters) as [FilterName, string][]).map(([name, value]) => ({
      label: values[name].find((each) => isValue(each, value))?.label ?? value,
      without: replaceFilter(query, name, undefined),
    })),
  ]
  if (set.length === 0) return ''
  return html`<ul class="chips active" aria-label="${messages.activeFilters}">!${set.map(
    ({ label, without }) =>
      html`<li><a href="${calendarHref(without, pageContext)}" rel="nofollow" aria-label="${fillPlaceholders(messages.removeFilter, { label })}">${label} <span aria-hidden="true">×</span></a></li>`,
  )}</ul>`
}
