import type { EventOrder, FeedEventFragment } from '../../generated/graphql/graphql.ts'

export interface Feed {
  /** Name of the site and of the venue, organizer, category or tag; the title of a single event. */
  readonly title: string
  readonly siteName: string
  readonly url: string
  readonly pageUrl: string
  readonly language: string
  readonly siteTimeZone: string
  readonly now: Date
  /** The end of the last event. */
  readonly until: Date
  readonly isSingle: boolean
}

/** The texts of one feed, in order. A serializer may keep state, such as the time zones that it has described. */
export interface FeedSerializer {
  head(): string
  item(event: FeedEventFragment): string
  /** `next` is the URL of the feed with the next events, if there are more. */
  tail(next: string | undefined): string
}

export interface FeedFormat {
  /** The parameter of a page that asks for the format, such as `ical` for `/event/concert/?ical=1`. */
  readonly parameters: readonly string[]
  /** Extension of the address of all events, such as `ics` for `/events.ics`. */
  readonly extension: string
  /** Last segment of the addresses of lists, such as `feed` for `/venue/hall/feed/`. */
  readonly lastSegment?: string
  readonly contentType: string
  readonly isDownload: boolean
  readonly order: EventOrder
  /** Whether lists contain locked events, of which only title and dates are shown. */
  readonly showsLocked: boolean
  /** Number of events unless the request sets `per_page`; at most FEED_EVENTS_MAX. */
  readonly defaultCount: number
  serializer(feed: Feed): FeedSerializer
}

/** Options that RSS and JSON Feed, which people read in feed readers, have in common. */
export const newsFeedDefaults = {
  isDownload: false,
  order: { field: 'PUBLICATION', direction: 'DESC' },
  showsLocked: false,
  defaultCount: 50,
} as const
