import { describe, expect, it } from 'vitest'
import type { LegacyEventFieldsFragment } from '../../src/generated/graphql/graphql.ts'
import { serializeEvent } from '../../src/rest/events/serialize.ts'
import { serializeOrganizer } from '../../src/rest/organizers/serialize.ts'
import { serializeVenue } from '../../src/rest/venues/serialize.ts'
import { event, image, json, lockedEvent, organizer, presentation, site, venue } from './fragments.ts'

const single = presentation('single')
const ofEvent = (changes: Partial<LegacyEventFieldsFragment>) =>
  json(serializeEvent({ ...event, ...changes }, single)).json_ld

const hall = {
  ...venue,
  descriptionHtml: '<p>Built <b>1900</b></p>\n<p>Old</p>',
  image,
  address: '1 Main St',
  city: 'Turin',
  stateProvince: 'TO',
  zip: '10121',
  country: 'Italy',
  phone: '555',
  website: 'https://hall.example',
}

const place = {
  '@type': 'Place',
  name: 'Hall',
  description: 'Built 1900 Old',
  image: image.url,
  url: '',
  address: {
    '@type': 'PostalAddress',
    streetAddress: '1 Main St',
    addressLocality: 'Turin',
    addressRegion: 'TO',
    postalCode: '10121',
    addressCountry: 'Italy',
  },
  telephone: '555',
  sameAs: 'https://hall.example',
}

const person = { '@type': 'Person', name: 'Club', url: `${site}/organizer/club/`, email: 'club@example.test' }
const club = { ...organizer, email: 'club@example.test' }

it('an event has location, organizer and offer', () => {
  const input = { title: 'R&B', image, venues: [hall, venue], organizers: [club, organizer] }
  expect(ofEvent(input)).toStrictEqual({
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: 'R&B',
    description: 'Evening concert',
    image: image.url,
    url: `${site}/event/choir/`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: '2030-02-01T19:00:00-05:00',
    endDate: '2030-02-01T21:00:00-05:00',
    location: place,
    organizer: person,
    offers: {
      '@type': 'Offer',
      price: '23',
      url: 'https://choir.example',
      category: 'primary',
      availability: 'inStock',
      validFrom: '2030-01-05T19:23:36.000Z',
    },
    performer: 'Organization',
  })
})

it('a minimal event omits unknown properties', () => {
  const properties = Object.keys(ofEvent({ descriptionHtml: '', cost: null }))
  for (const absent of ['description', 'image', 'location', 'organizer', 'offers'])
    expect(properties).not.toContain(absent)
})

describe('prices', () => {
  it.each([
    [{ text: 'Free', currencySymbol: '', currencyPosition: null, values: ['free'] }, { price: '0' }],
    [
      { text: '20EUR', currencySymbol: 'EUR', currencyPosition: 'POSTFIX' as const, values: ['20', '30'] },
      { price: '20', priceCurrency: 'EUR' },
    ],
  ])('%j', (cost, offer) => {
    expect(ofEvent({ cost }).offers).toMatchObject(offer)
  })
})

it.each([
  ['venue', serializeVenue(hall, single), place],
  ['organizer', serializeOrganizer(club, single), person],
])('a single %s has its own json_ld', (_kind, record, expected) => {
  expect(json(record).json_ld).toStrictEqual({ '@context': 'http://schema.org', ...expected })
})

it('a venue without an address omits it', () => {
  expect(json(serializeVenue(venue, single)).json_ld).not.toHaveProperty('address')
})

it('a single event has json_ld also in its venue and organizers', () => {
  const shown = json(serializeEvent({ ...event, venues: [venue], organizers: [club] }, single))
  expect(shown.venue.json_ld).toMatchObject({ '@type': 'Place' })
  expect(shown.organizer[0].json_ld).toMatchObject({ '@type': 'Person' })
})

it('users who can see an unpublished record see its json_ld', () => {
  expect(json(serializeEvent({ ...event, status: 'DRAFT' }, single)).json_ld).toMatchObject({ '@type': 'Event' })
  expect(json(serializeVenue({ ...venue, status: 'FUTURE' }, single)).json_ld).toMatchObject({ '@type': 'Place' })
  expect(json(serializeOrganizer({ ...organizer, status: 'PRIVATE' }, single)).json_ld).toMatchObject({
    '@type': 'Person',
  })
})

describe('no json_ld', () => {
  const list = presentation('list')

  it.each<[string, object]>([
    ['of an event in a list', serializeEvent({ ...event, venues: [venue], organizers: [club] }, list)],
    ['of a venue in a list', serializeVenue(venue, list)],
    ['of an organizer in a list', serializeOrganizer(organizer, list)],
    ['of a locked event', serializeEvent(lockedEvent, single)],
    ['of a locked venue', serializeVenue({ ...venue, locked: true }, single)],
    ['of a locked organizer', serializeOrganizer({ ...organizer, locked: true }, single)],
  ])('%s', (_name, record) => {
    expect(JSON.stringify(record)).not.toContain('json_ld')
  })
})
