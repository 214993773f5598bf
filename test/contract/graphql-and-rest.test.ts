// GraphQL and REST return the same values of each field, in each language.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type Reply, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

type Json = Reply['body']

let app: TestApp
const ids = { event: 0, venue: 0, organizer: 0, category: 0, tag: 0, bare: 0 }

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  const { id: authorId } = await db.user.create({ data: { login: 'ada', name: 'Ada', role: 'author' } })
  const post = { authorId, imageId: await makeImage(db) }
  // No Spanish translations, and only some French ones.
  const place = {
    address: '1 Main St',
    city: 'Turin',
    country: 'Italy',
    stateProvince: 'TO',
    latitude: 45,
    longitude: 7,
  }
  ids.venue = await makeVenue(db, { en: { name: 'Hall & Co', description: 'Old' }, fr: 'Salle' }, { ...post, ...place })
  const contact = { phone: '555', email: 'club@hall.test', website: 'https://hall.test/?a=1&b=2' }
  ids.organizer = await makeOrganizer(db, { fr: { name: 'Association', excerpt: 'Nous' } }, { ...post, ...contact })
  const parent = await makeCategory(db, { en: 'Arts', fr: 'Les arts' })
  ids.category = await makeCategory(db, { en: { name: 'Music', description: 'Sounds' }, fr: 'Musique' }, parent)
  ids.tag = await makeTag(db, { en: 'free <entry>' })
  ids.event = await makeEvent(
    db,
    { en: { name: 'Choir', description: 'One\n\nTwo', excerpt: 'O' }, fr: { name: 'Chorale', description: 'Un' } },
    {
      ...post,
      venueIds: [ids.venue],
      organizerIds: [ids.organizer],
      categoryIds: [ids.category],
      tagIds: [ids.tag],
      cost: ['20 EUR', '30 EUR'],
      website: 'https://choir.test',
      timeZone: 'America/New_York',
      featured: true,
      allDay: true,
      customFields: [{ key: 'level', label: 'Level', value: 'hard' }],
    },
  )
  ids.bare = await makeEvent(db, { fr: 'Nu' })
})
afterAll(() => app.close())

const roots = ['', '/en', '/fr', '/es']
const rest = async (root: string, path: string) => (await app.get(`${root}/cal/events/v1${path}`)).body
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const utc = (instant: string) => instant.slice(0, 19).replace('T', ' ')
const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null))

const postSelection = `databaseId author { databaseId } status publishedAt modifiedAt url descriptionHtml excerptHtml slug
  image { databaseId url }`

const graph = async (root: string, field: string, id: number, selection: string) => {
  const { body } = await app.graphql(`query ($id: ID!) { ${field}(id: $id) { ${selection} } }`, { id }, root)
  expect(body.errors).toBeUndefined()
  return body.data[field]
}

const ofPost = (record: Json) => ({
  id: record.databaseId,
  author: String(record.author?.databaseId ?? 0),
  status: record.status === 'PUBLISHED' ? 'publish' : record.status,
  date_utc: utc(record.publishedAt),
  modified_utc: utc(record.modifiedAt),
  url: record.url,
  description: record.descriptionHtml,
  excerpt: record.excerptHtml,
  slug: record.slug,
})

describe.each(roots)('under the root %j', (root) => {
  it.each(['event', 'bare'] as const)('an event is equal: %s', async (which) => {
    const event = await graph(
      root,
      'event',
      ids[which],
      `${postSelection} title startsAt endsAt startsLocal endsLocal timeZone timeZoneAbbreviation allDay website
      showMap showMapLink hideFromListings sticky featured cost { text currencySymbol currencyPosition values }
      venues { databaseId } organizers { databaseId } categories { databaseId name } tags { databaseId name }
      customFields { key label value } languages { tag }`,
    )
    const { body: shown, headers } = await app.get(`${root}/cal/events/v1/events/${ids[which]}`)
    expect(headers['content-language']).toBe(event.languages.tag)
    expect(shown).toMatchObject({
      ...ofPost(event),
      title: escaped(event.title),
      start_date: event.startsLocal.replace('T', ' '),
      end_date: event.endsLocal.replace('T', ' '),
      utc_start_date: utc(event.startsAt),
      utc_end_date: utc(event.endsAt),
      timezone: event.timeZone,
      timezone_abbr: event.timeZoneAbbreviation,
      all_day: event.allDay,
      website: event.website ?? event.url,
      show_map: event.showMap,
      show_map_link: event.showMapLink,
      hide_from_listings: event.hideFromListings,
      sticky: event.sticky,
      featured: event.featured,
      cost: event.cost?.text ?? '',
      cost_details: {
        currency_symbol: event.cost?.currencySymbol ?? '',
        currency_position: event.cost?.currencyPosition?.toLowerCase() ?? '',
        values: event.cost?.values ?? [],
      },
      categories: event.categories.map((each: Json) => ({ id: each.databaseId, name: escaped(each.name) })),
      tags: event.tags.map((each: Json) => ({ id: each.databaseId, name: escaped(each.name) })),
      organizer: event.organizers.map((each: Json) => ({ id: each.databaseId })),
    })
    expect(shown.venue.id).toBe(event.venues[0]?.databaseId)
    expect(shown.image.url).toBe(event.image?.url)
    const fields = event.customFields.map(({ key, ...field }: { key: string }) => [key, field])
    expect(shown.custom_fields).toEqual(fields.length === 0 ? [] : Object.fromEntries(fields))
    const listed = (await rest(root, '/events')).events.find(({ id }: { id: number }) => id === ids[which])
    expect([listed.title, listed.description]).toEqual([shown.title, shown.description])
  })

  it('a venue is equal', async () => {
    const selection = `${postSelection} name address city country province state stateProvince zip phone website
      latitude longitude showMap showMapLink`
    const venue = await graph(root, 'venue', ids.venue, selection)
    const { name, stateProvince, latitude, longitude, showMap, showMapLink } = venue
    const { address, city, country, province, state, zip, phone, website } = venue
    const {
      json_ld: _,
      image,
      global_id: __,
      global_id_lineage: ___,
      date: ____,
      modified: _____,
      ...shown
    } = await rest(root, `/venues/${ids.venue}`)
    expect(shown).toEqual({
      ...present({ ...ofPost(venue), address, city, country, province, state, zip, phone, website }),
      ...present({ venue: escaped(name), stateprovince: stateProvince, geo_lat: latitude, geo_lng: longitude }),
      show_map: showMap,
      show_map_link: showMapLink,
    })
    expect([image.id, image.url]).toEqual([venue.image.databaseId, venue.image.url])
  })

  it('an organizer is equal', async () => {
    const organizer = await graph(root, 'organizer', ids.organizer, `${postSelection} name phone website email`)
    const { name, phone, website, email } = organizer
    const fields = present({ ...ofPost(organizer), organizer: escaped(name), phone, website, email })
    const shown = await rest(root, `/organizers/${ids.organizer}`)
    expect(shown).toMatchObject(fields)
    expect(Object.keys(fields).includes('description')).toBe('description' in shown)
  })

  it.each(['category', 'tag'] as const)('a %s is equal', async (kind) => {
    const parent = kind === 'category' ? 'parent { databaseId }' : ''
    const term = await graph(root, kind, ids[kind], `databaseId name description slug url count ${parent}`)
    const { databaseId: id, name, description, slug, url, count } = term
    expect(await rest(root, `/${kind === 'tag' ? 'tags' : 'categories'}/${id}`)).toMatchObject({
      ...{ id, description, slug, url, count },
      name: escaped(name),
      parent: term.parent?.databaseId ?? 0,
    })
  })
})

it('missing translations fall back to another language', async () => {
  const titles: Record<string, string[]> = {}
  for (const root of roots) {
    const [event, venue, organizer, tag] = [
      await rest(root, `/events/${ids.event}`),
      await rest(root, `/venues/${ids.venue}`),
      await rest(root, `/organizers/${ids.organizer}`),
      await rest(root, `/tags/${ids.tag}`),
    ]
    titles[root] = [event.title, event.excerpt, venue.venue, venue.description, organizer.organizer, tag.name]
  }
  const english = ['Choir', '<p>O</p>', 'Hall &amp; Co', '<p>Old</p>', 'Association', 'free &lt;entry&gt;']
  const french = ['Chorale', '<p>O</p>', 'Salle', '<p>Old</p>', 'Association', 'free &lt;entry&gt;']
  expect(titles).toEqual({ '': english, '/en': english, '/fr': french, '/es': english })
})
