// iCalendar (RFC 5545, RFC 7986): a calendar with an event for each item of the feed.

import { zoneName } from '../../../basics/time.ts'
import type { Feed, FeedFormat, FeedItem, FeedSerializer } from '../format.ts'
import { toCancelledComponent, toEventComponent, usesNamedTimeZone } from './event.ts'
import { extensionProperty, formatComponent, formatProperties, type Property, uriProperty } from './property.ts'
import { toSeriesComponents } from './series.ts'
import { createTimeZoneComponent } from './time-zone.ts'

export const icalendarFormat: FeedFormat = {
  parameters: ['ical', 'outlook-ical'],
  extension: 'ics',
  contentType: 'text/calendar; charset=utf-8',
  isDownload: true,
  order: { field: 'START' },
  showsLocked: true,
  hasRules: true,
  hasChanges: true,
  defaultCount: Number.POSITIVE_INFINITY,
  serializer,
}

/** How often subscribed calendar programs should request the feed (REFRESH-INTERVAL). An unchanged feed is a short 304. */
const refreshInterval = 'PT1H'

function serializer(feed: Feed): FeedSerializer {
  const described = new Set<string>()
  return {
    head: () => `BEGIN:VCALENDAR\r\n${formatProperties(calendarProperties(feed))}`,
    item(event) {
      const components = event.repeats ? toSeriesComponents(event, event.repeats) : [toEventComponent(event)]
      return `${timeZoneOf(event, described, feed)}${components.map(formatComponent).join('')}`
    },
    tail(_next, changes) {
      const cancelled = (changes?.removed ?? []).map((event) => formatComponent(toCancelledComponent(event, feed)))
      return `${cancelled.join('')}END:VCALENDAR\r\n`
    },
  }
}

/** Returns the VTIMEZONE of the event's time zone, or an empty text if an earlier event of the feed has written it. */
function timeZoneOf(event: FeedItem, described: Set<string>, { from = event.startsAt, until }: Feed): string {
  if (!usesNamedTimeZone(event)) return ''
  const name = zoneName(event.timeZone)
  if (described.has(name)) return ''
  described.add(name)
  const end = new Date(Math.max(until.getTime(), event.endsAt.getTime()))
  const first = new Date(Math.min(from.getTime(), (event.repeats ?? event).startsAt.getTime()))
  return formatComponent(createTimeZoneComponent(name, event.timeZone, first, end))
}

function calendarProperties({ title, siteName, url, pageUrl, language, siteTimeZone, isSingle }: Feed): Property[] {
  const product = `event-calendar-gateway//${siteName.replace(/[\p{Cc}/]+/gu, ' ')}//${language.toUpperCase()}`
  const basics: Property[] = [
    ['prodid', {}, 'text', `-//${product}`],
    ['version', {}, 'text', '2.0'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', 'PUBLISH'],
  ]
  // A file with one event is imported into an existing calendar, which must keep its own name.
  if (isSingle) return basics
  return [
    ...basics,
    ...extensionProperty('name', title, { language }),
    ...extensionProperty('x-wr-calname', title),
    ...extensionProperty('x-wr-timezone', zoneName(siteTimeZone)),
    ...uriProperty('url', pageUrl),
    ...uriProperty('source', url),
    ['refresh-interval', {}, 'duration', refreshInterval],
    ['x-published-ttl', {}, 'unknown', refreshInterval],
  ]
}
