import { describe, expect, it } from 'vitest'
import { serializeEvent } from '../../../src/apis/rest/events/serialize.ts'
import { serializeImage, serializeOrganizer, serializeVenue } from '../../../src/apis/rest/posts.ts'
import { serializeCategory, serializeTag } from '../../../src/apis/rest/terms.ts'
import type { LegacyEventFieldsFragment } from '../../../src/generated/graphql/graphql.ts'
import {
  category,
  event,
  image,
  json,
  lockedEvent,
  organizer,
  postJson,
  presentation,
  rest,
  site,
  tag,
  venue,
} from '../fragments.ts'

const shown = (changes: Partial<LegacyEventFieldsFragment> = {}) =>
  json(serializeEvent({ ...event, ...changes }, presentation))

const details = (year: string, month: string, day: string, hour: string) => ({
  year,
  month,
  day,
  hour,
  minutes: '00',
  seconds: '00',
})

const choir = {
  ...postJson(41),
  url: `${site}/event/choir/`,
  rest_url: `${rest}/events/41`,
  title: 'Choir',
  description: '<p>Evening concert</p>',
  excerpt: '',
  slug: 'choir',
  image: false,
  all_day: false,
  start_date: '2030-02-01 19:00:00',
  start_date_details: details('2030', '02', '01', '19'),
  end_date: '2030-02-01 21:00:00',
  end_date_details: details('2030', '02', '01', '21'),
  utc_start_date: '2030-02-02 00:00:00',
  utc_start_date_details: details('2030', '02', '02', '00'),
  utc_end_date: '2030-02-02 02:00:00',
  utc_end_date_details: details('2030', '02', '02', '02'),
  timezone: 'America/New_York',
  timezone_abbr: 'EST',
  cost: '$23',
  cost_details: { currency_symbol: '$', currency_code: '', currency_position: 'prefix', values: ['23'] },
  website: 'https://choir.example',
  show_map: true,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: true,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  custom_fields: [],
}

it('an event in a list has exactly the fields of the contract', () => {
  expect(shown()).toStrictEqual(choir)
})

it('a minimal event has every field', () => {
  const bare = { author: null, excerptHtml: null, descriptionHtml: '', slug: '', cost: null, website: null }
  expect(shown(bare)).toStrictEqual({
    ...choir,
    author: '0',
    description: '',
    slug: '',
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: `${site}/event/choir/`,
  })
})

it('a locked event shows only dates and title', () => {
  expect(json(serializeEvent(lockedEvent, presentation))).toStrictEqual({
    ...choir,
    description: '',
    excerpt: '',
    all_day: null,
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: '',
    show_map: null,
    show_map_link: null,
    hide_from_listings: null,
    sticky: null,
    featured: null,
  })
})

describe('single values', () => {
  it.each<[string, Partial<LegacyEventFieldsFragment>, object]>([
    ['a title is escaped', { title: 'R&B <live>' }, { title: 'R&amp;B &lt;live&gt;' }],
    ['a title that looks escaped is escaped again', { title: '&amp;' }, { title: '&amp;amp;' }],
    ['a website is escaped', { website: 'https://a.test/?b=1&c=2' }, { website: 'https://a.test/?b=1&amp;c=2' }],
    ['a website that was removed is empty', { website: '' }, { website: '' }],
    ['a website that was never set is the page', { website: null }, { website: `${site}/event/choir/` }],
    ['other scripts stay', { title: '音楽' }, { title: '音楽' }],
    ['a status is in lower case', { status: 'PRIVATE' }, { status: 'private' }],
    ['an image is an object', { image }, { image: json(serializeImage(image)) }],
  ])('%s', (_name, fields, expected) => {
    expect(shown(fields)).toMatchObject(expected)
  })

  it.each([
    ['POSTFIX', 'postfix'],
    ['PREFIX', 'prefix'],
    [null, ''],
  ] as const)('a currency position %s is %j', (currencyPosition, expected) => {
    const cost = { text: '20', currencySymbol: '', currencyPosition, values: ['20'] }
    expect(shown({ cost }).cost_details.currency_position).toBe(expected)
  })
})

describe('linked records', () => {
  const other = { ...venue, databaseId: 8, name: 'Garden' }

  it.each([
    ['no venue is an empty list', [], []],
    ['one venue is an object', [venue], json(serializeVenue(venue, presentation))],
    [
      'several venues are a list in their order',
      [other, venue],
      json([serializeVenue(other, presentation), serializeVenue(venue, presentation)]),
    ],
  ])('%s', (_name, venues, expected) => {
    expect(shown({ venues }).venue).toStrictEqual(expected)
  })

  it('organizers, categories and tags are lists', () => {
    expect(shown({ organizers: [organizer], categories: [category], tags: [tag] })).toStrictEqual({
      ...choir,
      organizer: [json(serializeOrganizer(organizer, presentation))],
      categories: [json(serializeCategory(category, presentation))],
      tags: [json(serializeTag(tag, presentation))],
    })
  })

  it('custom fields are an object by key', () => {
    const customFields = [
      { key: 'level', label: 'Level', value: 'hard' },
      { key: 'days', label: 'Days', value: [1, 2] },
    ]
    expect(shown({ customFields }).custom_fields).toStrictEqual({
      level: { label: 'Level', value: 'hard' },
      days: { label: 'Days', value: [1, 2] },
    })
  })
})
