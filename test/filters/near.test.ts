// Distances: filter by radius, order by distance, and locked venues (docs/search-and-filters.md).
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(() => truncate(app.db))
afterAll(() => app.close())

interface Place {
  readonly latitude: number
  readonly longitude: number
}
const at = (latitude: number, longitude: number): Place => ({ latitude, longitude })

/** Kilometres, with the earth radius that the database uses. */
function haversine(a: Place, b: Place): number {
  const [p, q, dl] = [a.latitude, b.latitude, b.longitude - a.longitude].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number]
  const h = Math.sin((q - p) / 2) ** 2 + Math.cos(p) * Math.cos(q) * Math.sin(dl / 2) ** 2
  return 2 * 6378.168 * Math.asin(Math.min(1, Math.sqrt(h)))
}

interface Found {
  readonly title: string
  readonly distance: number | null
}

async function events(
  { radius, ...from }: Place & { radius?: number },
  order = '',
  client: Pick<TestApp, 'graphql'> = app,
) {
  const { body } = await client.graphql(
    `query($near: Near, $from: CoordinatesInput!) { list: eventsPage(filter: { near: $near }, perPage: 50${order}) {
      total items { title distance(from: $from) } } }`,
    { near: { center: from, radius }, from },
  )
  expect(body.errors).toBeUndefined()
  expect(body.data.list.total).toBe(body.data.list.items.length)
  const former = await client.graphql(
    `query($near: Near) { list: eventsPage(filter: { near: $near }, perPage: 50${order}) { items { title } } }`,
    { near: { ...from, radius } },
  )
  expect(former.body.data.list.items.map(titleOf)).toEqual(body.data.list.items.map(titleOf))
  return body.data.list.items as Found[]
}

const titleOf = ({ title }: Pick<Found, 'title'>) => title

async function venues({ radius, ...from }: Place & { radius?: number }, order = '') {
  const { body } = await app.graphql(
    `query($near: Near, $from: CoordinatesInput!) { list: venuesPage(filter: { near: $near }, perPage: 50${order}) {
      total items { title: name distance(from: $from) } } }`,
    { near: { center: from, radius }, from },
  )
  expect(body.errors).toBeUndefined()
  expect(body.data.list.total).toBe(body.data.list.items.length)
  return body.data.list.items as Found[]
}

const titles = (items: readonly Found[]) => items.map(({ title }) => title)
const nearest = ', orderBy: { field: DISTANCE }'
const farthest = ', orderBy: { field: DISTANCE, direction: DESC }'

/** Creates a venue and an event with the same name. */
async function put(name: string, place: Partial<Place>): Promise<number> {
  const id = await makeVenue(app.db, name, place)
  await makeEvent(app.db, name, { venueIds: [id] })
  return id
}

describe('poles and the antimeridian', () => {
  it.each([
    ['the north pole has one place for all longitudes', at(90, 0), at(90, 135), 0.001],
    ['the south pole too', at(-90, -20), at(-90, 160), 0.001],
    ['across the pole', at(89.99, 0), at(89.99, 180), 2.3],
    ['across the date line', at(0, 179.99), at(0, -179.99), 2.3],
    ['across the date line, far north', at(70, -179.9), at(70, 179.9), 8],
    ['both names of the date line', at(12, 180), at(12, -180), 0.001],
    ['across Greenwich', at(51.5, -0.01), at(51.5, 0.01), 1.5],
    ['across the equator', at(-0.01, 30), at(0.01, 30), 2.3],
    ['the other side of the world', at(10, 20), at(-10, -160), 20_040],
    ['half around, at the equator', at(0, 0), at(0, 180), 20_040],
  ])('%s', async (_, place, from, radius) => {
    await put('x', place)
    await put('nowhere', {})
    const expected = [{ title: 'x', distance: expect.closeTo(haversine(place, from), 3) }]
    expect(await events({ ...from, radius })).toEqual(expected)
    expect(await venues({ ...from, radius })).toEqual(expected)
    expect(haversine(place, from)).toBeLessThanOrEqual(radius)
  })
})

describe('the radius', () => {
  it.each([
    [at(48.8566, 2.3522), at(48.8566, 2.6)],
    [at(48.8566, 2.3522), at(45.764, 4.8357)],
    [at(-31.55, 159.08), at(-33.87, 151.2)],
    [at(0, 0), at(0, 0.0001)],
  ])('%o to %o: matches with a metre more and not with a metre less', async (from, place) => {
    await put('x', place)
    const distance = haversine(from, place)
    expect(titles(await events({ ...from, radius: distance + 0.001 }))).toEqual(['x'])
    expect(titles(await events({ ...from, radius: Math.max(0.0001, distance - 0.001) }))).toEqual([])
    expect(titles(await venues({ ...from, radius: distance + 0.001 }))).toEqual(['x'])
    expect(titles(await venues({ ...from, radius: Math.max(0.0001, distance - 0.001) }))).toEqual([])
  })

  it('is 25 km by default', async () => {
    // A degree is 111.32 km.
    await put('in', at(0.224, 0))
    await put('out', at(0.225, 0))
    expect(titles(await events(at(0, 0)))).toEqual(['in'])
    expect(titles(await venues(at(0, 0)))).toEqual(['in'])
    const { body } = await app.get('/cal/events/v1/events?geoloc_lat=0&geoloc_lng=0')
    expect(body.events.map(({ title }: { title: string }) => title)).toEqual(['in'])
  })
})

describe('the distance of an event', () => {
  it('is that of its nearest venue, and the event is listed once', async () => {
    const ids = [await put('far', at(0, 1)), await put('near', at(0, 0.1)), await put('nowhere', {})]
    await makeEvent(app.db, 'both', { venueIds: ids, start: '2026-12-02T10:00:00' })
    const results = await events({ ...at(0, 0), radius: 200 }, nearest)
    expect(titles(results)).toEqual(['near', 'both', 'far'])
    expect(results[1]?.distance).toBeCloseTo(haversine(at(0, 0), at(0, 0.1)), 6)
    expect(titles(await events({ ...at(0, 0), radius: 200 }, farthest))[0]).toBe('far')
    expect(titles(await events({ ...at(0, 0), radius: 20 }))).toEqual(['near', 'both'])
  })

  it.each(['draft', 'pending', 'private', 'trash', 'locked'] as const)(
    'is not found by a venue that is %s',
    async (state) => {
      const columns =
        state === 'locked'
          ? { passwordKey: await hashRecordPassword('open', app.site.passwordSalt) }
          : { status: state }
      const secret = await makeVenue(app.db, 'secret', { ...at(0, 0), ...columns })
      const open = await makeVenue(app.db, 'open', at(0, 1))
      await makeEvent(app.db, 'secret only', { venueIds: [secret] })
      await makeEvent(app.db, 'both', { venueIds: [secret, open] })
      expect(await events({ ...at(0, 0), radius: 50 }, nearest)).toEqual([])
      expect(await venues({ ...at(0, 0), radius: 50 }, nearest)).toEqual([])
      const distance = expect.closeTo(haversine(at(0, 0), at(0, 1)), 6)
      expect(await events({ ...at(0, 0), radius: 200 }, nearest)).toEqual([{ title: 'both', distance }])
      const { body } = await app.graphql(
        `{ events(first: 9, filter: { located: false }) { nodes { title distance(from: { latitude: 0, longitude: 0 }) } } }`,
      )
      expect(body.data.events.nodes).toEqual([{ title: 'secret only', distance: null }])
    },
  )

  it.each([
    'distance(from: { latitude: 0, longitude: 0 }) venues { name } jsonLd',
    'venues { name } jsonLd distance(from: { latitude: 0, longitude: 0 })',
  ])('can be selected together with the venues: %s', async (fields) => {
    const ids = [await makeVenue(app.db, 'nowhere'), await makeVenue(app.db, 'place', at(0, 1))]
    await makeEvent(app.db, 'both', { venueIds: ids })
    const { body } = await app.graphql(`{ events { nodes { ${fields} } } }`)
    const distance = expect.closeTo(haversine(at(0, 0), at(0, 1)), 6)
    const jsonLd = expect.objectContaining({ location: { '@type': 'Place', name: 'nowhere', url: '' } })
    const venues = [{ name: 'nowhere' }, { name: 'place' }]
    expect(body).toEqual({ data: { events: { nodes: [{ distance, venues, jsonLd }] } } })
  })

  it('is not revealed for a locked event', async () => {
    const id = await put('open', at(0, 0))
    await makeEvent(app.db, 'locked', {
      venueIds: [id],
      passwordKey: await hashRecordPassword('open', app.site.passwordSalt),
    })
    const editor = await app.signIn('editor')
    for (const client of [app, editor]) expect(titles(await events(at(0, 0), nearest, client))).toEqual(['open'])
    const { body } = await app.graphql(
      '{ events(first: 9) { nodes { title locked distance(from: { latitude: 0, longitude: 0 }) } } }',
    )
    expect(body.data.events.nodes).toContainEqual({ title: 'locked', locked: true, distance: null })
  })
})

it('the distance does not reveal the coordinates of a locked venue', async () => {
  await makeVenue(app.db, 'locked', {
    ...at(3, 4),
    passwordKey: await hashRecordPassword('open', app.site.passwordSalt),
  })
  await makeVenue(app.db, 'nowhere')
  const { body } = await app.graphql(
    '{ venues(first: 9) { nodes { name distance(from: { latitude: 0, longitude: 0 }) } } }',
  )
  expect(body.data.venues.nodes).toEqual([
    { name: 'nowhere', distance: null },
    { name: 'locked', distance: null },
  ])
})

/** Random coordinates with seven decimal places, and the limits. */
const degrees = (most: number) =>
  fc.oneof(
    fc.integer({ min: -most * 1e7, max: most * 1e7 }).map((units) => units / 1e7),
    fc.constantFrom(-most, 0, most),
  )
const place = fc.record({ latitude: degrees(90), longitude: degrees(180) })

it('all distances and their order match a plain haversine implementation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 6 }), place, async (places, from) => {
      await truncate(app.db)
      for (const [index, there] of places.entries()) await put(`p${index}`, there)
      const sorted = places.map((there) => haversine(from, there)).toSorted((a, b) => a - b)
      for (const list of [events, venues]) {
        const results = await list({ ...from, radius: 20_100 }, nearest)
        const distances = results.map(({ distance }) => distance as number)
        // A haversine is less exact near the antipode.
        for (const [index, distance] of distances.entries())
          expect(Math.abs(distance - (sorted[index] ?? -1))).toBeLessThan(0.2)
        expect(distances).toHaveLength(places.length)
        for (const { title, distance } of results) {
          const own = haversine(from, places[Number(title.slice(1))] as Place)
          expect(Math.abs((distance as number) - own)).toBeLessThan(own > 20_000 ? 0.2 : 0.001)
        }
      }
    }),
    { numRuns: runs(8) },
  )
})

it('pages in the order of distance are parts of the whole order, although they do not read all events', async () => {
  const near = { center: { latitude: 48, longitude: 2 } }
  const ids: number[] = []
  // Four venues at each place, so that pages begin and end between equal distances.
  for (let index = 0; index < 40; index += 1) {
    ids.push(await put(`Venue ${index}`, at(48 + (index % 10) / 1000, 2)))
  }
  await makeEvent(app.db, 'Tour', { venueIds: [ids[9] ?? 0, ids[0] ?? 0] })
  const list = async (args: string) => {
    const { body } = await app.graphql(
      `query ($near: Near) { events(filter: { near: $near }, ${args}) {
        totalCount nodes { title } pageInfo { endCursor hasNextPage } } }`,
      { near },
    )
    expect(body.errors).toBeUndefined()
    return body.data.events
  }
  const ofPlace = (place: number) => [0, 10, 20, 30].map((more) => `Venue ${place + more}`)
  const expected = [...ofPlace(0), 'Tour', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(ofPlace)]
  const farthestFirst = await list('first: 50, orderBy: { field: DISTANCE, direction: DESC }')
  expect(titles(farthestFirst.nodes)).toEqual([...[9, 8, 7, 6, 5, 4, 3, 2, 1].flatMap(ofPlace), ...ofPlace(0), 'Tour'])
  const found: string[] = []
  for (let after = ''; ; ) {
    const page = await list(`first: 6, orderBy: { field: DISTANCE }${after}`)
    expect(page.totalCount).toBe(41)
    found.push(...titles(page.nodes))
    if (!page.pageInfo.hasNextPage) break
    after = `, after: "${page.pageInfo.endCursor}"`
  }
  expect(found).toEqual(expected)
})
