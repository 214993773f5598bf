// The recipe for Apollo Client of docs/graphql.md.
import type { ApolloClient, DocumentNode, InMemoryCache } from '@apollo/client'
import { type GraphQLFieldMap, getNamedType, isAbstractType, isObjectType, Kind } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSchema } from '../../src/schema.ts'
import { type ClientTest, openClientTest, recipe, titles } from './recipes.ts'

interface Recipe {
  readonly client: ApolloClient
  readonly upcoming: DocumentNode
  readonly removeFromCache: (typename: string, id: string) => void
}

interface Upcoming {
  readonly events: {
    readonly edges: readonly { readonly node: { readonly id: string; readonly title: string } }[]
    readonly pageInfo: { readonly endCursor: string }
  }
}

let files: ClientTest
let client: ApolloClient
let cache: InMemoryCache
let upcoming: DocumentNode
let removeFromCache: Recipe['removeFromCache']

beforeAll(async () => {
  files = await openClientTest()
  files.write('src/apollo.ts', files.addressed(recipe('ts', "from '@apollo/client'")))
  const module = await files.load<Recipe>('src/apollo.ts')
  client = module.client
  upcoming = module.upcoming
  removeFromCache = module.removeFromCache
  cache = client.cache as InMemoryCache
})
afterAll(() => files?.close())

const titlesOf = (data: Partial<Upcoming> | null | undefined) => data?.events?.edges.map(({ node }) => node.title)

test('the recipe passes the type checker', () => files.checkTypes())

test('one cache holds the list of events in two languages, page by page', async () => {
  const english = client.watchQuery<Upcoming>({ query: upcoming, variables: { language: 'EN' } })
  const { data } = await english.refetch()
  expect(titlesOf(data)).toEqual(titles('Concert', 10))
  await english.fetchMore({ variables: { after: data?.events.pageInfo.endCursor } })
  const french = await client.query<Upcoming>({ query: upcoming, variables: { language: 'FR' } })
  expect(titlesOf(french.data)).toEqual(titles('Soirée', 10))

  const cached = (language: string) =>
    titlesOf(client.readQuery<Upcoming>({ query: upcoming, variables: { language } }))
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
      .map((field) => [type.name, field.name] as const),
  )
  expect(connections.length).toBeGreaterThan(5)
  for (const [typename, fieldName] of connections) {
    const key = (args: object) =>
      cache.policies.getStoreFieldName({ typename, fieldName, args: { ...args }, variables: {} })
    expect(key({ first: 5, after: 'x', filter: { search: 'a' } })).toBe(key({ first: 5, filter: { search: 'a' } }))
    expect(key({ filter: { search: 'a' } })).not.toBe(key({ filter: { search: 'b' } }))
  }
})
