// Exact fields and JSON types of each kind of record, complete and minimal, alone and in lists (contract c.2 to c.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import * as shapes from './shapes.ts'

const ns = '/cal/events/v1'
const rest = `http://calendar.test${ns}`
let app: TestApp
const ids = { event: 0, venue: 0, organizer: 0, category: 0, tag: 0, child: 0, bareEvent: 0, bareVenue: 0 }

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'America/New_York' })
  const { db } = app
  const { id: authorId } = await db.user.create({ data: { login: 'ada', name: 'Ada', role: 'author' } })
  const post = { authorId, imageId: await makeImage(db), publishedAt: new Date('2026-01-05T19:23:36Z') }
  const words = { description: 'Some words', excerpt: 'Few words' }
  const contact = { phone: '555', website: 'https://hall.test' }
  const address = { address: '1 Main St', city: 'Turin', country: 'Italy', province: 'TO', state: 'TO', zip: '10121' }
  const place = { stateProvince: 'TO', latitude: 45.07, longitude: 7.69 }
  ids.venue = await makeVenue(db, { en: { name: 'Hall', ...words } }, { ...post, ...contact, ...address, ...place })
  const email = 'club@hall.test'
  ids.organizer = await makeOrganizer(db, { en: { name: 'Club', ...words } }, { ...post, ...contact, email })
  ids.category = await makeCategory(db, { en: { name: 'Music', description: 'Sounds' } })
  ids.tag = await makeTag(db, 'free')
  const customFields = [{ key: 'level', label: 'Level', value: 'hard' }]
  const linked = {
    venueIds: [ids.venue],
    organizerIds: [ids.organizer],
    categoryIds: [ids.category],
    tagIds: [ids.tag],
  }
  ids.event = await makeEvent(
    db,
    { en: { name: 'Choir', ...words } },
    { ...post, ...linked, cost: ['$23'], customFields },
  )
  ids.child = await makeCategory(db, 'Jazz', ids.category)
  ids.bareEvent = await makeEvent(db, 'Bare', { start: '2027-01-01T00:00:00', timeZone: 'America/New_York' })
  ids.bareVenue = await makeVenue(db, 'Empty')
})
afterAll(() => app.close())

const get = async (path: string) => (await app.get(`${ns}${path}`)).body

describe('complete records', () => {
  it.each([
    ['event', shapes.single.event],
    ['venue', shapes.single.venue],
    ['organizer', shapes.single.organizer],
  ] as const)('%s alone, by ID and by slug', async (kind, shape) => {
    const byId = await get(`/${kind}s/${ids[kind]}`)
    expect(byId).toStrictEqual(shape)
    expect(await get(`/${kind}s/by-slug/${byId.slug}`)).toStrictEqual(byId)
  })

  it.each([
    ['event', shapes.event],
    ['venue', shapes.venue],
    ['organizer', shapes.organizer],
  ] as const)('%s in a list', async (kind, shape) => {
    const listed = (await get(`/${kind}s`))[`${kind}s`].find((record: { id: number }) => record.id === ids[kind])
    expect(listed).toStrictEqual(shape)
  })

  it('terms are equal alone, in a list and in an event', async () => {
    const event = await get(`/events/${ids.event}`)
    for (const [plural, id] of [
      ['categories', ids.category],
      ['tags', ids.tag],
    ] as const) {
      const alone = await get(`/${plural}/${id}`)
      expect(alone).toStrictEqual(shapes.term)
      expect((await get(`/${plural}`))[plural]).toEqual([alone])
      expect(event[plural]).toEqual([alone])
    }
  })
})

describe('values', () => {
  it('of an event match', async () => {
    expect(await get(`/events/${ids.event}`)).toMatchObject({
      id: ids.event,
      author: '1',
      date: '2026-01-05 14:23:36',
      date_utc: '2026-01-05 19:23:36',
      url: 'http://calendar.test/event/choir/',
      rest_url: `${rest}/events/${ids.event}`,
      start_date: '2026-12-01 19:00:00',
      utc_start_date: '2026-12-01 18:00:00',
      utc_start_date_details: { year: '2026', month: '12', day: '01', hour: '18', minutes: '00', seconds: '00' },
      timezone: 'Europe/Paris',
      timezone_abbr: 'CET',
      venue: { id: ids.venue, url: 'http://calendar.test/venue/hall/' },
      organizer: [{ id: ids.organizer, url: 'http://calendar.test/organizer/club/' }],
    })
  })

  it('of a child category match', async () => {
    expect(await get(`/categories/${ids.child}`)).toEqual({
      id: ids.child,
      name: 'Jazz',
      slug: 'jazz',
      taxonomy: 'cal_events_cat',
      description: '',
      parent: ids.category,
      count: 0,
      meta: [],
      url: 'http://calendar.test/events/category/music/jazz/',
      urls: {
        self: `${rest}/categories/${ids.child}`,
        collection: `${rest}/categories`,
        up: `${rest}/categories/${ids.category}`,
      },
    })
  })

  it('of a tag match', async () => {
    const url = 'http://calendar.test/tag/free/'
    expect(await get(`/tags/${ids.tag}`)).toMatchObject({ taxonomy: 'post_tag', count: 1, url, parent: 0 })
  })
})

describe('minimal records', () => {
  it('an event has every field', async () => {
    const { json_ld: _, ...bare } = await get(`/events/${ids.bareEvent}`)
    expect(Object.keys(bare).sort()).toEqual(Object.keys(shapes.event).sort())
    const url = 'http://calendar.test/event/bare/'
    const lists = { categories: [], tags: [], venue: [], organizer: [], custom_fields: [] }
    const texts = { description: '', excerpt: '', cost: '', website: url, author: '0' }
    expect(bare).toMatchObject({ ...lists, ...texts, image: false, all_day: false, timezone_abbr: 'EST' })
  })

  it('a venue omits empty fields', async () => {
    const { json_ld: _, ...bare } = await get(`/venues/${ids.bareVenue}`)
    const dates = ['date', 'date_utc', 'modified', 'modified_utc']
    const always = [
      'global_id',
      'global_id_lineage',
      'id',
      'show_map',
      'show_map_link',
      'slug',
      'status',
      'url',
      'venue',
    ]
    expect(Object.keys(bare).sort()).toEqual([...dates, ...always].sort())
  })
})
