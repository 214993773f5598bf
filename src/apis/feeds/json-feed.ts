// JSON Feed 1.1, with the times and places of events in the extension `_event`.

import { omitEmpty } from '../../basics/omit-empty.ts'
import type { FeedEventFragment } from '../../generated/graphql/graphql.ts'
import { categoryAndTagNames, formatContentHtml, formatContentText, formatExcerpt, identityOf } from './contents.ts'
import { type Feed, type FeedChanges, type FeedFormat, type FeedSerializer, newsFeedDefaults } from './format.ts'

export const jsonFeedFormat: FeedFormat = {
  parameters: ['feed=json'],
  extension: 'json',
  lastSegment: 'feed.json',
  contentType: 'application/feed+json; charset=utf-8',
  ...newsFeedDefaults,
  hasChanges: true,
  serializer,
}

function serializer(feed: Feed): FeedSerializer {
  let separator = ''
  return {
    head: () => `${JSON.stringify(headOf(feed)).slice(0, -1)},"items":[`,
    item(event) {
      const item = `${separator}\n${JSON.stringify(itemOf(event, feed))}`
      separator = ','
      return item
    },
    tail(next, changes) {
      const rest = JSON.stringify({ next_url: next, _sync: changes && syncOf(changes) })
      return `\n]${rest === '{}' ? '}' : `,${rest.slice(1)}`}\n`
    },
  }
}

/** Returns the extension `_sync`, with which clients keep a copy of the feed. */
const syncOf = ({ token, hasMore, removed }: FeedChanges) => ({
  ...{ token, has_more: hasMore },
  deleted: removed.map(({ uid }) => uid),
})

const headOf = ({ title, pageUrl, url, language }: Feed) => ({
  version: 'https://jsonfeed.org/version/1.1',
  title,
  home_page_url: pageUrl,
  feed_url: url,
  language,
})

const itemOf = (event: FeedEventFragment, feed: Feed) =>
  omitEmpty({
    id: identityOf(event, feed).uid,
    url: identityOf(event, feed).url,
    title: event.title,
    language: event.languages.tag,
    summary: formatExcerpt(event, feed),
    content_html: formatContentHtml(event, feed),
    content_text: formatContentText(event, feed),
    image: event.image?.url,
    date_published: event.publishedAt.toISOString(),
    date_modified: event.modifiedAt.toISOString(),
    tags: categoryAndTagNames(event),
    authors: event.organizers.map(({ name, url }) => ({ name, url })),
    _event: extension(event),
  })

/** Returns the extension `_event`: times with their zone, status, price and venues. */
const extension = (event: FeedEventFragment) => ({
  about: 'https://schema.org/Event',
  starts_at: event.startsAt.toISOString(),
  ends_at: event.endsAt.toISOString(),
  starts_local: event.startsLocal,
  ends_local: event.endsLocal,
  time_zone: event.timeZone,
  all_day: event.allDay,
  status: event.eventStatus,
  attendance_mode: event.attendanceMode,
  online_url: event.onlineUrl,
  cost: event.cost?.text ?? null,
  venues: event.venues.map(({ name, address, zip, city, country, coordinates }) => ({
    ...{ name, address, zip, city, country },
    ...(coordinates ?? { latitude: null, longitude: null }),
  })),
})
