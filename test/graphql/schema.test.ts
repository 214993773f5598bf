import { readFileSync } from 'node:fs'
import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { createSchema } from '../../src/schema.ts'

const schema = createSchema(['en', 'fr', 'es'])
const ownTypes = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type))

test('schema.graphql is the schema of the default settings', () => {
  const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')
  expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(committed)
})

interface Described {
  readonly place: string
  readonly description: string | null | undefined
}

function* parts(type: GraphQLNamedType): Generator<Described> {
  yield { place: type.name, description: type.description }
  if (isEnumType(type)) {
    for (const { name, description } of type.getValues()) yield { place: `${type.name}.${name}`, description }
  }
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) yield { place: `${type.name}.${field.name}`, ...field }
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return
  for (const field of Object.values(type.getFields())) {
    yield { place: `${type.name}.${field.name}`, description: field.description }
    for (const arg of field.args) yield { place: `${type.name}.${field.name}(${arg.name}:)`, ...arg }
  }
}

test('every type, field, argument and value has a description that ends as a sentence', () => {
  const directives = schema
    .getDirectives()
    .filter((directive) => !isSpecifiedDirective(directive))
    .flatMap((directive) =>
      [directive, ...directive.args].map(({ name, description }) => ({ place: name, description })),
    )
  const described = [...ownTypes.filter((type) => !isSpecifiedScalarType(type)).flatMap((type) => [...parts(type)])]
  expect(described.length).toBeGreaterThan(200)
  const bare = [...described, ...directives].filter(({ description }) => !/[.]$/.test(description ?? ''))
  expect(bare.map(({ place }) => place)).toEqual([])
})

test('lists contain no null, except nodes that are not found', () => {
  const nullable = ownTypes
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ place: `${type.name}.${field.name}`, field })))
    .filter(({ field }) => /\w\]/.test(String(field.type)))
  expect(nullable.map(({ place }) => place)).toEqual(['Query.nodes'])
})

test('each language of the site is a value of LanguageCode', () => {
  const values = (languages: string[]) => {
    const type = createSchema(languages).getType('LanguageCode')
    return isEnumType(type) ? type.getValues().map(({ name, value }) => [name, value]) : []
  }
  expect(values(['de', 'pt-br'])).toEqual([
    ['DE', 'de'],
    ['PT_BR', 'pt-br'],
  ])
})

test('the query node finds records, series, images, users, credentials and webhooks, and no other objects', () => {
  const node = schema.getType('Node')
  const kinds = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : []
  const records = ['Category', 'Event', 'Organizer', 'Tag', 'Venue']
  expect(kinds.toSorted()).toEqual(
    [...records, 'Credential', 'EventSeries', 'Image', 'Proposal', 'User', 'Webhook', 'WebhookDelivery'].toSorted(),
  )
  const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).map(({ type }) => getNamedType(type).name)
  for (const kind of records) expect(lists).toContain(`${kind}Page`)
})
