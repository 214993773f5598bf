// Results of GraphQL fragments, for tests without a database.

import type { SerializeOptions } from '../../src/apis/rest/posts.ts'
import { createLinkBuilder } from '../../src/apis/rest/urls.ts'
import type {
  LegacyCategoryFieldsFragment,
  LegacyEventFieldsFragment,
  LegacyImageFieldsFragment,
  LegacyOrganizerFieldsFragment,
  LegacyTermFieldsFragment,
  LegacyVenueFieldsFragment,
} from '../../src/generated/graphql/graphql.ts'

export const site = 'https://example.test'
export const rest = `${site}/cal/events/v1`

const urls = createLinkBuilder({ rest, site, language: undefined })

export const presentation: SerializeOptions = {
  urls,
  siteTimeZone: 'America/New_York',
  categoryTaxonomy: 'cal_events_cat',
  key: '',
}

/** The value after serialization to JSON. */
export const json = (value: unknown) => JSON.parse(JSON.stringify(value))

const post = {
  author: { databaseId: 3 },
  status: 'PUBLISHED' as const,
  publishedAt: new Date('2030-01-05T19:23:36Z'),
  modifiedAt: new Date('2030-01-06T05:00:00Z'),
  locked: false,
  excerptHtml: '',
  image: null,
}

/** Fields that every post has, by its ID. */
export const postJson = (id: number) => ({
  id,
  global_id: `example.test?id=${id}`,
  global_id_lineage: [`example.test?id=${id}`],
  author: '3',
  status: 'publish',
  date: '2030-01-05 14:23:36',
  date_utc: '2030-01-05 19:23:36',
  modified: '2030-01-06 00:00:00',
  modified_utc: '2030-01-06 05:00:00',
})

export const image: LegacyImageFieldsFragment = {
  databaseId: 77,
  url: 'https://images.test/poster.JPEG?v=2',
  mimeType: 'image/jpeg',
  width: 1200,
  height: 800,
  fileSize: 12_345,
  sizes: [
    {
      name: 'thumbnail',
      url: 'https://images.test/small.jpg',
      width: 150,
      height: 100,
      mimeType: 'image/jpeg',
      fileSize: 999,
    },
    {
      name: 'medium',
      url: 'https://images.test/medium.jpg',
      width: 300,
      height: 200,
      mimeType: 'image/jpeg',
      fileSize: null,
    },
  ],
}

export const event: LegacyEventFieldsFragment = {
  ...post,
  databaseId: 41,
  url: `${site}/event/choir/`,
  title: 'Choir',
  descriptionHtml: '<p>Evening concert</p>',
  slug: 'choir',
  allDay: false,
  startsLocal: '2030-02-01T19:00:00',
  endsLocal: '2030-02-01T21:00:00',
  startsAt: new Date('2030-02-02T00:00:00Z'),
  endsAt: new Date('2030-02-02T02:00:00Z'),
  timeZone: 'America/New_York',
  timeZoneAbbreviation: 'EST',
  cost: { text: '$23', currencySymbol: '$', currencyPosition: 'PREFIX', values: ['23'] },
  website: 'https://choir.example',
  showMap: true,
  showMapLink: false,
  hideFromListings: false,
  sticky: false,
  featured: true,
  categories: [],
  tags: [],
  venues: [],
  organizers: [],
  customFields: [],
  attendanceMode: 'OFFLINE',
  onlineUrl: null,
  series: null,
  occurrence: 'SINGLE',
  originalStartsLocal: null,
  dateLabel: null,
  dateNote: null,
}

/** An event whose details a password withholds. */
export const lockedEvent: LegacyEventFieldsFragment = {
  ...event,
  locked: true,
  descriptionHtml: null,
  excerptHtml: null,
  allDay: null,
  cost: null,
  website: null,
  showMap: null,
  showMapLink: null,
  hideFromListings: null,
  sticky: null,
  featured: null,
}

export const venue: LegacyVenueFieldsFragment = {
  ...post,
  databaseId: 7,
  url: `${site}/venue/hall/`,
  name: 'Hall',
  withheldFields: [],
  descriptionHtml: '',
  slug: 'hall',
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  stateProvince: '',
  zip: '',
  phone: '',
  website: '',
  coordinates: null,
  showMap: true,
  showMapLink: true,
}

export const organizer: LegacyOrganizerFieldsFragment = {
  ...post,
  databaseId: 9,
  url: `${site}/organizer/club/`,
  name: 'Club',
  withheldFields: [],
  descriptionHtml: '',
  slug: 'club',
  phone: '',
  website: '',
  email: '',
}

export const category: LegacyCategoryFieldsFragment = {
  databaseId: 5,
  name: 'Music',
  description: 'All that sounds',
  slug: 'music',
  url: `${site}/events/category/music/`,
  count: 2,
  parent: null,
}

export const tag: LegacyTermFieldsFragment = {
  databaseId: 6,
  name: 'Free',
  description: '',
  slug: 'free',
  url: `${site}/tag/free/`,
  count: 0,
}
