// RSS 2.0, with elements of other XML namespaces that feed readers and calendar programs know.

import { escapeXml, textElement } from '../../basics/xml.ts'
import type { FeedEventFragment } from '../../generated/graphql/graphql.ts'
import { categoryAndTagNames, formatContentHtml, formatDatesAndPlaces, formatExcerpt, identityOf } from './contents.ts'
import { type Feed, type FeedFormat, type FeedSerializer, newsFeedDefaults } from './format.ts'

export const rssFormat: FeedFormat = {
  parameters: ['feed=rss2', 'feed=rss'],
  extension: 'rss',
  lastSegment: 'feed',
  contentType: 'application/rss+xml; charset=utf-8',
  ...newsFeedDefaults,
  hasChanges: false,
  serializer,
}

const namespaces = {
  atom: 'http://www.w3.org/2005/Atom',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
  ev: 'http://purl.org/rss/1.0/modules/event/',
  georss: 'http://www.georss.org/georss',
}

const declarations = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)

function serializer(feed: Feed): FeedSerializer {
  return {
    head: () => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"${declarations.join('')}>
<channel>
${textElement('title', feed.title)}
${textElement('link', feed.pageUrl)}
${textElement('description', feed.title)}
${textElement('language', feed.language)}
${link('self', feed.url)}
<ttl>60</ttl>
`,
    item: (event) => `<item>${elements(event, feed).join('')}</item>\n`,
    tail: (next) => `${next === undefined ? '' : `${link('next', next)}\n`}</channel>\n</rss>\n`,
  }
}

const link = (rel: string, url: string) =>
  `<atom:link rel="${rel}" type="application/rss+xml" href="${escapeXml(url)}"/>`

const elements = (event: FeedEventFragment, feed: Feed): string[] => [
  textElement('title', event.title),
  textElement('link', identityOf(event, feed).url),
  // The UID, not the URL: the URL changes with the slug.
  `<guid isPermaLink="false">${escapeXml(identityOf(event, feed).uid)}</guid>`,
  textElement('pubDate', event.publishedAt.toUTCString()),
  textElement('description', formatExcerpt(event, feed) || formatDatesAndPlaces(event, feed)),
  textElement('content:encoded', formatContentHtml(event, feed)),
  ...categoryAndTagNames(event).map((name) => textElement('category', name)),
  ...event.organizers.map(({ name }) => textElement('dc:creator', name)),
  textElement('ev:startdate', event.startsAt.toISOString()),
  textElement('ev:enddate', event.endsAt.toISOString()),
  ...event.venues.slice(0, 1).map(({ name }) => textElement('ev:location', name)),
  ...event.organizers.slice(0, 1).map(({ name }) => textElement('ev:organizer', name)),
  point(event),
  enclosure(event),
]

function point({ venues }: FeedEventFragment): string {
  const [coordinates] = venues.flatMap((venue) => venue.coordinates ?? [])
  return coordinates ? textElement('georss:point', `${coordinates.latitude} ${coordinates.longitude}`) : ''
}

/** Returns the image as <enclosure>. The attribute `length` is required; 0 means unknown. */
function enclosure({ image }: FeedEventFragment): string {
  if (!image) return ''
  const { url, mimeType, fileSize } = image
  return `<enclosure url="${escapeXml(url)}" type="${escapeXml(mimeType)}" length="${fileSize ?? 0}"/>`
}
