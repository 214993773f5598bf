// Formats the rows of yardstick-reads.ts like the REST API: each response is the same JSON as that of the service.

import { omitEmpty } from '../src/basics/omit-empty.ts'
import { addDays, addMonths, formatOffset, toWallClock, zoneAbbreviation } from '../src/basics/time.ts'
import { parseCost } from '../src/calendar/event/cost.ts'
import { textToHtmlParagraphs } from '../src/calendar/text/paragraphs.ts'
import type { CategoryRow, EventRow, ImageRow, OrganizerRow, TermRow, VenueRow } from './yardstick-reads.ts'

/** PUBLIC_URL of the measured service. */
export const site = 'http://calendar.test'
const host = site.replace('http://', '')
const rest = `${site}/cal/events/v1`

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const costDefaults = { defaultCurrencySymbol: '$', defaultCurrencyPosition: 'prefix' } as const

function details(date: string) {
  const [year, month, day, hour, minutes, seconds] = date.split(/[- :]/)
  return { year, month, day, hour, minutes, seconds }
}

const dates = (prefix: string, start: string, end: string) => ({
  [`${prefix}start_date`]: start,
  [`${prefix}start_date_details`]: details(start),
  [`${prefix}end_date`]: end,
  [`${prefix}end_date_details`]: details(end),
})

const identity = ({ id, author, status, date, modified }: Omit<EventRow, 'venues'> | VenueRow | OrganizerRow) => ({
  id,
  global_id: `${host}?id=${id}`,
  global_id_lineage: [`${host}?id=${id}`],
  author,
  status,
  date,
  date_utc: date,
  modified,
  modified_utc: modified,
})

const imageOf = ({ id, url, width, height, fileSize, sizes }: ImageRow) => ({
  url,
  id,
  extension: url.slice(url.lastIndexOf('.') + 1).toLowerCase(),
  width,
  height,
  filesize: fileSize,
  sizes: Object.fromEntries(
    sizes.map(({ name, width, height, mimeType, fileSize, url }) => [
      name,
      { width, height, 'mime-type': mimeType, filesize: fileSize, url },
    ]),
  ),
})

const venueOf = (venue: VenueRow) => ({
  ...omitEmpty({
    ...identity(venue),
    url: `${site}/venue/${venue.slug}/`,
    venue: escapeText(venue.name),
    description: textToHtmlParagraphs(venue.description),
    excerpt: textToHtmlParagraphs(venue.excerpt),
    slug: venue.slug,
    image: venue.image && imageOf(venue.image),
    address: venue.address,
    city: venue.city,
    country: venue.country,
    province: venue.province,
    state: venue.state,
    zip: venue.zip,
    phone: venue.phone,
    website: venue.website,
    stateprovince: venue.stateProvince,
    ...(venue.latitude && venue.longitude ? { geo_lat: venue.latitude, geo_lng: venue.longitude } : {}),
  }),
  show_map: venue.showMap,
  show_map_link: venue.showMapLink,
})

const organizerOf = (organizer: OrganizerRow) =>
  omitEmpty({
    ...identity(organizer),
    url: `${site}/organizer/${organizer.slug}/`,
    organizer: escapeText(organizer.name),
    description: textToHtmlParagraphs(organizer.description),
    excerpt: textToHtmlParagraphs(organizer.excerpt),
    slug: organizer.slug,
    image: organizer.image && imageOf(organizer.image),
    phone: organizer.phone,
    website: organizer.website,
    email: organizer.email,
  })

const categoryOf = ({ id, name, description, slug, count, parent, slugs }: CategoryRow) => ({
  id,
  name: escapeText(name),
  slug,
  taxonomy: 'cal_events_cat',
  description,
  parent,
  count,
  meta: [],
  url: `${site}/events/category/${slugs.join('/')}/`,
  urls: {
    self: `${rest}/categories/${id}`,
    collection: `${rest}/categories`,
    ...(parent === 0 ? {} : { up: `${rest}/categories/${parent}` }),
  },
})

const tagOf = ({ id, name, description, slug, count }: TermRow) => ({
  id,
  name: escapeText(name),
  slug,
  taxonomy: 'post_tag',
  description,
  parent: 0,
  count,
  meta: [],
  url: `${site}/tag/${slug}/`,
  urls: { self: `${rest}/tags/${id}`, collection: `${rest}/tags` },
})

const utc = (text: string) => new Date(`${text.replace(' ', 'T')}Z`)

function eventOf(event: EventRow) {
  const cost = parseCost(event.cost, costDefaults)
  const venues = event.venues.map(venueOf)
  const [venue] = venues
  return {
    ...identity(event),
    url: `${site}/event/${event.slug}/`,
    rest_url: `${rest}/events/${event.id}`,
    title: escapeText(event.name),
    description: textToHtmlParagraphs(event.description),
    excerpt: textToHtmlParagraphs(event.excerpt),
    slug: event.slug,
    image: event.image ? imageOf(event.image) : false,
    all_day: event.allDay,
    ...dates('', event.startsLocal, event.endsLocal),
    ...dates('utc_', event.startsAt, event.endsAt),
    timezone: event.timeZone,
    timezone_abbr: zoneAbbreviation(utc(event.startsAt), event.timeZone),
    cost: cost?.text ?? '',
    cost_details: {
      currency_symbol: cost?.currencySymbol ?? '',
      currency_code: '',
      currency_position: cost?.currencyPosition ?? '',
      values: cost?.values ?? [],
    },
    website: event.website ?? `${site}/event/${event.slug}/`,
    show_map: event.showMap,
    show_map_link: event.showMapLink,
    hide_from_listings: event.hideFromListings,
    sticky: event.sticky,
    featured: event.featured,
    categories: event.categories.map(categoryOf),
    tags: event.tags.map(tagOf),
    venue: venues.length === 1 ? venue : venues,
    organizer: event.organizers.map(organizerOf),
    custom_fields: [],
  }
}

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

const described = ({ description, image }: EventRow | VenueRow | OrganizerRow) => ({
  description: plain(description),
  image: image?.url,
})

const withOffset = (instant: Date, zone: string) => `${toWallClock(instant, zone)}${formatOffset(instant, zone)}`

const context = { '@context': 'http://schema.org' }

function jsonLdOf(event: EventRow) {
  const [place] = event.venues
  const [person] = event.organizers
  const cost = parseCost(event.cost, costDefaults)
  const url = `${site}/event/${event.slug}/`
  const [lowest = ''] = cost?.values ?? []
  return {
    ...context,
    ...omitEmpty({
      '@type': 'Event',
      name: event.name,
      ...described(event),
      url,
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      eventStatus: 'https://schema.org/EventScheduled',
      startDate: withOffset(utc(event.startsAt), event.timeZone),
      endDate: withOffset(utc(event.endsAt), event.timeZone),
      location: place && placeOf(place),
      organizer: person && personOf(person),
      offers: cost && {
        '@type': 'Offer',
        ...(/^\d/.test(lowest) ? { price: lowest } : {}),
        ...(cost.currencySymbol === '€' ? { priceCurrency: 'EUR' } : {}),
        url: event.website || url,
        category: 'primary',
        availability: 'inStock',
        validFrom: event.validFrom,
      },
      performer: 'Organization',
    }),
  }
}

function placeOf(venue: VenueRow) {
  const address = omitEmpty({
    streetAddress: venue.address,
    addressLocality: venue.city,
    addressRegion: venue.stateProvince,
    postalCode: venue.zip,
    addressCountry: venue.country,
  })
  return {
    '@type': 'Place',
    ...omitEmpty({ name: venue.name, ...described(venue) }),
    url: '',
    ...(Object.keys(address).length > 0 ? { address: { '@type': 'PostalAddress', ...address } } : {}),
    ...omitEmpty({ telephone: venue.phone, sameAs: venue.website }),
  }
}

const personOf = (organizer: OrganizerRow) =>
  omitEmpty({
    '@type': 'Person',
    name: organizer.name,
    ...described(organizer),
    url: `${site}/organizer/${organizer.slug}/`,
    telephone: organizer.phone,
    email: organizer.email,
    sameAs: organizer.website,
  })

/** The response of the REST API to a request for one event. */
export function restEvent(event: EventRow): object {
  const venues = event.venues.map((venue) => ({ ...venueOf(venue), json_ld: { ...context, ...placeOf(venue) } }))
  return {
    ...eventOf(event),
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: event.organizers.map((one) => ({ ...organizerOf(one), json_ld: { ...context, ...personOf(one) } })),
    json_ld: jsonLdOf(event),
  }
}

/** The response of the REST API to a request for a page of the default list. */
export function restList(events: readonly EventRow[], total: number, page: number, now: Date): object {
  const today = toWallClock(now, 'UTC')
  const [from, until] = [addDays(today, -1).slice(0, 10), addMonths(today, 24).slice(0, 10)]
  const window = `start_date=${from}%2000%3A00%3A00&end_date=${until}%2023%3A59%3A59`
  const address = (number: number | undefined) =>
    `${rest}/events/?${number === undefined ? '' : `page=${number}&`}per_page=10&${window}`
  const totalPages = Math.ceil(total / 10)
  return {
    events: events.map(eventOf),
    rest_url: address(page),
    ...(page < totalPages ? { next_rest_url: address(page + 1) } : {}),
    ...(page > 1 ? { previous_rest_url: address(page === 2 ? undefined : page - 1) } : {}),
    total,
    total_pages: totalPages,
  }
}

/** A page without links and total. */
export const restRecords = (events: readonly EventRow[]): object => ({ events: events.map(eventOf) })
