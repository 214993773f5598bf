import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../../helpers/make.ts'

let app: TestApp
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  for (const name of ['Hall', 'Park']) ids[name] = await makeVenue(db, name)
  for (const name of ['Club', 'Choir']) ids[name] = await makeOrganizer(db, name)
  ids.Music = await makeCategory(db, 'Music')
  ids.Jazz = await makeCategory(db, 'Jazz', ids.Music)
  ids.Bebop = await makeCategory(db, 'Bebop', ids.Jazz)
  for (const name of ['free', 'late']) ids[name] = await makeTag(db, name)
  const published = (day: number) => ({ publishedAt: new Date(Date.UTC(2026, 9, day)) })
  const of = (...names: string[]) => names.map((name) => ids[name] ?? 0)
  ids.A = await makeEvent(db, 'A', {
    ...{ start: '2026-12-01T10:00:00', timeZone: 'America/New_York', ...published(3), featured: true },
    ...{ venueIds: of('Hall', 'Park'), organizerIds: of('Club'), categoryIds: of('Bebop'), tagIds: of('free') },
  })
  ids.B = await makeEvent(db, 'B', {
    ...{ start: '2026-12-01T11:00:00', timeZone: 'Europe/Paris', ...published(2), parentId: ids.A },
    ...{ venueIds: of('Hall'), organizerIds: of('Choir'), categoryIds: of('Music'), tagIds: of('free', 'late') },
    tickets: { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] },
  })
  ids.C = await makeEvent(db, 'C', { start: '2026-12-03T10:00:00', ...published(1), parentId: ids.A })
  ids.D = await makeEvent(db, 'D', { start: '2026-12-03T10:00:00', ...published(1) })
  ids.past = await makeEvent(db, 'past', { start: '2020-01-01T10:00:00', venueIds: of('Park') })
})
afterAll(() => app?.close())

const titles = (nodes: { title: string }[]) => nodes.map(({ title }) => title).join(' ')

describe.each<[string, () => string, string]>([
  ['nothing', () => '', 'past B A C D'],
  ['include', () => `include: [${ids.D}, ${ids.A}, 999]`, 'A D'],
  ['include of nothing', () => 'include: []', ''],
  ['null', () => 'include: null, featured: null, venues: null', 'past B A C D'],
  ['a venue', () => `venues: [${ids.Park}]`, 'past A'],
  ['one of two venues', () => `venues: [${ids.Park}, ${ids.Hall}]`, 'past B A'],
  ['an unknown venue', () => 'venues: [999]', ''],
  ['no venue', () => 'venues: []', ''],
  ['an organizer', () => `organizers: [${ids.Choir}]`, 'B'],
  ['a category with its parts', () => `categories: [${ids.Music}]`, 'B A'],
  ['a part of a category', () => `categories: [${ids.Jazz}]`, 'A'],
  ['a tag', () => `tags: [${ids.late}]`, 'B'],
  ['one of two tags', () => `tags: [${ids.late}, ${ids.free}]`, 'B A'],
  ['a venue and a tag', () => `venues: [${ids.Park}], tags: [${ids.free}]`, 'A'],
  ['featured', () => 'featured: true', 'A'],
  ['not featured', () => 'featured: false', 'past B C D'],
  ['ticketed', () => 'ticketed: true', 'B'],
  ['not ticketed', () => 'ticketed: false', 'past A C D'],
  ['a parent', () => `parent: ${ids.A}`, 'B C'],
  ['an instant of start, included', () => 'startsAt: { gte: "2026-12-01T15:00:00Z" }', 'A C D'],
  ['an instant of start, excluded', () => 'startsAt: { gt: "2026-12-01T15:00:00Z" }', 'C D'],
  ['an instant with offset', () => 'startsAt: { gt: "2026-12-01T10:00:00-05:00" }', 'C D'],
  ['a wall clock of start', () => 'startsLocal: { lt: "2026-12-01T11:00:00" }', 'past A'],
  ['a wall clock of start, included', () => 'startsLocal: { lte: "2026-12-01T11:00:00" }', 'past B A'],
  ['an instant of end', () => 'endsAt: { lte: "2026-12-01T12:00:00Z" }', 'past B'],
  ['a wall clock of end', () => 'endsLocal: { gt: "2026-12-01T12:00:00", lt: "2026-12-02T00:00:00" }', 'B'],
])('filtered by %s', (_, filter, expected) => {
  test('connections, pages and totals agree', async () => {
    const { body } = await app.graphql(`{
      events(filter: { ${filter()} }) { totalCount nodes { title } }
      eventsPage(filter: { ${filter()} }) { total items { title } }
    }`)
    const { events, eventsPage } = body.data
    expect([titles(events.nodes), titles(eventsPage.items)]).toEqual([expected, expected])
    const count = expected.split(' ').filter(Boolean).length
    expect([events.totalCount, eventsPage.total]).toEqual([count, count])
  })
})

test.each([
  ['{ field: START }', 'past B A C D'],
  ['{ field: START, direction: DESC }', 'D C A B past'],
  ['{ field: START_LOCAL }', 'past A B C D'],
  ['{ field: PUBLICATION }', 'C D B A past'],
  ['{ field: PUBLICATION, direction: DESC }', 'past A B D C'],
  ['{ field: PUBLICATION, direction: null }', 'C D B A past'],
  ['null', 'past B A C D'],
])('ordered by %s', async (order, expected) => {
  const { body } = await app.graphql(`{ events(orderBy: ${order}) { nodes { title } } }`)
  expect(titles(body.data.events.nodes)).toBe(expected)
})

test('an event shows its parent and its children by start', async () => {
  const { body } = await app.graphql(`{
    parent: event(id: ${ids.A}) { children { nodes { title } } two: children(first: 1) { nodes { title } } none: children(first: 0) { nodes { title } } }
    child: event(id: ${ids.B}) { parent { title } children { nodes { title } } }
  }`)
  expect(body.data).toEqual({
    parent: {
      children: { nodes: [{ title: 'B' }, { title: 'C' }] },
      two: { nodes: [{ title: 'B' }] },
      none: { nodes: [] },
    },
    child: { parent: { title: 'A' }, children: { nodes: [] } },
  })
})
