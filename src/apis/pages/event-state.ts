// The state of an event on the pages: whether it takes place as planned, and whether people attend it online.

import { html } from 'ghtml'
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import { toWallClock } from '../../basics/time.ts'
import type { PageEventStateFragment } from '../../generated/graphql/graphql.ts'
import { dateTimeAttribute, formatDate } from './date-format.ts'
import type { PageContext } from './page.ts'

type StatePage = Pick<PageContext, 'language' | 'messages'>

/** The prefix of the title, such as `Cancelled: `. Empty for an event that takes place as planned. */
export const eventStateText = (
  { eventStatus }: Pick<PageEventStateFragment, 'eventStatus'>,
  { messages }: StatePage,
): string =>
  eventStatus === 'SCHEDULED'
    ? ''
    : `${fillPlaceholders(messages.beforeTitle, { label: messages.statuses[eventStatus].label })} `

/** Returns the title as HTML with its state, such as "Cancelled". The element around it must have the language of the title. */
export function titleWithStateHtml(
  event: Pick<PageEventStateFragment, 'eventStatus'> & {
    readonly title: string
    readonly languages: { readonly tag: string }
  },
  page: StatePage,
): string {
  const state = eventStateText(event, page)
  if (state === '') return html`${event.title}`
  const language = event.languages.tag === page.language ? '' : html` lang="${page.language}"`
  return html`<span class="state"!${language}>${state.trimEnd()}</span> ${event.title}`
}

/** Returns the label "online" or the like for a list of events; empty for an event that people attend on site. */
export const attendanceLabel = (
  { eventStatus, attendanceMode }: PageEventStateFragment,
  { messages }: StatePage,
): string =>
  attendanceMode === 'OFFLINE' || eventStatus === 'MOVED_ONLINE'
    ? ''
    : html`<ul class="states"><li>${messages.attendanceModes[attendanceMode]}</li></ul>`

export function eventStateNoteHtml(event: PageEventStateFragment, page: StatePage): string {
  if (event.eventStatus === 'SCHEDULED') return ''
  const { label, text } = page.messages.statuses[event.eventStatus]
  const before = formatPreviousStart(event, page)
  return html`<p class="note"><strong>${label}.</strong> ${text}!${before && ` ${before}`}</p>`
}

/** Returns the former start of a rescheduled or postponed event as HTML; empty for other events. */
export function formatPreviousStart(
  { eventStatus, previousStartsAt, ...event }: PageEventStateFragment,
  page: StatePage,
): string {
  if (eventStatus === 'SCHEDULED' || previousStartsAt === null) return ''
  const date = formatDate(toWallClock(previousStartsAt, event.timeZone), event, page.language)
  return html`${page.messages.previousDate} <time datetime="${dateTimeAttribute(previousStartsAt, event)}">${date}</time>`
}
