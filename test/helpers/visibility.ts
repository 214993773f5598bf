// A small data set with one event whose state varies, and every query whose response the event could influence.
import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { TestApp } from './app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from './make.ts'

/** The content of every field of the event that a password withholds. */
export const secret = 'hush'

export interface Fixture {
  /** The event whose state the tests vary. */
  readonly event: number
  readonly parent: number
  readonly child: number
  /** Shared with the parent. */
  readonly venue: number
  readonly organizer: number
  readonly category: number
  readonly tag: number
  /** Only linked to the event; `ownCategory` is a child of `category`. */
  readonly ownVenue: number
  readonly ownOrganizer: number
  readonly ownCategory: number
  readonly ownTag: number
}

export async function createFixture(
  { db }: TestApp,
  columns: Omit<Partial<Prisma.EventUncheckedCreateInput>, 'tickets'>,
): Promise<Fixture> {
  const [venue, ownVenue] = [await makeVenue(db, 'Hall'), await makeVenue(db, 'Cellar')]
  const [organizer, ownOrganizer] = [await makeOrganizer(db, 'Club'), await makeOrganizer(db, 'Choir')]
  const category = await makeCategory(db, 'Music')
  const ownCategory = await makeCategory(db, 'Jazz', category)
  const [tag, ownTag] = [await makeTag(db, 'free'), await makeTag(db, 'late')]
  const shared = { venueIds: [venue], organizerIds: [organizer], categoryIds: [category], tagIds: [tag] }
  const parent = await makeEvent(db, 'Festival', shared)
  const texts = { en: { name: 'Rehearsal', description: secret, excerpt: secret } }
  const event = await makeEvent(db, texts, {
    venueIds: [venue, ownVenue],
    organizerIds: [organizer, ownOrganizer],
    categoryIds: [category, ownCategory],
    tagIds: [tag, ownTag],
    parentId: parent,
    imageId: await makeImage(db, `https://images.test/${secret}.jpg`),
    featured: true,
    cost: [secret],
    website: `https://${secret}.test/`,
    attendanceMode: 'mixed',
    onlineUrl: `https://${secret}.test/room`,
    customFields: [{ key: secret, label: secret, value: secret }],
    tickets: { create: [{ position: 0, name: secret, price: 5, currency: 'EUR' }] },
    ...columns,
  })
  const child = await makeEvent(db, 'Encore', { parentId: event })
  return {
    ...{ event, parent, child, venue, organizer, category, tag },
    ...{ ownVenue, ownOrganizer, ownCategory, ownTag },
  }
}

type QueryBuilder = (fixture: Fixture) => string

const page = (filter: string) => `{ result: eventsPage(filter: { ${filter} }) { total items { title featured } } }`
const events = (id: number, kind: string) =>
  `{ result: ${kind}(id: ${id}) { events { totalCount nodes { title featured } } } }`
const terms = (kind: string, filter: string) =>
  `{ result: ${kind}(filter: { ${filter} }) { totalCount nodes { name } } }`

/** Queries about withheld fields: a locked event must not influence their responses. */
export const withheldQueries: Readonly<Record<string, QueryBuilder>> = {
  'filter by shared venue': ({ venue }) => page(`venues: [${venue}]`),
  'filter by own venue': ({ ownVenue }) => page(`venues: [${ownVenue}]`),
  'filter by shared organizer': ({ organizer }) => page(`organizers: [${organizer}]`),
  'filter by own organizer': ({ ownOrganizer }) => page(`organizers: [${ownOrganizer}]`),
  'filter by category above': ({ category }) => page(`categories: [${category}]`),
  'filter by own category': ({ ownCategory }) => page(`categories: [${ownCategory}]`),
  'filter by tag': ({ ownTag }) => page(`tags: [${ownTag}]`),
  'filter by featured': () => page('featured: true'),
  'search for what is withheld': () => page(`search: "${secret}"`),
  'search for title and more': () => page(`search: "rehearsal ${secret}"`),
  'filter by ticketed': () => page('ticketed: true'),
  'relation of the venue': ({ ownVenue }) => events(ownVenue, 'venue'),
  'relation of the organizer': ({ ownOrganizer }) => events(ownOrganizer, 'organizer'),
  'relation of the category': ({ ownCategory }) => events(ownCategory, 'category'),
  'relation of the tag': ({ ownTag }) => events(ownTag, 'tag'),
  'venues of the event': ({ event }) => terms('venues', `event: ${event}`),
  'organizers of the event': ({ event }) => terms('organizers', `event: ${event}`),
  'categories of the event': ({ event }) => terms('categories', `event: ${event}`),
  'tags of the event': ({ event }) => terms('tags', `event: ${event}`),
}

/** Counts for everybody. They include events that are hidden from lists, since these can be read by URL. */
export const countQueries: Readonly<Record<string, QueryBuilder>> = {
  'count of a shared category': ({ category }) => `{ result: category(id: ${category}) { count } }`,
  'count of its category': ({ ownCategory }) => `{ result: category(id: ${ownCategory}) { count } }`,
  'count of its tag': ({ ownTag }) => `{ result: tag(id: ${ownTag}) { count } }`,
  'categories in use': () => terms('categories', 'hideEmpty: true'),
  'tags in use': () => terms('tags', 'hideEmpty: true'),
}

/** Lists that show a locked event without its withheld fields. */
export const listQueries: Readonly<Record<string, QueryBuilder>> = {
  list: () => '{ result: events { nodes { title description } } }',
  'list by page': () => '{ result: eventsPage { items { title description } } }',
  'total of the list': () => '{ result: events(first: 1) { totalCount } }',
  'total of the pages': () => '{ result: eventsPage(perPage: 1) { total totalPages } }',
  'another order': () => '{ result: events(orderBy: { field: PUBLICATION, direction: DESC }) { nodes { title } } }',
  include: ({ event }) => page(`include: [${event}]`),
  'search for the title': () => page('search: "rehears"'),
  'children of the parent': ({ parent }) =>
    `{ result: event(id: ${parent}) { children { totalCount nodes { title cost { text } } } } }`,
  'filter by parent': ({ parent }) => page(`parent: ${parent}`),
}

/** Queries that reach the event through its children. */
export const parentQueries: Readonly<Record<string, QueryBuilder>> = {
  'parent of its child': ({ child }) => `{ result: event(id: ${child}) { parent { title website } } }`,
  'children by its number': ({ event }) => page(`parent: ${event}`),
}

/** Paths of REST lists and of records that embed events. */
export const restPaths: Readonly<Record<string, (fixture: Fixture) => string>> = {
  'list of events': () => '/events',
  'list of included events': ({ event }) => `/events?include=${event}`,
  'list of featured events': () => '/events?featured=1',
  'list of ticketed events': () => '/events?ticketed=1',
  'list found by title': () => '/events?search=rehearsal',
  'list of categories': () => '/categories',
  'list of tags': () => '/tags',
  'single category': ({ ownCategory }) => `/categories/${ownCategory}`,
  'single tag': ({ ownTag }) => `/tags/${ownTag}`,
}
