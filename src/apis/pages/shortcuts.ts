// Links to what most visitors look for: today, this weekend, free events.
import { html } from 'ghtml'
import { weekendOf } from '../../basics/dates/week.ts'
import { type CalendarQuery, calendarHref, replaceFilter } from './calendar-query.ts'
import { type PageRequest, todayOf } from './page.ts'

/** Returns links that set one filter and keep the others. On narrow screens one more link leads down to all filters. */
export function shortcutLinksHtml(query: CalendarQuery, hasFiltersBelow: boolean, pageRequest: PageRequest): string {
  const { settings, messages } = pageRequest
  const today = todayOf(pageRequest)
  const { first, last } = weekendOf(today, settings.siteTimeZone)
  const link = (text: string, isCurrent: boolean, target: CalendarQuery) => {
    const url = calendarHref({ ...target, view: 'list' }, pageRequest)
    return html`<li><a href="${url}" rel="nofollow"!${isCurrent ? ' aria-current="true"' : ''}>${text}</a></li>`
  }
  const days = (text: string, date: string, to?: string) => {
    const isCurrent = query.date === date && query.to === to
    const range = isCurrent ? { date: undefined, to: undefined } : { date, to }
    return link(text, isCurrent, { ...query, month: undefined, ...range })
  }
  const isFree = query.filters.price === 'free'
  return html`<nav class="shortcuts" aria-label="${messages.shortcuts}"><ul>!${[
    days(messages.today, today),
    days(messages.thisWeekend, first, last === first ? undefined : last),
    link(messages.free, isFree, replaceFilter(query, 'price', isFree ? undefined : 'free')),
    hasFiltersBelow ? html`<li class="narrow"><a href="#filters">${messages.noFilterSet}</a></li>` : '',
  ]}</ul></nav>`
}
