import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, serve, type TestApp } from '../../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../../helpers/make.ts'
import { makeTemporaryEvent } from '../../helpers/make-temporary.ts'

let app: TestApp
let editor: ApiClient
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  const { db } = app
  editor = await app.signIn('editor')
  ids.music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  ids.jazz = await makeCategory(db, 'Jazz', ids.music)
  ids.art = await makeCategory(db, { en: 'Art', fr: 'Peinture' })
  ids.free = await makeTag(db, 'free')
  ids.hall = await makeVenue(db, 'Hall', { city: 'Paris', country: 'France' })
  ids.park = await makeVenue(db, 'Park', { city: 'paris', country: 'France' })
  ids.quay = await makeVenue(db, 'Quay', { city: 'Lyon', country: 'France' })
  ids.draft = await makeVenue(db, 'Secret', { city: 'Nice', status: 'draft' })
  ids.club = await makeOrganizer(db, 'Club')
  ids.concert = await makeEvent(
    db,
    { en: 'Concert', fr: 'Concert fr' },
    {
      start: '2026-12-01T19:00:00',
      cost: ['10'],
      venueIds: [ids.hall, ids.park],
      organizerIds: [ids.club],
      categoryIds: [ids.jazz, ids.music],
      tagIds: [ids.free],
    },
  )
  ids.session = await makeEvent(db, 'Session', {
    start: '2026-12-05T19:00:00',
    cost: ['0'],
    venueIds: [ids.hall, ids.draft],
    categoryIds: [ids.jazz],
  })
  ids.show = await makeEvent(db, 'Show', {
    start: '2027-02-05T19:00:00',
    venueIds: [ids.quay],
    categoryIds: [ids.art],
  })
})
afterAll(() => app?.close())

const all = `totalCount
  categories { category { name } count } tags { tag { name } count } venues { venue { name } count }
  organizers { organizer { name } count } cities { city country count } months { month count }
  languages { language count } prices { price count }`

/** Each value of each facet with its count. */
async function facets(filter: object = {}, selection = all, client: ApiClient = app, root = '') {
  const { body } = await client.graphql(
    `query ($filter: EventFilter) { eventFacets(filter: $filter) { ${selection} } }`,
    { filter },
    root,
  )
  expect(body.errors).toBeUndefined()
  const { totalCount, ...lists } = body.data.eventFacets
  const rows = Object.entries(lists).map(([name, list]) => [
    name,
    (list as Record<string, unknown>[]).map(({ count, ...value }) => {
      const text = Object.values(value).map((part) =>
        typeof part === 'string' ? part : (part as { name: string }).name,
      )
      return `${text.join(', ')}: ${count}`
    }),
  ])
  return { ...(totalCount !== undefined && { totalCount }), ...Object.fromEntries(rows) }
}

test('facets count events by everything that the filter selects by', async () => {
  expect(await facets()).toEqual({
    totalCount: 3,
    categories: ['Jazz: 2', 'Music: 2', 'Art: 1'],
    tags: ['free: 1'],
    venues: ['Hall: 2', 'Park: 1', 'Quay: 1'],
    organizers: ['Club: 1'],
    cities: ['Paris, France: 2', 'Lyon, France: 1'],
    months: ['2026-12: 2', '2027-02: 1'],
    languages: ['EN: 3', 'FR: 1'],
    prices: ['FREE: 1', 'PAID: 1'],
  })
})

test('each facet ignores its own criterion and applies all others', async () => {
  const filter = { categories: ['music'], between: { from: '2027-02-01', to: '2027-02-28' } }
  expect(
    await facets(
      filter,
      'totalCount categories { category { name } count } months { month count } tags { tag { name } count }',
    ),
  ).toEqual({
    totalCount: 0,
    categories: ['Art: 1', 'Music: 0'],
    months: ['2026-12: 2'],
    tags: [],
  })
  const cities = 'cities { city country count } venues { venue { name } count } prices { price count }'
  expect(await facets({ cities: ['PARIS'], price: { free: true } }, cities)).toEqual({
    cities: ['Paris, France: 1'],
    venues: ['Hall: 1'],
    prices: ['FREE: 1', 'PAID: 1'],
  })
  expect(await facets({ placeName: 'Quay' }, 'totalCount cities { city country count }')).toEqual({
    totalCount: 1,
    cities: ['Paris, France: 2', 'Lyon, France: 1'],
  })
})

test.each<object>([
  { between: { from: '2027-02-01', to: '2027-02-28' } },
  { startsOn: '2027-02-05' },
  { startsAt: { gte: '2027-02-01T00:00:00Z' } },
  { startsLocal: { gte: '2027-02-01T00:00:00' } },
  { endsAt: { gte: '2027-02-01T00:00:00Z' } },
  { endsLocal: { gte: '2027-02-01T00:00:00' } },
  { runningAt: '2027-02-05T19:30:00Z' },
])('months ignore %o', async (filter) => {
  const { totalCount, months } = await facets(filter, 'totalCount months { month count }')
  expect([totalCount, months]).toEqual([1, ['2026-12: 2', '2027-02: 1']])
})

test('facets of a range of times count events that were moved, that last long, and that have hundreds of links', async () => {
  const { db } = app
  const make = (name: string, start: string, end: string) =>
    makeEvent(db, name, { start: `${start}T19:00:00`, end: `${end}T20:00:00`, venueIds: [ids.hall ?? 0] })
  await make('Exhibition', '2028-01-10', '2028-06-01')
  const linked = await make('Linked', '2028-03-02', '2028-03-02')
  await db.$executeRaw`INSERT INTO tag (id, original_language) SELECT id, 'en' FROM generate_series(100001, 100600) AS id`
  await db.$executeRaw`INSERT INTO content_tag (content_id, tag_id) SELECT ${linked}::int, id FROM generate_series(100001, 100600) AS id`
  const moved = await make('Moved', '2028-09-01', '2028-09-01')
  const move = (start: string, end: string) =>
    editor.graphql(
      `mutation { updateEvent(input: { id: "${moved}", startsLocal: "${start}T19:00:00", endsLocal: "${end}T20:00:00" }) {
        userErrors { message } } }`,
    )
  const counts = async (filter: object) => {
    const { totalCount, venues, cities } = await facets(
      filter,
      'totalCount venues { venue { name } count } cities { city country count }',
    )
    expect(cities).toEqual([`Paris, France: ${totalCount}`])
    expect(venues).toEqual([`Hall: ${totalCount}`])
    return totalCount
  }
  const march = { from: '2028-03-01', to: '2028-03-31' }
  const overlapping = { between: { ...march, match: 'OVERLAPPING' } }
  expect([await counts({ between: march }), await counts(overlapping)]).toEqual([1, 2])
  expect((await move('2028-03-15', '2028-03-15')).body.data.updateEvent.userErrors).toEqual([])
  expect([await counts({ between: march }), await counts(overlapping)]).toEqual([2, 3])
  expect((await move('2028-02-25', '2028-04-20')).body.data.updateEvent.userErrors).toEqual([])
  expect([await counts({ between: march }), await counts(overlapping)]).toEqual([1, 3])
  expect(await counts({ endsLocal: { gte: '2028-04-20T20:00:00' } })).toBe(2)
  expect(await counts({ startsLocal: { gte: '2028-01-01T00:00:00', lte: '2028-02-25T19:00:00' } })).toBe(2)
  expect(await counts({ startsAt: { gt: '2028-02-25T00:00:00Z' }, endsAt: { lt: '2028-05-01T00:00:00Z' } })).toBe(2)
  expect(await counts({ runningAt: '2028-03-15T12:00:00Z' })).toBe(2)
  const season = await make('Season', '2026-01-02', '2028-12-31')
  const over = await make('Over', '2026-01-02', '2026-02-20')
  expect(await counts({ when: 'UPCOMING', include: [season, over] })).toBe(1)
  expect(await counts({ when: 'PAST', include: [season, over] })).toBe(1)
  await db.event.deleteMany({
    where: { OR: [{ id: { in: [season, over] } }, { startsLocal: { gte: new Date('2028-01-01') } }] },
  })
  await db.tag.deleteMany({ where: { id: { gt: 100000 } } })
})

test('criteria in `not` and `any` apply to every facet', async () => {
  const selection = 'categories { category { name } count } languages { language count }'
  expect(await facets({ not: { categories: ['art'] }, any: [{ translatedInto: ['FR'] }] }, selection)).toEqual({
    categories: ['Jazz: 1', 'Music: 1'],
    languages: ['EN: 1', 'FR: 1'],
  })
})

test('values that the filter selects are returned although no event has them or others have more', async () => {
  const filter = {
    categories: ['art'],
    tags: ['free'],
    cities: ['lyon'],
    translatedInto: ['ES'],
    price: { free: false },
  }
  const selection = `categories(first: 1) { category { name } count } tags(first: 0) { tag { name } count }
    cities(first: 0) { city country count } languages { language count } prices { price count }`
  expect(await facets(filter, selection)).toEqual({
    categories: ['Art: 0'],
    tags: ['free: 0'],
    cities: ['Lyon, France: 0'],
    languages: ['ES: 0'],
    prices: ['PAID: 0'],
  })
  expect(await facets({ venues: [ids.draft] }, 'venues(first: 0) { venue { name } count }')).toEqual({ venues: [] })
})

test('a blank city is none that the filter selects', async () => {
  await makeVenue(app.db, 'Nowhere', { city: '' })
  expect(await facets({ cities: ['', ' '] }, 'cities(first: 0) { city country count }')).toEqual({ cities: [] })
})

test('prices change with the tickets of an event', async () => {
  const prices = () => facets({ include: [ids.show] }, 'prices { price count }')
  const ticket = (price: number) => ({
    data: { contentId: ids.show ?? 0, position: 0, name: 'Seat', price, currency: 'EUR' },
  })
  expect(await prices()).toEqual({ prices: [] })
  const { id } = await app.db.contentTicket.create(ticket(0))
  expect(await prices()).toEqual({ prices: ['FREE: 1'] })
  const second = await app.db.contentTicket.create(ticket(12))
  expect(await prices()).toEqual({ prices: ['PAID: 1'] })
  await app.db.contentTicket.update({ where: { id: second.id }, data: { price: 0 } })
  expect(await prices()).toEqual({ prices: ['FREE: 1'] })
  await app.db.contentTicket.deleteMany({ where: { id: { in: [id, second.id] } } })
  expect(await prices()).toEqual({ prices: [] })
})

test('each statement of a transaction that changes links of one event counts', async () => {
  const { db } = app
  const contentId = await makeTemporaryEvent(db, 'Ball', { categoryIds: [ids.art ?? 0] })
  await db.$transaction([
    db.contentTag.create({ data: { contentId, tagId: ids.free ?? 0 } }),
    db.contentCategory.create({ data: { contentId, categoryId: ids.jazz ?? 0 } }),
    db.contentTag.deleteMany({ where: { contentId } }),
    db.contentCategory.delete({ where: { contentId_categoryId: { contentId, categoryId: ids.art ?? 0 } } }),
    db.contentVenue.create({ data: { contentId, venueId: ids.quay ?? 0, position: 0 } }),
  ])
  const selection = 'categories { category { name } count } tags { tag { name } count } venues { venue { name } count }'
  expect(await facets({ include: [contentId] }, selection)).toEqual({
    categories: ['Jazz: 1', 'Music: 1'],
    tags: [],
    venues: ['Quay: 1'],
  })
})

test('a venue with a password counts for its events, and its city does not', async () => {
  await app.db.venue.update({ where: { id: ids.quay ?? 0 }, data: { passwordKey: 'locked' } })
  const selection = 'venues { venue { name } count } cities { city country count }'
  expect(await facets({ include: [ids.show] }, selection)).toEqual({ venues: ['Quay: 1'], cities: [] })
  await app.db.venue.update({ where: { id: ids.quay ?? 0 }, data: { passwordKey: null } })
  expect(await facets({ include: [ids.show] }, selection)).toEqual({ venues: ['Quay: 1'], cities: ['Lyon, France: 1'] })
})

test('values with equal counts come by their name in the language of the operation', async () => {
  const selection = 'categories { category { name } count }'
  const filter = { include: [ids.concert, ids.show] }
  expect(await facets(filter, selection)).toEqual({ categories: ['Art: 1', 'Jazz: 1', 'Music: 1'] })
  expect(await facets(filter, selection, app, '/fr')).toEqual({ categories: ['Jazz: 1', 'Musique: 1', 'Peinture: 1'] })
})

test('with LANGUAGE_FALLBACK=off, facets have the records that have a name in the language, as their lists do', async () => {
  const site = await serve(app, { LANGUAGE_FALLBACK: 'off' })
  const kinds = [
    'categories { category { name } count }',
    'venues { venue { name } count }',
    'cities { city country count }',
  ]
  expect(await facets({}, kinds.join(' '), site, '/fr')).toEqual({
    categories: ['Musique: 1'],
    venues: [],
    cities: ['Paris, France: 1'],
  })
  expect(await facets({ categories: ['jazz'] }, 'categories { category { name } count }', site, '/fr')).toEqual({
    categories: ['Musique: 1'],
  })
  const { body } = await site.graphql('{ categories { nodes { name } } venues { totalCount } }', {}, '/fr')
  expect(body.data).toEqual({
    categories: { nodes: [{ name: 'Musique' }, { name: 'Peinture' }] },
    venues: { totalCount: 0 },
  })
  await site.app.close()
})

test('months begin with the first month of the filter, and earlier ones follow if later ones are too few', async () => {
  const months = (first: number) => `months(first: ${first}) { month count }`
  const february = { startsOn: '2027-02-10' }
  expect(await facets(february, months(1))).toEqual({ months: ['2027-02: 1'] })
  expect(await facets(february, months(2))).toEqual({ months: ['2026-12: 2', '2027-02: 1'] })
  expect(await facets({}, months(1))).toEqual({ months: ['2026-12: 2'] })
})

test('facets change with the links and the languages of events', async () => {
  const id = await makeTemporaryEvent(app.db, 'Rehearsal', { venueIds: [ids.hall ?? 0], categoryIds: [ids.jazz ?? 0] })
  const update = async (input: object) => {
    const mutation = 'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { userErrors { message } } }'
    const { body } = await editor.graphql(mutation, { input: { id, ...input } })
    expect(body).toEqual({ data: { updateEvent: { userErrors: [] } } })
  }
  const selection = `tags { tag { name } count } organizers { organizer { name } count } venues { venue { name } count }
    categories { category { name } count } languages { language count }`
  const only = { include: [id] }
  const french = { language: 'FR', name: 'Séance' }
  await update({
    tags: [{ id: ids.free }],
    venues: [{ id: ids.quay }],
    organizers: [{ id: ids.club }],
    categories: [{ id: ids.art }],
    translations: [french],
  })
  expect(await facets(only, selection)).toEqual({
    tags: ['free: 1'],
    organizers: ['Club: 1'],
    venues: ['Quay: 1'],
    categories: ['Art: 1'],
    languages: ['EN: 1', 'FR: 1'],
  })
  await update({ tags: [], venues: [], organizers: [], categories: [], translations: [{ ...french, name: null }] })
  expect(await facets(only, selection)).toEqual({
    tags: [],
    organizers: [],
    venues: [],
    categories: [],
    languages: ['EN: 1'],
  })
})

test('the number of statements depends neither on the facets nor on their values', async () => {
  const count = async (filter: object, selection: string) => {
    app.statements.length = 0
    await facets(filter, selection)
    return app.statements.length
  }
  const counts = 'totalCount categories { count } tags { count } venues { count } cities { count } months { count }'
  expect(await count({}, 'totalCount')).toBe(await count({}, counts))
  const names = 'categories(first: 1) { category { name } count }'
  expect(await count({}, names)).toBe(await count({}, 'categories { category { name } count }'))
  // Months ignore the range: they are counted over other events, by a statement that runs at the same time.
  const range = { startsLocal: { lt: '2030-01-01T00:00:00', gte: '2026-12-01T00:00:00' } }
  await count(range, `totalCount venues { count } cities { count } months(first: 1) { count } prices { count }`)
  // With EXECUTION=verify, each operation runs twice.
  expect(new Set(app.statements.filter((statement) => statement.includes('scan0'))).size).toBe(2)
})

test.each([-1, 101])('the number of values is limited: %s', async (first) => {
  const { body } = await app.graphql(`{ eventFacets { tags(first: ${first}) { count } } }`)
  expect(body.errors[0].extensions).toMatchObject({
    code: 'BAD_INPUT',
    fields: { first: expect.stringContaining('100') },
  })
})
