// The fields of each kind of record and their JSON types, as contract c lists them.
import { expect } from 'vitest'

const text = expect.any(String)
const number = expect.any(Number)
const flag = expect.any(Boolean)
const list = expect.any(Array)

const dateText = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

const dateParts = {
  year: expect.stringMatching(/^\d{4}$/),
  month: expect.stringMatching(/^\d\d$/),
  day: expect.stringMatching(/^\d\d$/),
  hour: expect.stringMatching(/^\d\d$/),
  minutes: expect.stringMatching(/^\d\d$/),
  seconds: expect.stringMatching(/^\d\d$/),
}

const post = {
  id: number,
  global_id: expect.stringMatching(/^calendar\.test\?id=\d+$/),
  global_id_lineage: [expect.stringMatching(/^calendar\.test\?id=\d+$/)],
  author: expect.stringMatching(/^\d+$/),
  status: 'publish',
  date: dateText,
  date_utc: dateText,
  modified: dateText,
  modified_utc: dateText,
  url: expect.stringMatching(/^http:\/\/calendar\.test\/[a-z]+\/[a-z-]+\/$/),
  slug: text,
  description: expect.stringMatching(/^<p>/),
  excerpt: expect.stringMatching(/^<p>/),
}

const image = {
  url: text,
  id: number,
  extension: 'jpg',
  width: 1200,
  height: 800,
  sizes: { thumbnail: { width: 150, height: 150, 'mime-type': 'image/jpeg', url: text } },
}

export const term = {
  id: number,
  name: text,
  slug: text,
  taxonomy: text,
  description: text,
  parent: number,
  count: number,
  meta: [],
  url: text,
  urls: { self: text, collection: text },
}

export const venue = {
  ...post,
  venue: text,
  image,
  address: text,
  city: text,
  country: text,
  province: text,
  state: text,
  zip: text,
  phone: text,
  website: text,
  stateprovince: text,
  geo_lat: number,
  geo_lng: number,
  show_map: flag,
  show_map_link: flag,
}

export const organizer = { ...post, organizer: text, image, phone: text, website: text, email: text }

export const event = {
  ...post,
  rest_url: text,
  title: text,
  image,
  all_day: flag,
  start_date: dateText,
  start_date_details: dateParts,
  end_date: dateText,
  end_date_details: dateParts,
  utc_start_date: dateText,
  utc_start_date_details: dateParts,
  utc_end_date: dateText,
  utc_end_date_details: dateParts,
  timezone: text,
  timezone_abbr: text,
  cost: text,
  cost_details: { currency_symbol: text, currency_code: '', currency_position: text, values: list },
  website: text,
  show_map: flag,
  show_map_link: flag,
  hide_from_listings: flag,
  sticky: flag,
  featured: flag,
  categories: [term],
  tags: [term],
  venue,
  organizer: [organizer],
  custom_fields: { level: { label: 'Level', value: 'hard' } },
}

const jsonLd = expect.objectContaining({ '@type': text })

/** Fields of a record that is read alone: with json_ld, also in the records that it contains. */
export const single = {
  event: {
    ...event,
    json_ld: jsonLd,
    venue: { ...venue, json_ld: jsonLd },
    organizer: [{ ...organizer, json_ld: jsonLd }],
  },
  venue: { ...venue, json_ld: jsonLd },
  organizer: { ...organizer, json_ld: jsonLd },
}
