// Links that add an event to a calendar, or subscribe to a list of events. They need no script.
import { html } from 'ghtml'
import { allDayDates } from '../../basics/dates/whole-days.ts'
import { isIanaZone } from '../../basics/time.ts'
import type { PageEventFragment } from '../../generated/graphql/graphql.ts'
import type { Page, PageRequest } from './page.ts'

/** Returns the URL of the iCalendar feed of all events. */
export function siteCalendarUrl({ settings, language }: PageRequest): string {
  const { publicUrl, defaultLanguage } = settings
  const root = language === defaultLanguage ? publicUrl : `${publicUrl}/${language}`
  return `${root}/events.ics`
}

/** Returns the iCalendar feed at `url` as an alternate format of the page, for <link rel="alternate">. */
export const calendarFeedLink = (url: string | null, { settings }: PageRequest): NonNullable<Page['formats']> =>
  url === null ? [] : [{ type: 'text/calendar', url, title: settings.siteName }]

/** Returns the iCalendar, RSS and JSON feeds of a list of events as alternate formats of the page. */
export function listFeedLinks(calendarUrl: string | null, pageRequest: PageRequest): NonNullable<Page['formats']> {
  if (calendarUrl === null) return []
  const title = pageRequest.settings.siteName
  const address = (extension: string, lastSegment: string) =>
    calendarUrl.replace(/\/\?ical=1$/, `/${lastSegment}`).replace('/events.ics', `/events.${extension}`)
  return [
    ...calendarFeedLink(calendarUrl, pageRequest),
    { type: 'application/rss+xml', url: address('rss', 'feed/'), title },
    { type: 'application/feed+json', url: address('json', 'feed.json'), title },
  ]
}

const webcal = (url: string): string => url.replace(/^https?:/, 'webcal:')

const withQuery = (url: string, query: Readonly<Record<string, string>>): string =>
  `${url}?${new URLSearchParams(query)}`

/** Returns links that subscribe calendar programs to the feed. */
export function subscriptionLinksHtml(url: string, { messages, settings }: PageRequest): string {
  return navigation(messages.subscribe, [
    ['Google Calendar', withQuery('https://calendar.google.com/calendar/r', { cid: webcal(url) })],
    ['Outlook', withQuery('https://outlook.live.com/calendar/0/addfromweb', { url, name: settings.siteName })],
    ['Apple Calendar', webcal(url)],
    [messages.downloadCalendar, url],
  ])
}

/** Returns links that add the event to a calendar; empty for an event that is over, cancelled or not published. */
export function addToCalendarLinksHtml(event: PageEventFragment, { messages, context }: PageRequest): string {
  const calendar = event.icalendarUrl
  const isOver = event.endsAt < context.now || event.eventStatus === 'CANCELLED'
  if (calendar === null || isOver || event.status !== 'PUBLISHED') return ''
  return navigation(messages.addToCalendar, [
    ['Google Calendar', googleUrl(event)],
    ['Outlook', outlookUrl(event)],
    ['Apple Calendar', webcal(calendar)],
    [messages.downloadCalendar, calendar],
  ])
}

const locationOf = ({ venues }: PageEventFragment): string =>
  venues.map(({ name, address, zip, city, country }) =>
    [name, address, zip, city, country].filter(Boolean).join(', '),
  )[0] ?? ''

const compact = (text: string) => text.replace(/[-:]/g, '')

const utc = (date: Date) => `${date.toISOString().slice(0, 19)}Z`

/** Returns start and end for links to web calendars: dates for an all-day event, otherwise times in UTC. */
function bounds(event: PageEventFragment): [start: string, end: string] {
  const { first, end } = allDayDates(event)
  return event.allDay ? [first, end] : [utc(event.startsAt), utc(event.endsAt)]
}

const googleUrl = (event: PageEventFragment): string =>
  withQuery('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: event.title,
    dates: bounds(event).map(compact).join('/'),
    ...(!event.allDay && isIanaZone(event.timeZone) && { ctz: event.timeZone }),
    details: event.url,
    location: locationOf(event),
  })

function outlookUrl(event: PageEventFragment): string {
  const [startdt, enddt] = bounds(event)
  return withQuery('https://outlook.live.com/calendar/0/deeplink/compose', {
    ...{ path: '/calendar/action/compose', rru: 'addevent', subject: event.title, startdt, enddt },
    allday: String(event.allDay ?? false),
    body: event.url,
    location: locationOf(event),
  })
}

const navigation = (label: string, links: readonly (readonly [text: string, url: string])[]): string =>
  html`<nav class="calendar" aria-label="${label}"><p>${label}</p>
<ul class="chips">!${links.map(([text, url]) => html`<li><a href="${url}" rel="nofollow noopener">${text}</a></li>`)}</ul></nav>`
