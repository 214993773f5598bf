// The normalized cache of the recipe for urql of docs/graphql.md.
import { type Client, gql, type TypedDocumentNode } from '@urql/core'
import { type GraphQLObjectType, getNamedType, isObjectType, isRequiredArgument } from 'graphql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSchema } from '../../src/schema.ts'
import { eventually } from '../helpers/eventually.ts'
import { makeCategory, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { createCredential, makeUser } from '../helpers/users.ts'
import { type ClientTest, openClientTest, titles } from './recipes.ts'

interface EventList {
  readonly events: {
    readonly edges: readonly { readonly node: { readonly title: string } }[]
    readonly pageInfo: { readonly endCursor: string }
  }
}

type Language = 'EN' | 'FR' | 'ES' | 'PT_BR'

interface Variables {
  readonly language: Language
  readonly filter: object
  readonly after?: string | undefined
}

let files: ClientTest
let clientFor: (language: Language) => Client
let eventList: TypedDocumentNode<EventList, Variables>
let signOut: () => Promise<void>

beforeAll(async () => {
  files = await openClientTest({ LANGUAGES: 'en,fr,es,pt-br' })
  await files.writeApp()
  const session = await files.load<{
    signIn: (login: string, password: string) => Promise<boolean>
    signOut: typeof signOut
  }>('src/session.ts')
  signOut = session.signOut
  const { id, login } = await makeUser(files.app.db, 'administrator')
  await session.signIn(login, await createCredential(files.app.db, id, 'application_password'))
  const module = await files.load<{ clientFor: typeof clientFor }>('src/urql.ts')
  clientFor = module.clientFor
  const operations = await files.load<{ eventList: typeof eventList }>('src/operations.ts')
  eventList = operations.eventList
})
afterAll(() => files?.close())

const titlesOf = (data: EventList | undefined) => data?.events.edges.map(({ node }) => node.title)

test('the caches hold the list of events in two languages, page by page', async () => {
  const variablesOf = (language: Language) => ({ language, filter: { when: 'UPCOMING' } })
  const read = async (language: Language, after?: string) =>
    (
      await clientFor(language)
        .query(eventList, { ...variablesOf(language), after })
        .toPromise()
    ).data
  const first = await read('EN')
  expect(titlesOf(first)).toEqual(titles('Concert', 10))
  expect(titlesOf(await read('EN', first?.events.pageInfo.endCursor))).toEqual(titles('Concert', 12))
  expect(titlesOf(await read('FR'))).toEqual(titles('Soirée', 10))

  const cached = (language: Language) =>
    titlesOf(clientFor(language).readQuery(eventList, variablesOf(language), { requestPolicy: 'cache-only' })?.data)
  expect(cached('EN')).toEqual(titles('Concert', 12))
  expect(cached('FR')).toEqual(titles('Soirée', 10))
})

const schema = createSchema(['en', 'fr', 'es'])
const query = schema.getQueryType() ?? expect.fail()

/** Values of required arguments. */
const requiredArguments: Readonly<Record<string, string>> = { eventCalendar: '(from: "today", to: "tomorrow")' }

/** Fields whose required arguments have values, without connections: Graphcache knows that these have no keys. */
const fieldsOf = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter(
    ({ name, args, type: result }) =>
      !getNamedType(result).name.endsWith('Connection') &&
      !args.some((arg) => (isRequiredArgument(arg) && !requiredArguments[name]) || arg.name === 'id'),
  )

/** The shortest ways from Query to each object type. */
function paths(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const queue = [query]
  for (const type of queue)
    for (const field of fieldsOf(type)) {
      const next = getNamedType(field.type)
      if (!isObjectType(next) || found.has(next.name)) continue
      found.set(next.name, [...(found.get(type.name) ?? []), field.name])
      queue.push(next)
    }
  return found
}

/** Selects a field by its path, with the key of each record on the way. */
function selection(type: GraphQLObjectType, [name, ...rest]: readonly string[]): string {
  const key = [
    '__typename',
    ...Object.keys(type.getFields()).filter((field) => /^(id|contentLanguage)$/.test(field)),
  ].join(' ')
  const next = name === undefined ? undefined : getNamedType(type.getFields()[name]?.type)
  return isObjectType(next) ? `${key} ${name}${requiredArguments[name ?? ''] ?? ''} { ${selection(next, rest)} }` : key
}

test('the recipe has a key for every type that a query can reach', async () => {
  const { app } = files
  const links = {
    categories: [{ id: await makeCategory(app.db, 'Music') }],
    tags: [{ id: await makeTag(app.db, 'new') }],
    venues: [{ id: await makeVenue(app.db, 'Hall', { city: 'Paris', latitude: 48.9, longitude: 2.4 }) }],
    organizers: [{ id: await makeOrganizer(app.db, 'Club') }],
  }
  await app.db.webhook.create({ data: { url: 'https://example.org/', language: 'en', secrets: [], token: '' } })
  const input = {
    title: 'Festival',
    startsLocal: '2026-11-22T19:00:00',
    endsLocal: '2026-11-22T21:00:00',
    cost: ['10'],
    customFields: [{ key: 'age', label: 'Age', value: 12 }],
    tickets: [{ name: 'Seat', price: '10', currency: 'EUR' }],
    imageId: await makeImage(app.db),
    ...links,
  }
  const create = gql`mutation Create($input: CreateEventInput!) { createEvent(input: $input) { event { id contentLanguage } } }`
  await clientFor('ES').mutation(create, { input }).toPromise()

  const { title: _, startsLocal, endsLocal, ...content } = input
  const once = { startsLocal, endsLocal }
  const schedule = {
    recurrences: [{ ...once, rule: 'FREQ=DAILY;COUNT=2' }],
    extraDates: [{ ...once, startsLocal: '2026-11-25T19:00:00', endsLocal: '2026-11-25T21:00:00' }],
  }
  const createSeries = gql`mutation CreateSeries($input: CreateEventSeriesInput!) { createEventSeries(input: $input) { series { id contentLanguage } } }`
  await clientFor('ES')
    .mutation(createSeries, { input: { ...content, title: 'Course', schedule } })
    .toPromise()

  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const seen = new Set<string>()
  for (const path of paths().values()) {
    const { data, error } = await clientFor('ES')
      .query(gql`{ ${selection(query, path)} }`, {})
      .toPromise()
    expect(error).toBeUndefined()
    JSON.stringify(data, (key, value) => (key === '__typename' ? seen.add(value) && value : value))
  }
  const messages = warnings.mock.calls.map(([message]) => String(message))
  warnings.mockRestore()
  expect(messages).toEqual([])
  expect([...paths().keys()].filter((name) => !seen.has(name))).toEqual([])
  await app.db.event.deleteMany({ where: { imageId: input.imageId } })
})

test('a language with a region has its own address', async () => {
  const { data } = await clientFor('PT_BR')
    .query(gql`{ events(first: 1) { nodes { id contentLanguage } } }`, {})
    .toPromise()
  expect(data).toMatchObject({ events: { nodes: [{ contentLanguage: 'PT_BR' }] } })
})

test('changes refetch nothing of a client that was replaced', async () => {
  const { changes } = await files.load<{ changes: EventTarget }>('src/streams.ts')
  const shown = vi.fn<() => void>()
  const { unsubscribe } = clientFor('EN').query(eventList, { language: 'EN', filter: {} }).subscribe(shown)
  await eventually(() => expect(shown).toHaveBeenCalled())
  await signOut()
  const fetched = vi.spyOn(globalThis, 'fetch')
  changes.dispatchEvent(new Event('change'))
  await clientFor('EN').query(gql`{ viewer { id } }`, {}).toPromise()
  expect(fetched).toHaveBeenCalledTimes(1)
  fetched.mockRestore()
  unsubscribe()
})
