// Texts of an event for feeds that people read: its state, dates and places before its description.

import { escapeXml } from '../../basics/xml.ts'
import type { FeedEventFragment } from '../../generated/graphql/graphql.ts'
import { venueNames } from '../pages/components.ts'
import { formatDateRange } from '../pages/date-format.ts'
import { eventStateText } from '../pages/event-state.ts'
import { messagesOf } from '../pages/messages.ts'
import type { Feed } from './format.ts'
import { htmlToText } from './plain-text.ts'

const stateText = (event: FeedEventFragment, { language }: Feed): string =>
  eventStateText(event, { language, messages: messagesOf(language) })

/** `Cancelled: Saturday, November 21, 2026 at 7:00 – 9:00 PM CET · Hall, Turin` */
export const formatDatesAndPlaces = (event: FeedEventFragment, feed: Feed): string =>
  stateText(event, feed) + [formatDateRange(event, feed.language), ...venueNames(event)].join(' · ')

/** Returns the description with absolute URLs, because programs show the HTML outside of this site. */
export const formatDescription = ({ descriptionHtml, excerptHtml, url }: FeedEventFragment): string =>
  (descriptionHtml || excerptHtml || '').replace(
    /(<[^<>]*?\s(?:href|src)=")\/(?!\/)/gi,
    (_match, before: string) => `${before}${new URL(url).origin}/`,
  )

export const formatContentHtml = (event: FeedEventFragment, feed: Feed): string =>
  `<p>${escapeXml(formatDatesAndPlaces(event, feed))}</p>${formatDescription(event)}`

export function formatContentText(event: FeedEventFragment, feed: Feed): string {
  return [formatDatesAndPlaces(event, feed), htmlToText(formatDescription(event))].filter(Boolean).join('\n\n')
}

/** UID and page of an item: those of the series if it is one item. */
export const identityOf = (
  event: FeedEventFragment,
  { hasSeries }: Feed,
): { readonly uid: string; readonly url: string } => (hasSeries && event.series) || event

/** Returns the excerpt with the state of the event before it; empty without an excerpt. */
export function formatExcerpt(event: FeedEventFragment, feed: Feed): string {
  const excerpt = htmlToText(event.excerptHtml ?? '')
  return excerpt && stateText(event, feed) + excerpt
}

export const categoryAndTagNames = ({ categories, tags }: FeedEventFragment): string[] => [
  ...new Set([...categories, ...tags].map(({ name }) => name)),
]
