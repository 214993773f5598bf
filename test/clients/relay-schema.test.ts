// Relay's directives work on every connection, creation and deletion of the schema: its compiler accepts them, and the
// queries that it generates return the next page.
import { readFileSync } from 'node:fs'
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType, isRequiredArgument } from 'graphql'
import type { ConcreteRequest } from 'relay-runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSchema } from '../../src/schema.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeSeries, makeTag, makeVenue } from '../helpers/make.ts'
import { makeUser, type TestUser } from '../helpers/users.ts'
import { type ClientFolder, clientFolder, recipe } from './recipes.ts'

type Field = GraphQLField<unknown, unknown>

const schema = createSchema(['en', 'fr', 'es'])
const objects = Object.values(schema.getTypeMap()).filter(isObjectType)
const fieldsOf = (type: GraphQLObjectType | undefined | null): Field[] => Object.values(type?.getFields() ?? {})
const isNode = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node')

const unique = (value: string, index: number, values: readonly string[]) => values.indexOf(value) === index

const connections = objects.flatMap((type) =>
  fieldsOf(type)
    .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
    .map((field) => ({
      type,
      field: field.name,
      name: `sweep${type.name}${field.name}`,
      place: `${type.name}.${field.name}`,
    })),
)
const mutations = fieldsOf(schema.getMutationType())
const deletions = mutations.filter((field) => field.name.startsWith('delete'))
const creations = mutations.flatMap((field) => {
  const payload = schema.getType(getNamedType(field.type).name)
  const record =
    isObjectType(payload) && /^(create(?!SignInLink)|upload|ping)/.test(field.name)
      ? fieldsOf(payload).find(({ type }) => schema.getType(`${getNamedType(type).name}Edge`))
      : undefined
  const argument = field.args.find(isRequiredArgument)
  return record ? [{ field, argument, record: record.name, edge: `${getNamedType(record.type).name}Edge` }] : []
})

const documents = [
  ...connections.map(
    ({ type, field, name }) => `fragment ${name} on ${type.name}
      @argumentDefinitions(count: { type: "Int", defaultValue: 1 }, cursor: { type: "String" })
      @refetchable(queryName: "${name}Query") {
        ${field}(first: $count, after: $cursor) @connection(key: "${name}_${field}") { edges { node { id } } }
      }`,
  ),
  ...deletions.map(
    ({ name, args }) => `mutation sweep${name}Mutation($input: ${args[0]?.type}, $connections: [ID!]!) {
      ${name}(input: $input) { id @deleteEdge(connections: $connections) }
    }`,
  ),
  ...creations.map(
    ({
      field: { name },
      argument,
      record,
      edge,
    }) => `mutation sweep${name}Mutation($input: ${argument?.type}, $connections: [ID!]!) {
      ${name}(${argument?.name}: $input) { ${record} @appendNode(connections: $connections, edgeTypeName: "${edge}") { id } }
    }`,
  ),
]

let files: ClientFolder
let app: TestApp
let administrator: TestUser
/** Global IDs of records that have two items in each of their connections. */
const ids = new Map<string, string>()

beforeAll(async () => {
  app = await openTestApp()
  administrator = await makeUser(app.db, 'administrator')
  await makeUser(app.db, 'editor')
  const [venueIds, organizerIds, tagIds] = [
    [await makeVenue(app.db, 'Hall')],
    [await makeOrganizer(app.db, 'Club')],
    [await makeTag(app.db, 'new')],
  ]
  await Promise.all([makeVenue(app.db, 'Park'), makeOrganizer(app.db, 'School'), makeTag(app.db, 'free')])
  await makeImage(app.db)
  const image = await makeImage(app.db, 'https://images.test/stage.jpg')
  await app.db.imageText.updateMany({ where: { imageId: image, language: 'en' }, data: { title: 'Stage' } })
  const parent = await makeCategory(app.db, 'Music')
  for (const name of ['Jazz', 'Rock']) await makeCategory(app.db, name, parent)
  const links = { venueIds, organizerIds, tagIds, categoryIds: [parent], authorId: administrator.id }
  const event = await makeEvent(app.db, 'Festival', links)
  for (const title of ['First day', 'Second day']) await makeEvent(app.db, title, { ...links, parentId: event })
  await Promise.all([
    app.db.event.updateMany({ data: { imageId: image } }),
    app.db.venue.updateMany({ data: { imageId: image } }),
    app.db.organizer.updateMany({ data: { imageId: image } }),
  ])
  const series = await makeSeries(app.db, 'Course')
  await app.db.change.createMany({
    data: [1, 2].map((fields) => ({
      kind: 'series',
      recordId: series.id,
      action: 'updated' as const,
      fields: { schedule: [fields, 0] },
      transaction: fields,
    })),
  })
  const numbers = {
    event,
    eventSeries: series.id,
    venue: venueIds[0],
    organizer: organizerIds[0],
    tag: tagIds[0],
    category: parent,
    user: administrator.id,
    image,
  }
  for (const [field, number] of Object.entries(numbers)) {
    const query = `{ record: ${field}(id: ${number}) { __typename id } }`
    const { body } = await app.as(administrator).graphql(query)
    ids.set(body.data.record.__typename, body.data.record.id)
  }

  const webhook = { url: 'https://example.org/', language: 'en', secrets: [], token: '' }
  const { id: webhookId } = await app.db.webhook.create({ data: webhook })
  await app.db.webhook.create({ data: webhook })
  ids.set('Webhook', btoa(`Webhook:${webhookId}`))
  const ping = { webhookId, type: 'ping', kind: '', recordId: 0, data: {}, state: 'failed' } as const
  await app.db.webhookDelivery.createMany({ data: [ping, ping] })
  const sent = {
    kind: 'event',
    language: 'en',
    proposed: {},
    unproven: false,
    createdAt: now,
    modifiedAt: now,
  } as const
  const proposals = ['a', 'b'].map((key) => ({ ...sent, tokenHash: key, challenge: key }))
  await app.db.proposal.createMany({ data: proposals })

  files = clientFolder()
  files.write('schema.graphql', readFileSync('schema.graphql', 'utf8'))
  files.write('relay.config.json', recipe('json', '"eagerEsModules"'))
  files.write('src/sweep.ts', documents.map((text) => `graphql\`${text}\`\n`).join(''))
  await files.run('relay-compiler')
})
afterAll(async () => {
  files?.remove()
  await app?.close()
})

test('connections belong to Query or to records that node(id:) finds', () => {
  expect(connections.length).toBeGreaterThan(5)
  for (const { type, name } of connections) expect([name, type.name === 'Query' || isNode(type)]).toEqual([name, true])
})

test('only records, what lists tell of them, and results of deletions have an id, which Relay takes for the identity of an object', () => {
  const others = objects.filter((type) => 'id' in type.getFields() && !isNode(type)).map(({ name }) => name)
  expect(others).toEqual(
    [
      ...deletions.map(({ type }) => getNamedType(type).name).filter(unique),
      'AuditEntry',
      'Revision',
      'TranslationTask',
    ].toSorted(),
  )
})

test('every mutation that creates a record of a connection returns it', () => {
  expect(creations.map(({ edge }) => edge).toSorted()).toEqual(
    [
      ...new Set(
        // Every mutation adds revisions and entries of the audit log, and may change tasks and proposals; none returns an edge of them.
        connections
          .filter(({ field }) => !['revisions', 'auditLog', 'translationTasks', 'proposals'].includes(field))
          .map(({ type, field }) => {
            const [list] = fieldsOf(type)
              .filter(({ name }) => name === field)
              .map((found) => getNamedType(found.type).name)
            return list?.replace(/Connection$/, 'Edge')
          }),
      ),
    ].toSorted(),
  )
})

describe('@refetchable and @connection', () => {
  test.each(connections)('$place returns page after page', async ({ type, field, name }) => {
    const { default: request } = await files.load<{ default: ConcreteRequest }>(
      `src/__generated__/${name}Query.graphql.ts`,
    )
    const read = async (cursor: string | null) => {
      const variables = { count: 1, cursor, ...(type.name === 'Query' ? {} : { id: ids.get(type.name) }) }
      const { body } = await app.as(administrator).graphql(request.params.text ?? '', variables)
      expect(body.errors).toBeUndefined()
      return (type.name === 'Query' ? body.data : body.data.node)[field]
    }
    const first = await read(null)
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = await read(first.pageInfo.endCursor)
    expect(second.edges).toHaveLength(1)
    expect(second.edges[0].node.id).not.toBe(first.edges[0].node.id)
  })
})
