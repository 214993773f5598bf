import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import {
  type PageEventCardFragment,
  PageEventDocument,
  type PageEventFragment,
  type PageEventLinkFragment,
} from '../../generated/graphql/graphql.ts'
import { addToCalendarLinks, calendarFormats } from './calendar-links.ts'
import {
  addressParts,
  chips,
  definitionList,
  escaped,
  eventCards,
  eventTimeHtml,
  langAttribute,
  translationNote,
  websiteLink,
} from './components.ts'
import { stateNote, stateText, titleWithStateHtml } from './event-state.ts'
import type { Page, PageRequest } from './page.ts'
import { type PostTarget, postPage, postText, statusNote } from './post-page.ts'

export async function eventPage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { event } = await pageRequest.execute(PageEventDocument, { ...target, around: true }, pageRequest.context)
  if (!event) throw notFound('event', 'id' in target ? 'id' : 'slug')
  const { previous = null, next = null } = event
  const parts = {
    title: stateText(event, pageRequest) + event.title,
    heading: titleWithStateHtml(event, pageRequest),
    header: html`<p class="when">!${eventTimeHtml(event, pageRequest.language)}</p>
!${notes(event, pageRequest)}`,
    aside: html`!${definitionList(eventDetails(event, pageRequest))}
!${addToCalendarLinks(event, pageRequest)}`,
    breadcrumbs: event.categories.slice(0, 1),
    neighbors: { ...(previous && { prev: previous.url }), ...(next && { next: next.url }) },
    footer: html`!${relatedEvents(event.related ?? [], pageRequest)}
!${neighborLinks({ previous, next }, pageRequest)}`,
    content: () => content(event, pageRequest),
    restPath: `/events/${event.databaseId}`,
    formats: [...calendarFormats(event.icalendarUrl, pageRequest), ...oEmbedFormats(event, pageRequest)],
  }
  return postPage(event, parts, pageRequest)
}

const relatedEvents = (events: readonly PageEventCardFragment[], pageRequest: PageRequest): string =>
  events.length === 0
    ? ''
    : html`<section class="wrap" aria-labelledby="related"><h2 id="related">${pageRequest.messages.relatedEvents}</h2>
!${eventCards(events, pageRequest)}</section>`

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

const oEmbedFormats = ({ url, title }: PageEventFragment, { settings }: PageRequest): NonNullable<Page['formats']> =>
  ['json', 'xml'].map((format) => {
    const query = new URLSearchParams({ url, format })
    const type = format === 'json' ? 'application/json+oembed' : 'text/xml+oembed'
    return { type, title, url: `${settings.publicUrl}/oembed?${query}` }
  })

const notes = (event: PageEventFragment, pageRequest: PageRequest): string =>
  html`!${statusNote(event, pageRequest)}!${stateNote(event, pageRequest)}!${
    event.endsAt < pageRequest.context.now ? html`<p class="note">${pageRequest.messages.over}</p>` : ''
  }!${translationNote(event, pageRequest)}`

function eventDetails(event: PageEventFragment, pageRequest: PageRequest): [string, string][] {
  const { messages } = pageRequest
  return [
    [messages.where, event.venues.map(venueLine).join('<br>')],
    [messages.attendance, attendance(event, pageRequest)],
    [messages.organizers, event.organizers.map(({ name, url }) => html`<a href="${url}">${name}</a>`).join('<br>')],
    [messages.cost, event.cost?.text === 'Free' ? escaped(messages.free) : escaped(event.cost?.text)],
    [
      messages.tickets,
      event.tickets.map(({ name, price, currency }) => html`${name}: ${price} ${currency}`).join('<br>'),
    ],
    [messages.website, websiteLink(event.website)],
    ...event.customFields.map(({ label, value }): [string, string] => [label, escaped(asText(value))]),
    [messages.categories, chips(event.categories)],
    [messages.tags, chips(event.tags)],
    [messages.partOf, event.parent ? titleLink(event.parent, pageRequest) : ''],
  ]
}

const titleLink = (event: PageEventLinkFragment, pageRequest: PageRequest): string =>
  html`<a href="${event.url}"!${langAttribute(event.languages.tag, pageRequest)}>!${titleWithStateHtml(event, pageRequest)}</a>`

function attendance({ attendanceMode, onlineUrl }: PageEventFragment, { messages }: PageRequest): string {
  if (attendanceMode === 'OFFLINE') return ''
  const mode = messages.attendanceModes[attendanceMode]
  return onlineUrl === null ? escaped(mode) : html`${mode} · !${websiteLink(onlineUrl)}`
}

function venueLine({ name, url, ...venue }: PageEventFragment['venues'][number]): string {
  const location = addressParts(venue).join(', ')
  return html`<a href="${url}">${name}</a>!${location === '' ? '' : html`, ${location}`}`
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join(', ') : typeof value === 'object' ? '' : String(value)

const content = (event: PageEventFragment, pageRequest: PageRequest): string =>
  html`!${postText(event, pageRequest)}
!${
    event.children.nodes.length === 0
      ? ''
      : html`<section aria-labelledby="parts"><h2 id="parts">${pageRequest.messages.parts}</h2>!${eventCards(
          event.children.nodes,
          pageRequest,
        )}</section>`
  }`
