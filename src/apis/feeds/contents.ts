// Texts of an event for feeds that people read: its dates and places before its description.

import { escapeXml } from '../../basics/xml.ts'
import type { FeedEventFragment } from '../../generated/graphql/graphql.ts'
import { placeNames } from '../pages/components.ts'
import { formatDateRange } from '../pages/date-format.ts'
import type { Feed } from './format.ts'
import { htmlToText } from './plain-text.ts'

/** `Saturday, November 21, 2026 at 7:00 – 9:00 PM CET · Hall, Turin` */
export const whenAndWhere = (event: FeedEventFragment, { language }: Feed): string =>
  [formatDateRange(event, language), ...placeNames(event)].join(' · ')

/** Addresses below the site become absolute, because readers show the text elsewhere. */
function description({ descriptionHtml, excerptHtml }: FeedEventFragment, { url }: Feed): string {
  const { origin } = new URL(url)
  return (descriptionHtml || excerptHtml || '').replace(/(<[^<>]*?\s(?:href|src)=")\/(?!\/)/gi, `$1${origin}/`)
}

export const contentHtml = (event: FeedEventFragment, feed: Feed): string =>
  `<p>${escapeXml(whenAndWhere(event, feed))}</p>${description(event, feed)}`

export function contentText(event: FeedEventFragment, feed: Feed): string {
  return [whenAndWhere(event, feed), htmlToText(description(event, feed))].filter(Boolean).join('\n\n')
}

export const excerptText = ({ excerptHtml }: FeedEventFragment): string => htmlToText(excerptHtml ?? '')

export const termNames = ({ categories, tags }: FeedEventFragment): string[] => [
  ...new Set([...categories, ...tags].map(({ name }) => name)),
]
