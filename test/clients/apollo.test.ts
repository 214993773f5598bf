// The cache of the recipe for Apollo Client of docs/graphql.md.
import type { ApolloClient, DocumentNode, InMemoryCache } from '@apollo/client'
import { type GraphQLFieldMap, getNamedType, isAbstractType, isObjectType, Kind } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSchema } from '../../src/schema.ts'
import { type ClientTest, openClientTest, titles } from './recipes.ts'

interface Recipe {
  readonly client: ApolloClient
  readonly removeFromCache: (typename: string, id: string) => void
}

interface EventList {
  readonly events: {
    readonly edges: readonly { readonly node: { readonly id: string; readonly title: string } }[]
    readonly pageInfo: { readonly endCursor: string }
  }
}

let files: ClientTest
let client: ApolloClient
let cache: InMemoryCache
let eventList: DocumentNode
let removeFromCache: Recipe['removeFromCache']

beforeAll(async () => {
  files = await openClientTest()
  await files.writeApp()
  const module = await files.load<Recipe>('src/apollo.ts')
  client = module.client
  const operations = await files.load<{ eventList: DocumentNode }>('src/operations.ts')
  eventList = operations.eventList
  removeFromCache = module.removeFromCache
  cache = client.cache as InMemoryCache
})
afterAll(() => files?.close())

const variablesOf = (language: string) => ({ language, filter: { when: 'UPCOMING' } })

const titlesOf = (data: Partial<EventList> | null | undefined) => data?.events?.edges.map(({ node }) => node.title)

test('one cache holds the list of events in two languages, page by page', async () => {
  const english = client.watchQuery<EventList>({ query: eventList, variables: variablesOf('EN') })
  const { data } = await english.refetch()
  expect(titlesOf(data)).toEqual(titles('Concert', 10))
  await english.fetchMore({ variables: { after: data?.events.pageInfo.endCursor } })
  const french = await client.query<EventList>({ query: eventList, variables: variablesOf('FR') })
  expect(titlesOf(french.data)).toEqual(titles('Soirée', 10))

  const cached = (language: string) =>
    titlesOf(client.readQuery<EventList>({ query: eventList, variables: variablesOf(language) }))
  expect(cached('EN')).toEqual(titles('Concert', 12))
  expect(cached('FR')).toEqual(titles('Soirée', 10))

  const [first] = french.data?.events.edges ?? []
  removeFromCache('Event', first?.node.id ?? '')
  expect(cached('EN')).toEqual(titles('Concert', 12).slice(1))
  expect(cached('FR')).toEqual(titles('Soirée', 10).slice(1))
})

const schema = createSchema(['en', 'fr', 'es'])
const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'))
const objects = types.filter(isObjectType)
const interfaces = types.filter(isAbstractType)
const fieldsOf = (fields: GraphQLFieldMap<unknown, unknown>) => Object.values(fields)
const hasTexts = (name: string) => objects.some((type) => type.name === name && 'contentLanguage' in type.getFields())

test('the recipe knows the types of every interface', () => {
  for (const type of interfaces) {
    const fragment = {
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type.name } },
      selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
    } as const
    const matching = objects
      .filter(({ name }) => cache.policies.fragmentMatches(fragment, name))
      .map(({ name }) => name)
    expect([type.name, matching.toSorted()]).toEqual([
      type.name,
      schema
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .toSorted(),
    ])
  }
})

test('the recipe keeps every record with texts apart by language', () => {
  const translated = objects.filter(({ name }) => hasTexts(name))
  expect(translated.length).toBeGreaterThan(4)
  for (const { name } of translated) {
    const key = (contentLanguage: string) => cache.identify({ __typename: name, id: 'x', contentLanguage })
    expect(key('EN')).not.toBe(key('FR'))
  }
})

test('the recipe keeps every root field that contains texts apart by language', () => {
  const reaches = (name: string): boolean => {
    const type = schema.getType(name)
    if (hasTexts(name) || (isAbstractType(type) && schema.getPossibleTypes(type).some((other) => hasTexts(other.name))))
      return true
    return (
      /(Connection|Edge|Page)$/.test(name) &&
      isObjectType(type) &&
      fieldsOf(type.getFields()).some((field) => reaches(getNamedType(field.type).name))
    )
  }
  const roots = fieldsOf(schema.getQueryType()?.getFields() ?? {}).filter((field) =>
    reaches(getNamedType(field.type).name),
  )
  expect(roots.length).toBeGreaterThan(16)
  for (const { name } of roots) {
    const key = (language: string) =>
      cache.policies.getStoreFieldName({
        typename: 'Query',
        fieldName: name,
        args: { id: 'x' },
        variables: { language },
      })
    expect(key('EN')).not.toBe(key('FR'))
  }
})

test('the recipe joins the pages of every connection', () => {
  const connections = objects.flatMap((type) =>
    fieldsOf(type.getFields())
      .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
      .map((field) => [type.name, field.name, field.args.some(({ name }) => name === 'filter')] as const),
  )
  expect(connections.length).toBeGreaterThan(5)
  for (const [typename, fieldName, hasFilter] of connections) {
    const key = (args: object) =>
      cache.policies.getStoreFieldName({ typename, fieldName, args: { ...args }, variables: {} })
    expect(key({ first: 5, after: 'x', filter: { search: 'a' } })).toBe(key({ first: 5, filter: { search: 'a' } }))
    if (hasFilter) expect(key({ filter: { search: 'a' } })).not.toBe(key({ filter: { search: 'b' } }))
  }
})
