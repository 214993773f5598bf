// schema.org objects of single records (contract c.9), for the REST API and the pages.
import type { JsonLdEventFragment, JsonLdOrganizerFragment, JsonLdVenueFragment } from '../generated/graphql/graphql.ts'
import { offsetText, toWallClock } from '../time.ts'
import { withoutEmpty } from './without-empty.ts'

const context = 'http://schema.org'

export function eventJsonLd(event: JsonLdEventFragment): object {
  const [venue] = event.venues
  const [organizer] = event.organizers
  return withoutEmpty({
    '@context': context,
    '@type': 'Event',
    name: event.title,
    description: plainText(event.descriptionHtml),
    image: event.image?.url,
    url: event.url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: withOffset(event.startsAt, event.timeZone),
    endDate: withOffset(event.endsAt, event.timeZone),
    location: venue && placeOf(venue),
    organizer: organizer && personOf(organizer),
    offers: event.cost && offerOf(event, event.cost),
    performer: 'Organization',
  })
}

export const venueJsonLd = (venue: JsonLdVenueFragment): object => ({ '@context': context, ...placeOf(venue) })

export const organizerJsonLd = (organizer: JsonLdOrganizerFragment): object => ({
  '@context': context,
  ...personOf(organizer),
})

function placeOf(venue: JsonLdVenueFragment): object {
  const address = withoutEmpty({
    streetAddress: venue.address,
    addressLocality: venue.city,
    addressRegion: venue.stateProvince,
    postalCode: venue.zip,
    addressCountry: venue.country,
  })
  return {
    '@type': 'Place',
    ...withoutEmpty({ name: venue.name, description: plainText(venue.descriptionHtml), image: venue.image?.url }),
    url: '',
    ...(Object.keys(address).length > 0 ? { address: { '@type': 'PostalAddress', ...address } } : {}),
    ...withoutEmpty({ telephone: venue.phone, sameAs: venue.website }),
  }
}

function personOf(organizer: JsonLdOrganizerFragment): object {
  return withoutEmpty({
    '@type': 'Person',
    name: organizer.name,
    description: plainText(organizer.descriptionHtml),
    image: organizer.image?.url,
    url: organizer.url,
    telephone: organizer.phone,
    email: organizer.email,
    sameAs: organizer.website,
  })
}

function offerOf(event: JsonLdEventFragment, cost: NonNullable<JsonLdEventFragment['cost']>): object {
  const [lowest = ''] = cost.values
  return {
    '@type': 'Offer',
    price: /^\d/.test(lowest) ? lowest : '0',
    ...(/^[A-Z]{3}$/.test(cost.currencySymbol) ? { priceCurrency: cost.currencySymbol } : {}),
    url: event.website || event.url,
    category: 'primary',
    availability: 'inStock',
    validFrom: event.publishedAt.toISOString(),
  }
}

const withOffset = (instant: Date, zone: string) => `${toWallClock(instant, zone)}${offsetText(instant, zone)}`

const plainText = (html: string | null) =>
  (html ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
