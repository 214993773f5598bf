// What the README shows of the sample events.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSample } from '../../prisma/seed/load.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  await app.db.$transaction((tx) => loadSample(tx, app.settings, now), { timeout: 60_000 })
})
afterAll(() => app?.close())

test('French concerts near Lyon next month, by one URL', async () => {
  const query = new URLSearchParams({
    ...{ search: 'concert', geoloc_lat: '45.76', geoloc_lng: '4.84', geoloc_radius: '20' },
    ...{ start_date: 'first day of next month', end_date: 'last day of next month' },
  })
  const { body } = await app.get(`/fr/cal/events/v1/events?${query}`)
  expect(body.total).toBe(1)
  expect(body.events[0]).toMatchObject({ title: 'BD concert Come Prima', start_date: '2026-12-12 20:30:00' })
  expect(body.events[0].venue.city).toBe('Vénissieux')
})

test('and by one query, with the distance', async () => {
  const from = { latitude: 45.76, longitude: 4.84 }
  const filter = {
    search: 'concert',
    near: { ...from, radius: 20 },
    startsLocal: { gte: '2026-12-01T00:00:00', lt: '2027-01-01T00:00:00' },
  }
  const { body } = await app.graphql(
    `query($from: GeoPoint!, $filter: EventFilter) { eventsPage(orderBy: { field: DISTANCE }, filter: $filter) {
      total items { title startsLocal distance(from: $from) venues { city } } } }`,
    { from, filter },
    '/fr',
  )
  expect(body.data.eventsPage).toEqual({
    total: 1,
    items: [
      {
        title: 'BD concert Come Prima',
        startsLocal: '2026-12-12T20:30:00',
        distance: expect.closeTo(7.904161577463769, 6),
        venues: [{ city: 'Vénissieux' }],
      },
    ],
  })
})
