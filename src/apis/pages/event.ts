import { html } from 'ghtml'
import { notFoundError } from '../../basics/errors.ts'
import {
  type PageEventCardFragment,
  PageEventDocument,
  type PageEventFragment,
  type PageEventLinkFragment,
  type PageEventQuery,
} from '../../generated/graphql/graphql.ts'
import { addToCalendarLinksHtml, calendarFeedLink } from './calendar-links.ts'
import {
  addressLines,
  definitionListHtml,
  escapeHtml,
  eventCardsHtml,
  langAttribute,
  termLinksHtml,
  translationNoteHtml,
  websiteLinkHtml,
} from './components.ts'
import { eventTimeHtml } from './date-format.ts'
import { eventStateNoteHtml, eventStateText, titleWithStateHtml } from './event-state.ts'
import type { Page, PageRequest } from './page.ts'
import { createPostPage, type PostIdOrSlug, postTextHtml, statusNoteHtml } from './post-page.ts'
import { proposeLinkHtml } from './propose/link.ts'
import { seriesDatesHtml } from './series.ts'

export async function createEventPage(target: PostIdOrSlug, pageRequest: PageRequest): Promise<Page> {
  const { event } = await pageRequest.execute(PageEventDocument, { ...target, around: true }, pageRequest.context)
  if (!event) throw notFoundError('event', 'id' in target ? 'id' : 'slug')
  const { previous = null, next = null, series = null } = event
  // The URL without a day is the page of the series, which shows its next date.
  const isSeries = series && 'slug' in target && target.day === undefined
  const parts = {
    title: eventStateText(event, pageRequest) + event.title,
    heading: titleWithStateHtml(event, pageRequest),
    header: html`<p class="when">!${eventTimeHtml(event, pageRequest.language)}</p>
!${notes(event, pageRequest)}`,
    aside: html`!${definitionListHtml(eventDetails(event, pageRequest))}
!${addToCalendarLinksHtml(event, pageRequest)}!${proposeLinkHtml(pageRequest, event)}`,
    breadcrumbs: [
      ...event.categories.slice(0, 1),
      ...(series && !isSeries ? [{ name: series.title, url: series.url }] : []),
    ],
    neighbors: { ...(previous && { prev: previous.url }), ...(next && { next: next.url }) },
    footer: html`!${series ? seriesDatesHtml(series, event.url, pageRequest) : ''}
!${relatedEvents(event.related ?? [], pageRequest)}
!${neighborLinks({ previous, next }, pageRequest)}`,
    content: () => content(event, pageRequest),
    restPath: `/events/${event.databaseId}`,
    edit: { kind: 'event' as const, id: event.databaseId },
    formats: [
      ...calendarFeedLink((isSeries ? series : event).icalendarUrl, pageRequest),
      ...oEmbedFormats({ ...event, ...(isSeries && { url: series.url }) }, pageRequest),
    ],
  }
  return createPostPage({ ...event, ...(isSeries && { id: series.id, url: series.url }) }, parts, pageRequest)
}

const relatedEvents = (events: readonly PageEventCardFragment[], pageRequest: PageRequest): string =>
  events.length === 0
    ? ''
    : html`<section class="wrap" aria-labelledby="related"><h2 id="related">${pageRequest.messages.relatedEvents}</h2>
!${eventCardsHtml(events, pageRequest)}</section>`

type ShownEvent = NonNullable<PageEventQuery['event']>

type Neighbors = Readonly<Record<'previous' | 'next', PageEventLinkFragment | null>>

function neighborLinks({ previous, next }: Neighbors, pageRequest: PageRequest): string {
  const { messages } = pageRequest
  const link = (event: PageEventLinkFragment | null, rel: string, label: string) =>
    event === null
      ? ''
      : html`<a href="${event.url}" rel="${rel}"><small>${label}</small><span!${langAttribute(event.languages.tag, pageRequest)}>!${titleWithStateHtml(event, pageRequest)}</span></a>`
  if (!previous && !next) return ''
  return html`<nav class="neighbors wrap" aria-label="${messages.otherEvents}">!${link(previous, 'prev', messages.previousEvent)}!${link(next, 'next', messages.nextEvent)}</nav>`
}

const oEmbedFormats = (
  { url, title }: Pick<PageEventFragment, 'url' | 'title'>,
  { settings }: PageRequest,
): NonNullable<Page['formats']> =>
  ['json', 'xml'].map((format) => {
    const query = new URLSearchParams({ url, format })
    const type = format === 'json' ? 'application/json+oembed' : 'text/xml+oembed'
    return { type, title, url: `${settings.publicUrl}/oembed?${query}` }
  })

const notes = (event: ShownEvent, pageRequest: PageRequest): string =>
  html`!${statusNoteHtml(event, pageRequest)}!${dateNote(event)}!${eventStateNoteHtml(event, pageRequest)}!${
    event.endsAt < pageRequest.context.now ? html`<p class="note">${pageRequest.messages.over}</p>` : ''
  }!${translationNoteHtml(event, pageRequest)}`

const dateNote = ({ dateLabel, dateNote }: ShownEvent): string =>
  dateLabel === null && dateNote === null
    ? ''
    : html`<p class="note">!${dateLabel === null ? '' : html`<strong>${dateLabel}</strong> `}${dateNote}</p>`

function eventDetails(event: ShownEvent, pageRequest: PageRequest): [string, string][] {
  const { messages } = pageRequest
  return [
    [messages.schedule, escapeHtml(event.series?.words)],
    [messages.where, event.venues.map(venueLine).join('<br>')],
    [messages.attendance, attendance(event, pageRequest)],
    [messages.organizers, event.organizers.map(({ name, url }) => html`<a href="${url}">${name}</a>`).join('<br>')],
    [messages.cost, event.cost?.text === 'Free' ? escapeHtml(messages.free) : escapeHtml(event.cost?.text)],
    [
      messages.tickets,
      event.tickets.map(({ name, price, currency }) => html`${name}: ${price} ${currency}`).join('<br>'),
    ],
    [messages.website, websiteLinkHtml(event.website)],
    ...event.customFields.map(({ label, value }): [string, string] => [label, escapeHtml(asText(value))]),
    [messages.categories, termLinksHtml(event.categories)],
    [messages.tags, termLinksHtml(event.tags)],
    [messages.partOf, event.parent ? titleLink(event.parent, pageRequest) : ''],
  ]
}

const titleLink = (event: PageEventLinkFragment, pageRequest: PageRequest): string =>
  html`<a href="${event.url}"!${langAttribute(event.languages.tag, pageRequest)}>!${titleWithStateHtml(event, pageRequest)}</a>`

function attendance({ attendanceMode, onlineUrl }: PageEventFragment, { messages }: PageRequest): string {
  if (attendanceMode === 'OFFLINE') return ''
  const mode = messages.attendanceModes[attendanceMode]
  return onlineUrl === null ? escapeHtml(mode) : html`${mode} · !${websiteLinkHtml(onlineUrl)}`
}

function venueLine({ name, url, ...venue }: PageEventFragment['venues'][number]): string {
  const location = addressLines(venue).join(', ')
  return html`<a href="${url}">${name}</a>!${location === '' ? '' : html`, ${location}`}`
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join(', ') : typeof value === 'object' ? '' : String(value)

const content = (event: PageEventFragment, pageRequest: PageRequest): string =>
  html`!${postTextHtml(event, pageRequest)}
!${
    event.children.nodes.length === 0
      ? ''
      : html`<section aria-labelledby="parts"><h2 id="parts">${pageRequest.messages.parts}</h2>!${eventCardsHtml(
          event.children.nodes,
          pageRequest,
        )}</section>`
  }`
