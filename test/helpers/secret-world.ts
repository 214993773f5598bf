// A site with one secret event and one secret series, and every operation whose answer they could influence.
import { type GraphQLObjectType, getNamedType, isCompositeType, isNonNullType, isObjectType } from 'graphql'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import { createSchema } from '../../src/schema.ts'
import type { TestApp } from './app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeSeries, makeTag, makeVenue } from './make.ts'

/** In every text of the event that readers may not see. */
export const secretWord = 'Clandestine'

const kinds = ['venue', 'organizer', 'category', 'tag'] as const
type LinkedKind = (typeof kinds)[number]

export interface World {
  readonly event: number
  readonly parent: number
  readonly child: number
  readonly image: number
  /** The author of the event, and of nothing else. */
  readonly author: number
  /** Each linked to the event alone, except that the venue is also linked to its parent. */
  readonly links: Readonly<Record<LinkedKind, number>>
}

type Columns = Omit<Partial<Prisma.EventUncheckedCreateInput>, 'tickets'>

/** Creates everything but the secret event, of which only the ID is reserved. */
export async function createWorld({ db }: TestApp): Promise<World> {
  const links = {
    venue: await makeVenue(db, 'Hall', { latitude: 48.9, longitude: 2.4, city: 'Paris' }),
    organizer: await makeOrganizer(db, 'Club'),
    category: await makeCategory(db, 'Music'),
    tag: await makeTag(db, 'free'),
  }
  const author = (await db.user.create({ data: { login: 'keeper', name: 'Keeper', role: 'author' } })).id
  const image = await makeImage(db, 'https://images.test/secret.jpg')
  await db.image.update({ where: { id: image }, data: { authorId: author } })
  const parent = await makeEvent(db, 'Festival', { venueIds: [links.venue], start: '2026-12-02T19:00:00' })
  const event = await makeEvent(db, 'Reserved')
  await db.event.delete({ where: { id: event } })
  // On the same day, and before the event: the order of a day prefers what is sticky or lasts all day.
  const child = await makeEvent(db, 'Encore', { start: '2026-12-01T10:00:00' })
  return { event, parent, child, image, author, links }
}

/** The ID of the series that comes with the event; those of its dates follow. */
export const seriesOf = (event: number) => event + 10_000

/** Creates the event and the series, with links and values in all fields. */
export async function createSecret({ db }: TestApp, world: World, columns: Columns): Promise<void> {
  const { venue, organizer, category, tag } = world.links
  const en = { name: 'Rehearsal', description: secretWord, excerpt: secretWord }
  const texts = { en, fr: { description: secretWord } }
  const values = {
    ...{ parentId: world.parent, authorId: world.author, imageId: world.image },
    ...{ venueIds: [venue], organizerIds: [organizer], categoryIds: [category], tagIds: [tag] },
    ...{ allDay: true, featured: true, sticky: true, showMap: false, cost: [secretWord, '12'] },
    ...{ website: `https://${secretWord}.test/`, onlineUrl: `https://${secretWord}.test/call` },
    customFields: [{ key: secretWord, label: secretWord, value: secretWord }],
    tickets: { create: [{ position: 0, name: secretWord, price: 5, currency: 'EUR' }] },
    ...columns,
  }
  await makeEvent(db, texts, { ...values, id: world.event })
  const dateTexts = { en: { label: secretWord, note: secretWord } }
  await makeSeries(db, texts, {
    ...values,
    id: seriesOf(world.event),
    allDay: false,
    dateTexts,
    changedFields: ['texts'],
  })
  await db.event.update({ where: { id: world.child }, data: { parentId: world.event } })
}

/** Creates the event and the series with nothing but what everybody sees of an event with a password. */
export async function createBare({ db }: TestApp, world: World, columns: Columns): Promise<void> {
  const base = { parentId: world.parent, authorId: world.author, ...columns }
  await makeEvent(db, { en: 'Rehearsal' }, { ...base, id: world.event })
  const changed = { dateTexts: {}, changedFields: ['texts'] }
  await makeSeries(db, { en: 'Rehearsal' }, { ...base, ...changed, id: seriesOf(world.event) })
  await db.event.update({ where: { id: world.child }, data: { parentId: world.event } })
}

const types = createSchema(['en', 'fr', 'es']).getTypeMap()

const ownArguments: Readonly<Record<string, string>> = {
  translation: '(language: FR)',
  distance: '(from: { latitude: 48, longitude: 2 })',
}

/** Every field of a type, and those of the objects in it down to the depth. Of connections, the total. */
function fieldsOf(type: GraphQLObjectType, depth: number): string {
  const selected = Object.values(type.getFields()).flatMap(({ name, type: fieldType, args }) => {
    // FORBIDDEN unless the reader may update the record.
    if (name === 'revisions') return []
    const required = args.some(({ type: argument, defaultValue }) => isNonNullType(argument) && !defaultValue)
    if (required && ownArguments[name] === undefined) throw new Error(`No arguments for ${type.name}.${name}`)
    const field = `${name}${ownArguments[name] ?? ''}`
    const named = getNamedType(fieldType)
    if (!isCompositeType(named)) return [field]
    if (named.name.endsWith('Connection')) return [`${field} { totalCount }`]
    if (!isObjectType(named) || depth === 0) return []
    return [`${field} { ${fieldsOf(named, depth - 1)} }`]
  })
  return selected.length > 0 ? selected.join(' ') : '__typename'
}

/** Every field of a type, and those of the objects in it. */
export const everyField = (name: string, depth = 1) => fieldsOf(types[name] as GraphQLObjectType, depth)

const fragments = `
  fragment Position on EventConnection {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor }
  }
  fragment List on EventConnection {
    ...Position nodes { title locked eventStatus attendanceMode onlineUrl previousStartsAt hasPassword viewerCanUpdate }
  }
  fragment Every on EventConnection { ...Position nodes { ${everyField('Event')} } }`

type Query = (world: World) => { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }

const forged = (...values: readonly unknown[]) => btoa(JSON.stringify(values)).replaceAll('=', '')
const start = '2026-12-01T18:00:00.000Z'

/** Arguments of every list of events. */
const eventArguments: Readonly<Record<string, (world: World) => object>> = {
  'without arguments': () => ({}),
  'the last': () => ({ last: 2 }),
  'after its start': ({ event }) => ({ after: forged('startsAt', start, '2020-01-01T00:00:00.000Z', event) }),
  'before its start': () => ({ before: forged('startsAt', start, '2030-01-01T00:00:00.000Z', 1) }),
  'by status': () => ({ filter: { status: ['PUBLISHED'] } }),
  'by event status': () => ({ filter: { eventStatus: ['CANCELLED', 'RESCHEDULED'] } }),
  'by attendance': () => ({ filter: { attendanceMode: ['ONLINE', 'MIXED'] } }),
  'by day': () => ({ filter: { startsOn: '2026-12-01' } }),
  'between days': () => ({ filter: { between: { from: '2026-12-01', to: '+1 month', match: 'OVERLAPPING' } } }),
  'by number': ({ event }) => ({ filter: { include: [String(event)] } }),
  'by global ID': ({ event }) => ({ filter: { include: [btoa(`Event:${event}`)] } }),
  'of a parent': ({ parent }) => ({ filter: { parent: String(parent) } }),
  'of a parent of a parent': ({ event }) => ({ filter: { parent: String(event) } }),
  'of a venue': ({ links }) => ({ filter: { venues: [String(links.venue)] } }),
  'of an organizer': ({ links }) => ({ filter: { organizers: [String(links.organizer)] } }),
  'of a category': ({ links }) => ({ filter: { categories: [String(links.category)] } }),
  'with a tag': ({ links }) => ({ filter: { tags: [String(links.tag)] } }),
  'of a series': ({ event }) => ({ filter: { series: [String(seriesOf(event))] } }),
  'of each series the next': () => ({ filter: { occurrences: 'NEXT' } }),
  'with a translation': () => ({ filter: { translatedInto: ['EN'] } }),
  'without a translation': () => ({ filter: { missingTranslation: ['FR'] } }),
  featured: () => ({ filter: { featured: true } }),
  'not featured': () => ({ filter: { featured: false } }),
  'not locked': () => ({ filter: { locked: false } }),
  ticketed: () => ({ filter: { ticketed: true } }),
  'with coordinates': () => ({ filter: { located: true } }),
  'by its title': () => ({ filter: { search: 'rehearsal' }, orderBy: { field: 'RELEVANCE' } }),
  'by a hidden text': () => ({ filter: { search: secretWord }, orderBy: { field: 'RELEVANCE' } }),
  'by its title and a hidden text': () => ({ filter: { search: `rehearsal -${secretWord}` } }),
  'by distance': () => ({
    filter: { near: { center: { latitude: 48.9, longitude: 2.4 } } },
    orderBy: { field: 'DISTANCE' },
  }),
  'by title': () => ({ orderBy: { field: 'TITLE', direction: 'DESC' } }),
  'by publication': () => ({ orderBy: { field: 'PUBLICATION' } }),
}

/** Arguments of the list of all events. */
const listArguments: Readonly<Record<string, (world: World) => object>> = {
  'by author': ({ author }) => ({ filter: { authors: [String(author)] }, orderBy: { field: 'AUTHOR' } }),
  'by modification': () => ({
    filter: { modifiedAt: { gte: '2020-01-01T00:00:00Z' } },
    orderBy: { field: 'MODIFIED' },
  }),
  'with a price': () => ({ filter: { price: { free: false } }, orderBy: { field: 'PRICE' } }),
  'up to a price': () => ({ filter: { price: { upTo: 20 } } }),
  'by price': () => ({ orderBy: { field: 'PRICE' } }),
  'by price, descending': () => ({ orderBy: { field: 'PRICE', direction: 'DESC' } }),
  'in a city': () => ({ filter: { cities: ['paris'] } }),
  'at a place by its name': () => ({ filter: { placeName: 'hall' }, orderBy: { field: 'PLACE_NAME' } }),
  'by place, descending': () => ({ orderBy: { field: 'PLACE_NAME', direction: 'DESC' } }),
  'that last all day': () => ({ filter: { allDay: true } }),
  'that do not last all day': () => ({ filter: { not: { allDay: false } } }),
  'whole days first': () => ({ orderBy: { field: 'ALL_DAY', direction: 'DESC' } }),
  'whole days last': () => ({ orderBy: { field: 'ALL_DAY' } }),
  'outside of another category': () => ({ filter: { not: { categories: ['theatre'] } } }),
  'without a price, excluded': () => ({ filter: { not: { price: { free: true } } } }),
  'with one of several properties': ({ links }) => ({
    filter: { any: [{ featured: true }, { tags: [String(links.tag)] }, { venues: [String(links.venue)] }] },
  }),
  'not featured or not in a category': ({ links }) => ({
    filter: { not: { featured: false, categories: [String(links.category)] } },
  }),
  'not without its title': () => ({ filter: { not: { search: '-rehearsal' } } }),
  'of a tag, or not on a part of a day': ({ links }) => ({
    filter: { any: [{ tags: [String(links.tag)] }, { not: { any: [{ allDay: false }] } }] },
  }),
  'by its title or a hidden text': () => ({ filter: { any: [{ search: 'rehearsal' }, { search: secretWord }] } }),
}

const eventQuery =
  (argumentsOf: (world: World) => object): Query =>
  (world) => {
    const variables = { ...argumentsOf(world) }
    const [size, declared] = 'last' in variables ? ['last: $last', '$last: Int, '] : ['first: 3', '']
    const args = `(${size}, after: $after, before: $before, filter: $filter, orderBy: $orderBy)`
    const lists = kinds.map((kind) => `${kind}(id: ${world.links[kind]}) { events${args} { ...List } }`)
    const query = `query (${declared}$after: String, $before: String, $filter: EventFilter, $orderBy: EventOrder) {
      events${args} { ...Every } event(id: ${world.parent}) { children${args} { ...List } } ${lists.join(' ')}
    } ${fragments}`
    return { query, variables }
  }

const plain =
  (queryOf: (world: World) => string): Query =>
  (world) => ({ query: queryOf(world), variables: {} })

const nodes = (idsOf: (world: World) => readonly string[]): Query =>
  plain((world) => {
    const selected = ['User', 'Image', 'EventSeries'].map((type) => `... on ${type} { ${everyField(type)} }`)
    const ids = idsOf(world).map((id) => JSON.stringify(btoa(id)))
    return `{ ${ids.map((id, index) => `n${index}: node(id: ${id}) { id ${selected.join(' ')} }`).join(' ')}
      nodes(ids: [${ids.join()}]) { id ${selected.join(' ')} } }`
  })

const linked = (kind: LinkedKind, plural: string): Query =>
  plain(({ event, links }) => {
    const type = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
    const list = `{ totalCount edges { cursor node { ${everyField(type, 0)} } } }`
    const own = `${kind}(id: ${links[kind]}) { ${everyField(type)} }`
    const more =
      kind === 'category' || kind === 'tag' ? `counted: ${plural}(first: 3, orderBy: { field: COUNT }) ${list}` : ''
    return `{ ${own} of: ${plural}(first: 3, filter: { event: ${event} }) ${list} all: ${plural}(first: 3) ${list} ${more} }`
  })

const facetFields = `totalCount categories { category { name } count } tags { tag { name } count } venues { venue { name } count }
  organizers { organizer { name } count } cities { city country count } months { month count } languages { language count }
  prices { price count }`

/** Filters of the calendar, the facets and the neighbours. */
const filters: Readonly<Record<string, (world: World) => object>> = {
  'without a filter': () => ({}),
  'of its links': ({ links }) => ({
    categories: [String(links.category)],
    tags: [String(links.tag)],
    venues: [String(links.venue)],
    organizers: [String(links.organizer)],
    cities: ['paris'],
  }),
  'of its category': ({ links }) => ({ categories: [String(links.category)] }),
  'with a price': () => ({ price: { free: false } }),
  'by its title': () => ({ search: 'rehearsal' }),
  'by a hidden text': () => ({ search: secretWord }),
  'of each series the next': () => ({ occurrences: 'NEXT' }),
  'that last all day': () => ({ allDay: true }),
  'without those that do not last all day': () => ({ not: { allDay: false } }),
  'with one of several properties': ({ links }) => ({ any: [{ featured: true }, { tags: [String(links.tag)] }] }),
}

const listQuery =
  (argumentsOf: (world: World) => object): Query =>
  (world) => ({
    query: `query ($filter: EventFilter, $orderBy: EventOrder) {
      events(first: 3, filter: $filter, orderBy: $orderBy) { ...Position nodes { title locked } }
    } ${fragments.slice(0, fragments.indexOf('fragment List'))}`,
    variables: { ...argumentsOf(world) },
  })

const filtered =
  (filterOf: (world: World) => object): Query =>
  (world) => ({
    query: `query ($filter: EventFilter) {
      eventFacets(filter: $filter) { ${facetFields} }
      eventCalendar(from: "2026-11-20", to: "2027-01-10", filter: $filter) {
        totalCount days { totalCount events(first: 5) { databaseId title allDay sticky } }
      }
      parent: event(id: ${world.parent}) { previous(filter: $filter) { title } }
      child: event(id: ${world.child}) { next(filter: $filter) { title } previous(filter: $filter) { title } }
    }`,
    variables: { filter: filterOf(world) },
  })

/** Operations by what they ask for. */
const suggestions =
  (prefix: string): Query =>
  () => ({
    query: 'query ($prefix: String!) { searchSuggestions(prefix: $prefix) { kind text url } }',
    variables: { prefix },
  })

export const operations: Readonly<Record<string, Query>> = {
  ...Object.fromEntries(
    Object.entries(eventArguments).map(([name, argumentsOf]) => [`events ${name}`, eventQuery(argumentsOf)] as const),
  ),
  'venues of the event': linked('venue', 'venues'),
  'organizers of the event': linked('organizer', 'organizers'),
  'categories of the event': linked('category', 'categories'),
  'tags of the event': linked('tag', 'tags'),
  ...Object.fromEntries(
    Object.entries(listArguments).map(
      ([name, argumentsOf]) => [`list of events ${name}`, listQuery(argumentsOf)] as const,
    ),
  ),
  ...Object.fromEntries(
    Object.entries(filters).map(
      ([name, filterOf]) => [`facets, calendar, neighbours ${name}`, filtered(filterOf)] as const,
    ),
  ),
  'events related to its parent': plain(
    ({ parent }) => `{ event(id: ${parent}) { related { ${everyField('Event', 0)} } } }`,
  ),
  'used images': plain(() => '{ images(filter: { used: true }) { totalCount nodes { title } } imagesPage { total } }'),
  'suggestions for its title': suggestions('rehe'),
  'suggestions for a part of its title': suggestions('hears'),
  'its author, its image and its series': nodes(({ author, image, event }) => [
    ...[`User:${author}`, `Image:${image}`, `EventSeries:${seriesOf(event)}`],
  ]),
}
