import { expect, it } from 'vitest'
import { serializeImage, serializeVenue } from '../../../src/apis/rest/posts.ts'
import type { LegacyVenueFieldsFragment } from '../../../src/generated/graphql/graphql.ts'
import { image, json, postJson, presentation, site, venue } from '../fragments.ts'

const shown = (changes: Partial<LegacyVenueFieldsFragment> = {}) =>
  json(serializeVenue({ ...venue, ...changes }, presentation))

const hall = {
  ...postJson(7),
  url: `${site}/venue/hall/`,
  venue: 'Hall',
  slug: 'hall',
  show_map: true,
  show_map_link: true,
}

it('a venue omits every field that is empty', () => {
  expect(shown()).toStrictEqual(hall)
})

it('a venue shows every field that is set', () => {
  const address = {
    address: '1 Main St',
    city: 'Turin',
    country: 'Italy',
    province: 'TO',
    state: 'Piedmont',
    zip: '10121',
    phone: '+39 1',
    website: 'https://hall.example/?a=1&b=2',
  }
  const fields = {
    ...address,
    descriptionHtml: '<p>Old</p>',
    excerptHtml: '<p>O</p>',
    image,
    stateProvince: 'TO',
    coordinates: { latitude: 45.07, longitude: -7.69 },
    showMap: false,
    showMapLink: false,
  }
  expect(shown(fields)).toStrictEqual({
    ...hall,
    ...address,
    description: '<p>Old</p>',
    excerpt: '<p>O</p>',
    image: json(serializeImage(image)),
    stateprovince: 'TO',
    geo_lat: 45.07,
    geo_lng: -7.69,
    show_map: false,
    show_map_link: false,
  })
})

it.each<[string, Partial<LegacyVenueFieldsFragment>, object]>([
  ['a name is escaped', { name: 'A & B <x>' }, { ...hall, venue: 'A &amp; B &lt;x&gt;' }],
  ['a text 0 counts as empty', { phone: '0', zip: '0' }, hall],
  ['a place needs both coordinates', { coordinates: { latitude: 0, longitude: 9.5 } }, hall],
  ['nor does a longitude of 0 do', { coordinates: { latitude: 45, longitude: 0 } }, hall],
])('%s', (_name, fields, expected) => {
  expect(shown(fields)).toStrictEqual(expected)
})

it('a venue without author omits it', () => {
  expect(shown({ author: null })).not.toHaveProperty('author')
})

it('a locked venue shows its name and empty values of withheld fields', () => {
  const withheld = {
    descriptionHtml: null,
    excerptHtml: null,
    address: null,
    city: null,
    country: null,
    province: null,
    state: null,
    stateProvince: null,
    zip: null,
    phone: null,
    website: null,
    showMap: null,
    showMapLink: null,
  }
  const lockedHall = { ...hall, show_map: null, show_map_link: null }
  expect(shown({ locked: true, ...withheld })).toStrictEqual(lockedHall)
  expect(shown({ locked: true, ...withheld, withheldFields: ['city', 'stateProvince'] })).toStrictEqual({
    ...lockedHall,
    city: '',
    stateprovince: '',
  })
  const all = [
    ...['description', 'excerpt', 'image', 'address', 'city', 'country', 'province', 'state', 'stateProvince', 'zip'],
    ...['phone', 'website', 'coordinates'],
  ]
  expect(shown({ locked: true, ...withheld, withheldFields: all })).toStrictEqual({
    ...lockedHall,
    description: '',
    excerpt: '',
    image: false,
    address: '',
    city: '',
    country: '',
    province: '',
    state: '',
    zip: '',
    phone: '',
    website: '',
    stateprovince: '',
    geo_lat: 0,
    geo_lng: 0,
  })
})
