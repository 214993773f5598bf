// The month view: a grid of weeks on wide screens, which the style sheet turns into an agenda on narrow ones.
import { html } from 'ghtml'
import { weekday, weekRules } from '../../basics/dates/week.ts'
import { addDays, addMonths } from '../../basics/time.ts'
import type { PageDayEventFragment, PageMonthQuery } from '../../generated/graphql/graphql.ts'
import { type CalendarQuery, calendarHref, formatCalendarQuery, hasMonthPage } from './calendar-query.ts'
import { langAttribute } from './components.ts'
import { dateTimeAttribute, formatDay, formatMonth, formatTime, formatWeekday } from './date-format.ts'
import { titleWithStateHtml } from './event-state.ts'
import { formatCountedText } from './messages.ts'
import type { PageContext } from './page.ts'

type Day = PageMonthQuery['eventCalendar']['days'][number]

interface Month {
  readonly month: string
  readonly today: string
  readonly query: CalendarQuery
}

const monthAfter = (month: string, months: number): string => addMonths(`${month}-01T00:00:00`, months).slice(0, 7)

/** Returns the previous and the next month, such as `2026-11`; undefined in place of a month without a page. */
export const adjacentMonths = (month: string): readonly (string | undefined)[] =>
  [monthAfter(month, -1), monthAfter(month, 1)].map((other) => (hasMonthPage(other) ? other : undefined))

/** Renders the weeks of a month. Narrow screens hide past days, unless the URL names the month. */
export function monthGridHtml(days: readonly Day[], { month, today, query }: Month, pageContext: PageContext): string {
  const { language, settings } = pageContext
  const { firstDay } = weekRules(settings.siteTimeZone)
  const column = (date: string) => ((weekday(date) - firstDay + 7) % 7) + 1
  // Any Monday serves to format the names of weekdays: 2024-01-01 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, index) => `2024-01-0${((firstDay - 1 + index) % 7) + 1}`)
  const hidesPast = query.month === undefined
  return html`<ol class="weekdays" aria-hidden="true">!${weekdays.map((day) => html`<li>${formatWeekday(day, language)}</li>`)}</ol>
<ol class="month">!${days.map((day) => {
    const classes = [
      'day',
      ...(day.date === `${month}-01` ? [`c${column(day.date)}`] : []),
      ...(day.date === today ? ['today'] : []),
      ...(hidesPast && day.date < today ? ['past'] : []),
    ]
    return dayCell(day, classes, { month, today, query }, pageContext)
  })}</ol>`
}

function dayCell(
  { date, totalCount, events }: Day,
  classes: string[],
  { today, query }: Month,
  pageContext: PageContext,
): string {
  const { language, messages } = pageContext
  const day = Number(date.slice(8))
  if (totalCount === 0) return html`<li class="${[...classes, 'none'].join(' ')}" aria-hidden="true"><b>${day}</b></li>`
  const more = totalCount - events.length
  const dayUrl = formatCalendarQuery({ ...query, view: 'list', month: undefined, date })
  return html`<li class="${classes.join(' ')}"><b aria-hidden="true">${day}</b><h3!${date === today ? ' aria-current="date"' : ''}><time datetime="${date}">${formatDay(date, language)}</time></h3>
<ul>!${events.map((event) => dayEvent(event, date, pageContext))}!${
    more > 0
      ? html`<li class="more"><a href="${dayUrl}" rel="nofollow">${formatCountedText(messages.moreEvents, more, messages)}</a></li>`
      : ''
  }</ul></li>`
}

function dayEvent(event: PageDayEventFragment, date: string, pageContext: PageContext): string {
  const { language, settings } = pageContext
  const startsHere = !event.allDay && dayOf(event.startsLocal, settings) === date
  const time = startsHere
    ? html`<time datetime="${dateTimeAttribute(event.startsAt, event)}">${formatTime(event.startsLocal, language)}</time> `
    : ''
  const [venue] = event.venues
  return html`<li><a href="${event.url}"!${langAttribute(event.languages.tag, pageContext)}>!${time}!${titleWithStateHtml(event, pageContext)}</a>!${
    venue ? html`<small>${venue.name}</small>` : ''
  }</li>`
}

/** Returns the day of a local time. A time before END_OF_DAY_CUTOFF belongs to the previous day. */
const dayOf = (local: string, { endOfDayCutoff }: PageContext['settings']): string =>
  addDays(local, local.slice(11, 16) < endOfDayCutoff ? -1 : 0).slice(0, 10)

export function adjacentMonthLinksHtml({ month, today, query }: Month, pageContext: PageContext): string {
  const { language, messages } = pageContext
  const [prev, next] = adjacentMonths(month)
  const link = (other: string | undefined, rel: 'prev' | 'next', arrow: string) =>
    other === undefined
      ? ''
      : html`<a href="${formatCalendarQuery({ ...query, month: other })}" rel="${isMonthNear(other, today) ? rel : `${rel} nofollow`}" aria-label="${formatMonth(other, language)}">!${arrow}</a>`
  const current = calendarHref({ ...query, month: undefined }, pageContext)
  return html`<nav class="months" aria-label="${messages.months}">!${link(prev, 'prev', arrow('m10 3-5 5 5 5'))}<a href="${current}">${messages.thisMonth}</a>!${link(next, 'next', arrow('m6 3 5 5-5 5'))}</nav>`
}

const arrow = (path: string) =>
  html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}" fill="none" stroke="currentColor" stroke-width="2"/></svg>`

/** Whether crawlers may follow a link to the month. Without a limit, they would follow the next month for ever. */
const isMonthNear = (month: string, today: string): boolean =>
  month >= monthAfter(today.slice(0, 7), -12) && month <= monthAfter(today.slice(0, 7), 24)
