// Invalid coordinates, and orders by distance without filter.near.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const venue = await makeVenue(app.db, 'Hall', { latitude: 1, longitude: 1 })
  await makeEvent(app.db, 'Choir', { venueIds: [venue] })
})
afterAll(() => app.close())

const impossible = [
  'latitude: 90.0001, longitude: 0',
  'latitude: -91, longitude: 0',
  'latitude: 0, longitude: 180.0001',
  'latitude: 0, longitude: -181',
  'latitude: 1e300, longitude: -1e300',
]
const noCenter = ['', 'radius: 1', 'center: null', 'latitude: 1']
const wrongRadius = [
  'center: { latitude: 0, longitude: 0 }, radius: -1',
  'center: { latitude: 0, longitude: 0 }, radius: -0.001',
]

describe.each(['events', 'venues'])('%s', (list) => {
  it.each([...impossible.flatMap((center) => [`center: { ${center} }`, center]), ...noCenter, ...wrongRadius])(
    'near %s',
    async (near) => {
      for (const range of [`${list}(first: 1,`, `${list}Page(`]) {
        const { body } = await app.graphql(`{ ${range} filter: { near: { ${near} } }) { __typename } }`)
        expect([range, body.errors?.[0].extensions.code, body.data]).toEqual([range, 'BAD_INPUT', null])
      }
    },
  )

  it.each(impossible)('distance from %s', async (from) => {
    const { body } = await app.graphql(`{ ${list}(first: 1) { nodes { distance(from: { ${from} }) } } }`)
    expect(body.errors?.[0].extensions.code).toBe('BAD_INPUT')
  })

  it('an order by distance requires filter.near', async () => {
    for (const filter of ['', 'filter: {},', 'filter: { located: true },']) {
      const { body } = await app.graphql(`{ ${list}Page(${filter} orderBy: { field: DISTANCE }) { total } }`)
      expect([filter, body.errors?.[0].extensions.code]).toEqual([filter, 'BAD_INPUT'])
    }
  })

  it('an order by distance does not accept the cursor of another order', async () => {
    const near = 'filter: { near: { center: { latitude: 1, longitude: 1 } } }'
    for (const range of ['first: 1, after: "WzFd"', 'last: 1, before: "WzFd"']) {
      const { body } = await app.graphql(
        `{ ${list}(${range}, ${near}, orderBy: { field: DISTANCE }) { nodes { id } } }`,
      )
      expect([range, body.errors?.[0].extensions.code]).toEqual([range, 'BAD_INPUT'])
    }
  })

  it.each(['5e-324', '-5e-324', '1e-310', '2.2250738585072014e-308'])(
    '%s degrees are as good as none',
    async (tiny) => {
      for (const point of [`latitude: ${tiny}, longitude: 1`, `latitude: 1, longitude: ${tiny}`]) {
        const { body } = await app.graphql(
          `{ ${list}Page(filter: { near: { center: { ${point} }, radius: 200 } }) { total items { distance(from: { ${point} }) } } }`,
        )
        const distance = expect.closeTo((6378.168 * Math.PI) / 180, 1)
        expect(body).toEqual({ data: { [`${list}Page`]: { total: 1, items: [{ distance }] } } })
      }
    },
  )

  it.each(['40000', '1e308'])('a radius of %s km is the whole earth', async (radius) => {
    const near = `near: { center: { latitude: 1, longitude: 1 }, radius: ${radius} }`
    const { body } = await app.graphql(`{ ${list}Page(filter: { ${near} }) { total } }`)
    expect(body).toEqual({ data: { [`${list}Page`]: { total: 1 } } })
  })

  it('coordinates at the limits are valid', async () => {
    for (const center of ['latitude: 90, longitude: 180', 'latitude: -90, longitude: -180']) {
      const { body } = await app.graphql(
        `{ ${list}Page(filter: { near: { center: { ${center} }, radius: 20100 } }) { total } }`,
      )
      expect(body).toEqual({ data: { [`${list}Page`]: { total: 1 } } })
    }
  })
})
