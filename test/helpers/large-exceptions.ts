// Lists that may scan a whole table, with the reason, and lists that must use a particular index.
import type { Read } from './large-reads.ts'

interface Exception {
  readonly of: Read['of']
  /** Names of requests. */
  readonly requests: RegExp
  readonly because: string
}

const exceptions: readonly Exception[] = [
  {
    of: 'page',
    requests: /filter: \{ price:/,
    because:
      'A price is in the cost or in a ticket: one pass over the tickets is cheaper than a look-up for each event.',
  },
  {
    of: 'count',
    requests: /filter: \{ (price|cities|placeName|allDay|authors|not|any):/,
    because: 'A large part of all events fits, or one pass is cheaper than a look-up for each that fits.',
  },
  {
    of: 'page',
    requests: /filter: \{ placeName:/,
    because: 'Each word may be in the name, the address or the city: one pass over the venues compares all of them.',
  },
  {
    of: 'page',
    requests: /(venues|organizers)(\?has_events=0|Page\(filter: \{ hasEvents: false)/,
    because: 'A negation: that a record has no event, no index knows; and nearly all have one.',
  },
  {
    of: 'page',
    requests: /field: RELEVANCE/,
    because:
      'Every venue and organizer with the words is ranked. Of events the first 100 are, in the order of an index.',
  },
  {
    of: 'page',
    requests: /field: (AUTHOR|PLACE_NAME|ALL_DAY|DISTANCE)/,
    because: 'All events are sorted by a value that another table or no index has.',
  },
  {
    of: 'page',
    requests: /filter: \{ near:|geoloc_lat=/,
    because:
      'Of a city with many events one pass is cheaper than a look-up for each; the venues are found by their index, see below.',
  },
  {
    of: 'page',
    requests: /(categories|tags)(\?|Page)/,
    because: 'A term comes with the number of its events, and those that have none are left out: links are counted.',
  },
  {
    of: 'count',
    requests: /(categories|tags)(\?|Page)/,
    because: 'The same; of the terms themselves there are few.',
  },
  {
    of: 'count',
    requests: /(venues|organizers)Page\(filter: \{ search:/,
    because: 'Texts are found by their index. One pass compares all venues with them, and names of locked ones.',
  },
  {
    of: 'count',
    requests:
      /: events\?(page|start_date|end_date|include|strict_dates|featured|ticketed|status|password|search|tags|geoloc|$)/,
    because: 'Most of what lies in the window fits, or one pass over it is cheaper than a look-up for each that fits.',
  },
  {
    of: 'count',
    requests: /eventsPage(\(orderBy|$)/,
    because: 'All events are counted.',
  },
  {
    of: 'count',
    requests:
      /eventsPage\(filter: \{ (when|runningAt|status|eventStatus|attendanceMode|featured|ticketed|located|near|tags|search: "festival"|hideFromListings|locked: false|translatedInto|missingTranslation)/,
    because: 'A large part of all events fits, or one pass is cheaper than a look-up for each that fits.',
  },
  {
    of: 'count',
    requests: /: (venues|organizers)\?(page|has_events|only_with_upcoming|status|password|$)/,
    because: 'All of them are counted, or nearly all.',
  },
  {
    of: 'count',
    requests:
      /(venues|organizers)Page(\(orderBy|$|\(filter: \{ (hasEvents|onlyWithUpcoming|status|located|translatedInto|missingTranslation))/,
    because: 'The same.',
  },
]

/** Requests that scan a whole table without a listed reason. */
export const unexplained = (reads: readonly Read[]): Read[] =>
  reads.filter(
    ({ name, of, whole }) =>
      whole.length > 0 && !exceptions.some((exception) => exception.of === of && exception.requests.test(name)),
  )

/**
 * Filters with few results must use their index: walking the ordered list would read nearly all rows. Fewer events than
 * `moreThan` may all be sorted.
 */
const selective: readonly (readonly [requests: RegExp, index: string, moreThan?: number])[] = [
  [/eventsPage\(filter: \{ search: "(?!festival")/, 'content_text_search_idx'],
  [/: venues\?search=(?!jazz)/, 'venue_text_search_idx'],
  [/: organizers\?search=(?!jazz)/, 'organizer_text_search_idx'],
  [/eventsPage\(filter: \{ venues:/, 'content_venue_venue_id_content_id_idx'],
  [/eventsPage\(filter: \{ organizers:/, 'content_organizer_organizer_id_content_id_idx'],
  [/Page\(filter: \{ near:/, 'venue_location_idx'],
  [/eventsPage\(filter: \{ parent:/, 'event_parent_id_idx'],
  [/eventsPage\(filter: \{ cities:/, 'venue_folded_city_idx'],
  [/eventsPage\(filter: \{ modifiedAt:/, 'event_modified_at_published_at_id_idx'],
  [/eventsPage\(filter: \{ authors:/, 'event_author_id_idx'],
  [/eventsPage\(filter: \{ eventStatus: \[CANCELLED/, 'event_event_status_idx'],
  [/eventsPage\(filter: \{ attendanceMode: \[ONLINE/, 'event_attendance_mode_idx'],
  [/eventsPage\(orderBy: \{ field: TITLE/, 'content_text_language_name_content_id_idx'],
  [/eventsPage\(orderBy: \{ field: PRICE, direction: ASC/, 'event_lowest_price_idx'],
  [/eventsPage\(orderBy: \{ field: PRICE, direction: DESC/, 'event_highest_price_idx'],
  [/eventsPage\(orderBy: \{ field: START,/, 'event_starts_at_idx'],
  [/eventsPage\(orderBy: \{ field: START_LOCAL/, 'event_starts_local_idx'],
  [/eventsPage\(orderBy: \{ field: END/, 'event_ends_at_idx'],
  [/eventsPage\(orderBy: \{ field: MODIFIED/, 'event_modified_at_published_at_id_idx'],
  [/eventsPage\(orderBy: \{ field: PUBLICATION/, 'event_published_at_id_idx'],
]

/** Pages that do not use their index, of a calendar with this number of events. */
export const astray = (reads: readonly Read[], events: number) =>
  selective.flatMap(([requests, index, moreThan = 0]) => {
    if (events <= moreThan) return []
    const pages = reads.filter(({ name, of }) => of === 'page' && requests.test(name))
    if (pages.length === 0) return [{ name: `No request is like ${requests}`, index }]
    return pages.filter(({ indexes }) => !indexes.includes(index)).map(({ name }) => ({ name, index }))
  })
