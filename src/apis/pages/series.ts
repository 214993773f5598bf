// The dates of a series: on the page of each of them, and on cards.
import { html } from 'ghtml'
import type {
  PageEventCardFragment,
  PageSeriesDateFragment,
  PageSeriesFragment,
} from '../../generated/graphql/graphql.ts'
import { subscriptionLinksHtml } from './calendar-links.ts'
import { dateTimeAttribute, eventTimeHtml, formatShortDay } from './date-format.ts'
import { formatCountedText } from './messages.ts'
import type { PageContext, PageRequest } from './page.ts'

/** Number of dates that a page shows unfolded. */
const unfolded = 12

/** Returns the dates of the series as HTML, with the one of the page marked. `url` is the URL of its event. */
export function seriesDatesHtml(
  { upcoming, past, icalendarUrl }: PageSeriesFragment,
  url: string,
  request: PageRequest,
) {
  const { messages } = request
  const [first, more] = [upcoming.nodes.slice(0, unfolded), upcoming.nodes.slice(unfolded)]
  const folded = (label: string, { nodes, totalCount }: PageSeriesFragment['past']) => {
    if (nodes.length === 0) return ''
    const left = totalCount - nodes.length
    const isOpen = nodes.some((date) => date.url === url)
    return html`<details!${isOpen ? ' open' : ''}><summary>${label}</summary>!${dateList(nodes, url, request)}!${
      left > 0 ? html`<p>${formatCountedText(messages.moreDates, left, messages)}</p>` : ''
    }</details>`
  }
  const count = upcoming.totalCount - first.length
  return html`<section class="wrap dates" aria-labelledby="dates"><h2 id="dates">${messages.dates}</h2>
!${dateList(first, url, request)}
!${folded(formatCountedText(messages.moreDates, count, messages), { nodes: more, totalCount: count })}
!${folded(messages.pastDates, past)}
!${icalendarUrl === null ? '' : subscriptionLinksHtml(icalendarUrl, request)}</section>`
}

const dateList = (dates: readonly PageSeriesDateFragment[], url: string, page: PageContext): string =>
  dates.length === 0 ? '' : html`<ul>!${dates.map((date) => dateItem(date, date.url === url, page))}</ul>`

function dateItem(date: PageSeriesDateFragment, isCurrent: boolean, { language, messages }: PageContext): string {
  const { url, eventStatus, dateLabel } = date
  return html`<li><a href="${url}"!${isCurrent ? ' aria-current="true"' : ''}>!${eventTimeHtml(date, language)}</a>!${
    eventStatus === 'SCHEDULED' ? '' : html` <span class="state">${messages.statuses[eventStatus].label}</span>`
  }!${dateLabel === null ? '' : html` <small>${dateLabel}</small>`}</li>`
}

/** Returns the next dates of the series of an event as HTML, without the event itself; empty if there are none. */
export function otherDatesHtml({ series, url }: PageEventCardFragment, { language, messages }: PageContext): string {
  if (!series) return ''
  const { nodes, totalCount } = series.next
  const others = nodes.filter((date) => date.url !== url)
  const day = (date: PageSeriesDateFragment | undefined) => date?.startsLocal.slice(0, 10)
  const shown = others.filter((date, index) => day(date) !== day(others[index - 1])).slice(0, 3)
  if (shown.length === 0) return ''
  const left = totalCount - shown.length - (nodes.length - others.length)
  const links = shown.map(
    (date) =>
      html`<a href="${date.url}"><time datetime="${dateTimeAttribute(date.startsAt, date)}">${formatShortDay(date.startsLocal, language)}</time></a>`,
  )
  const more = html`<a href="${series.url}#dates">${formatCountedText(messages.moreDates, left, messages)}</a>`
  return html`<p class="also">${messages.alsoOn} !${links.join(', ')}!${left > 0 ? ` · ${more}` : ''}</p>`
}
