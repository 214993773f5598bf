import type { EventOrder, FeedEventFragment } from '../../generated/graphql/graphql.ts'

/** An event of a feed, or a series with the content of one of its dates. */
export interface FeedItem extends FeedEventFragment {
  readonly repeats?: {
    /** Lines of iCalendar for each rule. */
    readonly rules: readonly string[]
    /** Dates that a rule has at another time or with other values; without `isShown`, they are left out. */
    readonly changed: readonly { readonly event: FeedEventFragment; readonly rule: number; readonly isShown: boolean }[]
    readonly startsAt: Date
    readonly endsAt: Date
  }
}

/** What all serializers need to know about the feed that they write. */
export interface Feed {
  /** Name of the site and of the venue, organizer, category or tag; the title of a single event. */
  readonly title: string
  readonly siteName: string
  readonly url: string
  readonly pageUrl: string
  readonly language: string
  readonly siteTimeZone: string
  readonly now: Date
  /** When the last event of the feed ends. */
  readonly until: Date
  /** When the first event of the feed starts, which is not the first one in a feed with series. */
  readonly from?: Date
  /** Whether each series is one item, with the values of its next date. */
  readonly hasSeries: boolean
  readonly isSingle: boolean
}

/** What a client that follows the feed needs besides the events that changed. */
export interface FeedChanges {
  readonly token: string
  readonly hasMore: boolean
  /** Events that the client removes, by their UIDs, and the number of the revision that cancels them. */
  readonly removed: readonly { readonly uid: string; readonly sequence: number }[]
}

/** Returns the texts of one feed in order: head, events, tail. Can keep state, such as time zones already written. */
export interface FeedSerializer {
  head(): string
  item(event: FeedItem): string
  /** Returns the end of the feed. `next` is the URL of the next page; undefined if the feed has no more events. */
  tail(next: string | undefined, changes?: FeedChanges): string
}

export interface FeedFormat {
  /** Query parameters that turn a page into this format, such as `ical` in `/event/concert/?ical=1`. */
  readonly parameters: readonly string[]
  /** Extension in the URL of the feed of all events, such as `ics` in `/events.ics`. */
  readonly extension: string
  /** Last path segment of feeds of a venue, organizer, category or tag, such as `feed` in `/venue/hall/feed/`. */
  readonly lastSegment?: string
  readonly contentType: string
  readonly isDownload: boolean
  readonly order: EventOrder
  /** Whether lists contain locked events, of which only title and dates are shown. */
  readonly showsLocked: boolean
  /** Whether rules describe the dates of a series. */
  readonly hasRules: boolean
  /** Whether clients can follow the feed with the parameter `sync_token`. */
  readonly hasChanges: boolean
  /** Number of events unless the request sets `per_page`; at most FEED_EVENTS_MAX. */
  readonly defaultCount: number
  serializer(feed: Feed): FeedSerializer
}

/** Options that RSS and JSON Feed share: both are read in feed readers. */
export const newsFeedDefaults = {
  isDownload: false,
  order: { field: 'PUBLICATION', direction: 'DESC' },
  showsLocked: false,
  hasRules: false,
  defaultCount: 50,
} as const
