// The state of an event on the pages: whether it takes place as planned, and whether people attend it online.
import { html } from 'ghtml'
import type { PageEventStateFragment } from '../generated/graphql/graphql.ts'
import { toWallClock } from '../time.ts'
import { formatDate, machineTime } from './date-format.ts'
import type { PageContext } from './page.ts'

type StatePage = Pick<PageContext, 'language' | 'messages'>

/** Labels for a list of events. Empty for an event that takes place as planned on site. */
export function stateLabels({ eventStatus, attendanceMode }: PageEventStateFragment, page: StatePage): string {
  const { statuses, attendanceModes } = page.messages
  const labels = [
    ...(eventStatus === 'SCHEDULED' ? [] : [statuses[eventStatus].label]),
    ...(attendanceMode === 'OFFLINE' || eventStatus === 'MOVED_ONLINE' ? [] : [attendanceModes[attendanceMode]]),
  ]
  if (labels.length === 0) return ''
  return html`<ul class="states">!${labels.map((label) => html`<li>${label}</li>`)}</ul>`
}

/** A note for the page of the event, unless it takes place as planned. */
export function stateNote(event: PageEventStateFragment, page: StatePage): string {
  if (event.eventStatus === 'SCHEDULED') return ''
  const { label, text } = page.messages.statuses[event.eventStatus]
  const before = previousDate(event, page)
  return html`<p class="note"><strong>${label}.</strong> ${text}!${before && ` ${before}`}</p>`
}

/** The start before the event was moved. Empty for an event that takes place as planned. */
export function previousDate(
  { eventStatus, previousStartsAt, ...event }: PageEventStateFragment,
  page: StatePage,
): string {
  if (eventStatus === 'SCHEDULED' || previousStartsAt === null) return ''
  const date = formatDate(toWallClock(previousStartsAt, event.timeZone), event, page.language)
  return html`${page.messages.previousDate} <time datetime="${machineTime(previousStartsAt, event)}">${date}</time>`
}
