// Every argument and input field that identifies a record, with each form of an ID.
import {
  type GraphQLArgument,
  GraphQLID,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSchema } from '../../src/schema.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeSeries, makeTag, makeVenue } from '../helpers/make.ts'
import { solve } from '../helpers/proposals.ts'
import { partOf } from '../helpers/runs.ts'
import { createCredential, makeUser } from '../helpers/users.ts'
import { capital, party } from '../helpers/write.ts'

let app: TestApp
let admin: ApiClient & { readonly id: number }

const kinds = [
  'event',
  'series',
  'venue',
  'organizer',
  'category',
  'tag',
  'image',
  'user',
  'credential',
  'webhook',
  'webhookDelivery',
] as const
type Kind = (typeof kinds)[number]

/** IDs of records that are linked to each other, one of each kind. */
const ids = {} as Record<Kind | 'parent' | 'child', number>

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' })
  const { db } = app
  admin = await app.signIn('administrator')
  const name = { en: { name: 'Name', slug: 'own-slug' } }
  ids.user = (await makeUser(db, 'author')).id
  ids.parent = await makeEvent(db, 'Festival')
  ids.venue = await makeVenue(db, name)
  ids.organizer = await makeOrganizer(db, name)
  ids.category = await makeCategory(db, name)
  ids.child = await makeCategory(db, 'Child', ids.category)
  ids.tag = await makeTag(db, name)
  ids.image = await makeImage(db)
  ids.event = await makeEvent(db, name, {
    ...{ venueIds: [ids.venue], organizerIds: [ids.organizer], categoryIds: [ids.category], tagIds: [ids.tag] },
    parentId: ids.parent,
  })
  ids.series = (await makeSeries(db, 'Course')).id
  ids.webhook = await newWebhook()
  const delivery = {
    webhookId: ids.webhook,
    type: 'created',
    kind: 'event',
    recordId: 1,
    data: {},
    state: 'failed',
  } as const
  ids.webhookDelivery = (await db.webhookDelivery.create({ data: delivery })).id
  ids.credential = (await db.credential.findFirstOrThrow({ where: { userId: ids.user } })).id
})
afterAll(() => app?.close())

const typeOf = (kind: Kind) => (kind === 'series' ? 'EventSeries' : capital(kind))
const globalId = (kind: Kind, id: number) => btoa(`${typeOf(kind)}:${id}`)
const isTerm = (kind: Kind) => kind === 'category' || kind === 'tag'

type Outcome = 'found' | 'nothing' | UserError

interface UserError {
  readonly code: string
  readonly message: string
  readonly path: readonly string[]
}

interface Row {
  readonly kind: Kind
  send(id: unknown): Promise<Outcome>
  /** The ID to send; by default that of `ids`. */
  readonly make?: () => Promise<number>
  /** The outcome for an ID that a record has; by default `found`. */
  readonly valid?: Outcome
  /** The outcome for a number that no record has, or the code of its error. */
  readonly unknown: 'NOT_FOUND' | 'BAD_INPUT' | 'nothing' | 'found'
  /** Whether other text is looked up as a name. */
  readonly acceptsNames?: true
  /** Whether only global IDs are accepted. */
  readonly onlyGlobal?: true
}

type Options = Partial<Omit<Row, 'kind' | 'send'>>

function lookup(kind: Kind, field: string = kind, options: Options = {}): Row {
  const [argument, type] = field === 'nodes' ? ['ids', '[ID!]!'] : ['id', 'ID!']
  const query = `query ($id: ${type}) { found: ${field}(${argument}: $id) { __typename } }`
  const send = async (id: unknown): Promise<Outcome> => {
    const { body } = await admin.graphql(query, { id: field === 'nodes' ? [id] : id })
    const [error] = body.errors ?? []
    return error ? { code: error.extensions.code, message: error.message, path: ['id'] } : 'found'
  }
  return { kind, unknown: 'NOT_FOUND', send, ...options }
}

/** A field of a filter. `filterOf` puts the ID into a filter that finds something. */
function filter(kind: Kind, list: string, filterOf: (id: unknown) => object, options: Options = {}): Row {
  const type = {
    events: 'Event',
    venues: 'Venue',
    organizers: 'Organizer',
    categories: 'Category',
    tags: 'Tag',
    images: 'Image',
  }[list]
  const query = `query ($filter: ${type}Filter) { list: ${list}(filter: $filter) { totalCount } }`
  const send = async (id: unknown): Promise<Outcome> => {
    const { body } = await admin.graphql(query, { filter: filterOf(id) })
    const [error] = body.errors ?? []
    if (!error) return body.data.list.totalCount > 0 ? 'found' : 'nothing'
    return { code: error.extensions.code, message: error.message, path: Object.keys(error.extensions.fields) }
  }
  return { kind, unknown: 'nothing', send, ...options }
}

const inputTypes: Readonly<Record<string, string>> = {
  trashVenue: 'RecordInput',
  deleteTag: 'TermInput',
  deleteWebhook: 'WebhookInput',
  mergeVenues: 'MergeInput',
}

/** A field of the input of a mutation. `inputOf` puts the ID into an input that is valid otherwise. */
function input(kind: Kind, mutation: string, inputOf: (id: unknown) => unknown, options: Options = {}): Row {
  const type = inputTypes[mutation] ?? `${capital(mutation)}Input`
  const query = `mutation ($input: ${type}!) { done: ${mutation}(input: $input) { userErrors { code message path } } }`
  const send = async (id: unknown): Promise<Outcome> => {
    const { body } = await admin.graphql(query, { input: await inputOf(id) })
    expect(body.errors).toBeUndefined()
    return body.data.done.userErrors[0] ?? 'found'
  }
  return { kind, unknown: 'BAD_INPUT', send, ...options }
}

let counter = 0
const unique = () => {
  counter += 1
  return `New ${counter}`
}

/** A field of both inputs of a post. */
const ofPosts = (
  field: string,
  kind: Kind,
  posts: readonly ('event' | 'venue' | 'organizer')[],
  options: Options = {},
) =>
  Object.fromEntries(
    posts.flatMap((post) => [
      [
        `Create${capital(post)}Input.${field}`,
        input(kind, `create${capital(post)}`, (id) => ({
          ...(post === 'event' ? party : { name: unique() }),
          [field]: id,
        })),
      ],
      [
        `Update${capital(post)}Input.${field}`,
        input(kind, `update${capital(post)}`, (id) => ({ id: ids[post], [field]: id }), options),
      ],
    ]),
  )

const once = { recurrences: [], extraDates: [{ startsLocal: party.startsLocal, endsLocal: party.endsLocal }] }
const byId = { unknown: 'NOT_FOUND' } as const
const byName = { acceptsNames: true } as const
const excluding = { ...byName, valid: 'nothing', unknown: 'found' } as const
const parentEvent = { make: async () => ids.parent }
const eventAuthor = {
  make: async () => {
    const user = await makeUser(app.db, 'author')
    await makeEvent(app.db, unique(), { authorId: user.id })
    return user.id
  },
}
const authorOfVenue = async () => {
  await app.db.venue.update({ where: { id: ids.venue }, data: { authorId: ids.user } })
  return ids.user
}
const authorOfOrganizer = async () => {
  await app.db.organizer.update({ where: { id: ids.organizer }, data: { authorId: ids.user } })
  return ids.user
}
const otherUser = async () => (await makeUser(app.db, 'author')).id
const authorOfImage = async () => {
  await app.db.image.update({ where: { id: ids.image }, data: { authorId: ids.user } })
  return ids.user
}
const newWebhook = async () => {
  const data = { url: 'http://127.0.0.1:9/', language: 'en', secrets: [], token: '' }
  return (await app.db.webhook.create({ data })).id
}
const newProposal = async () => {
  const data = { kind: 'event', language: 'en', proposed: { title: 'Fair', startsLocal: party.startsLocal } } as const
  const [time, key] = [new Date(), unique()]
  const sent = { unproven: false, createdAt: time, modifiedAt: time, tokenHash: key, challenge: key }
  return (await app.db.proposal.create({ data: { ...data, ...sent } })).id
}
const newCredential = async () => {
  await createCredential(app.db, ids.user, 'api_token')
  return (await app.db.credential.findFirstOrThrow({ orderBy: { id: 'desc' } })).id
}

/** Every argument and input field of the type ID. */
const rows: Readonly<Record<string, Row>> = {
  'Query.event(id:)': lookup('event'),
  'Query.eventSeries(id:)': lookup('series', 'eventSeries'),
  'Query.venue(id:)': lookup('venue'),
  'Query.organizer(id:)': lookup('organizer'),
  'Query.category(id:)': lookup('category'),
  'Query.tag(id:)': lookup('tag'),
  'Query.user(id:)': lookup('user'),
  'Query.image(id:)': lookup('image'),
  'Query.node(id:)': lookup('event', 'node', { onlyGlobal: true }),
  'Query.nodes(ids:)': lookup('venue', 'nodes', { onlyGlobal: true }),
  'EventFilter.include': filter('event', 'events', (id) => ({ include: [id] })),
  'EventFilter.series': filter('series', 'events', (id) => ({ series: [id] })),
  'EventFilter.venues': filter('venue', 'events', (id) => ({ venues: [id] })),
  'EventFilter.organizers': filter('organizer', 'events', (id) => ({ organizers: [id] })),
  'EventFilter.categories': filter('category', 'events', (id) => ({ categories: [id] }), byName),
  'EventFilter.tags': filter('tag', 'events', (id) => ({ tags: [id] }), byName),
  'EventFilter.authors': filter('user', 'events', (id) => ({ authors: [id] }), eventAuthor),
  'EventFilter.parent': filter('event', 'events', (parent) => ({ parent }), parentEvent),
  'ImageFilter.include': filter('image', 'images', (id) => ({ include: [id] })),
  'ImageFilter.authors': filter('user', 'images', (id) => ({ authors: [id] }), { make: authorOfImage }),
  'VenueFilter.include': filter('venue', 'venues', (id) => ({ include: [id] })),
  'VenueFilter.authors': filter('user', 'venues', (id) => ({ authors: [id] }), { make: authorOfVenue }),
  'VenueFilter.event': filter('event', 'venues', (event) => ({ event })),
  'OrganizerFilter.include': filter('organizer', 'organizers', (id) => ({ include: [id] })),
  'OrganizerFilter.authors': filter('user', 'organizers', (id) => ({ authors: [id] }), { make: authorOfOrganizer }),
  'OrganizerFilter.event': filter('event', 'organizers', (event) => ({ event })),
  'CategoryFilter.include': filter('category', 'categories', (id) => ({ include: [id] }), byName),
  'CategoryFilter.exclude': filter('category', 'categories', (id) => ({ exclude: [id], slug: 'own-slug' }), excluding),
  'CategoryFilter.event': filter('event', 'categories', (event) => ({ event })),
  'CategoryFilter.parent': filter('category', 'categories', (parent) => ({ parent })),
  'TagFilter.include': filter('tag', 'tags', (id) => ({ include: [id] }), byName),
  'TagFilter.exclude': filter('tag', 'tags', (id) => ({ exclude: [id], slug: 'own-slug' }), excluding),
  'TagFilter.event': filter('event', 'tags', (event) => ({ event })),
  ...ofPosts('authorId', 'user', ['event', 'venue', 'organizer']),
  ...ofPosts('imageId', 'image', ['event', 'venue', 'organizer']),
  ...ofPosts('parentId', 'event', ['event'], parentEvent),
  'CreateCategoryInput.parentId': input('category', 'createCategory', (id) => ({ name: unique(), parentId: id })),
  'UpdateCategoryInput.parentId': input('category', 'updateCategory', (id) => ({ id: ids.child, parentId: id })),
  ...Object.fromEntries(
    (
      [
        ['authorId', 'user', {}],
        ['imageId', 'image', {}],
        ['parentId', 'event', parentEvent],
      ] as const
    ).flatMap(([field, kind, options]) => [
      [
        `CreateEventSeriesInput.${field}`,
        input(kind, 'createEventSeries', (id) => ({ title: unique(), schedule: once, [field]: id }), options),
      ],
      [
        `UpdateEventSeriesInput.${field}`,
        input(kind, 'updateEventSeries', (id) => ({ id: ids.series, [field]: id }), options),
      ],
    ]),
  ),
  'UpdateEventSeriesInput.id': input('series', 'updateEventSeries', (id) => ({ id, featured: true }), byId),
  'UpdateEventInput.id': input('event', 'updateEvent', (id) => ({ id, featured: true }), byId),
  'UpdateVenueInput.id': input('venue', 'updateVenue', (id) => ({ id, city: 'Lyon' }), byId),
  'UpdateOrganizerInput.id': input('organizer', 'updateOrganizer', (id) => ({ id, phone: '1' }), byId),
  'UpdateCategoryInput.id': input('category', 'updateCategory', (id) => ({ id, description: 'A' }), byId),
  'UpdateTagInput.id': input('tag', 'updateTag', (id) => ({ id, description: 'A' }), byId),
  'RestoreRevisionInput.id': input(
    'event',
    'restoreRevision',
    async (id) => {
      const revision = await app.db.change.findFirstOrThrow({ where: { kind: 'event', recordId: ids.event } })
      return { kind: 'EVENT', id, revisionId: `${revision.id}`, fields: ['website'] }
    },
    byId,
  ),
  'UpdateUserInput.id': input('user', 'updateUser', (id) => ({ id, name: 'Ada' }), byId),
  'UpdateImageInput.id': input('image', 'updateImage', (id) => ({ id, caption: 'A' }), byId),
  'DeleteImageInput.id': input('image', 'deleteImage', (id) => ({ id, force: true }), {
    ...{ ...byId, make: () => makeImage(app.db) },
  }),
  'RecordInput.id': input('venue', 'trashVenue', (id) => ({ id }), { ...byId, make: () => makeVenue(app.db, 'Other') }),
  'ReturnEventInput.id': input('event', 'returnEvent', (id) => ({ id }), {
    ...{ ...byId, make: () => makeEvent(app.db, unique(), { status: 'pending' }) },
  }),
  'TermInput.id': input('tag', 'deleteTag', (id) => ({ id }), { ...byId, make: () => makeTag(app.db, unique()) }),
  'ProposeChangeInput.eventId': input('event', 'proposeChange', async (eventId) => ({
    ...{ eventId, message: 'Wrong', proof: await solve(app) },
  })),
  'AcceptProposalInput.venueId': input('venue', 'acceptProposal', async (venueId) => ({
    ...{ proposalId: String(await newProposal()), venueId },
  })),
  'MergeInput.id': input(
    'venue',
    'mergeVenues',
    async (id) => ({ id, mergedIds: [await makeVenue(app.db, unique())] }),
    byId,
  ),
  'MergeInput.mergedIds': input('venue', 'mergeVenues', (id) => ({ id: ids.venue, mergedIds: [id] }), {
    ...{ ...byId, make: () => makeVenue(app.db, unique()) },
  }),
  'EventVenueInput.id': input('venue', 'createEvent', (id) => ({ ...party, venues: [{ id }] })),
  'EventOrganizerInput.id': input('organizer', 'createEvent', (id) => ({ ...party, organizers: [{ id }] })),
  'EventTermInput.id': input('category', 'createEvent', (id) => ({ ...party, categories: [{ id }] })),
  'EventTermInput.idIfExists': input('tag', 'createEvent', (id) => ({ ...party, tags: [{ idIfExists: id }] }), {
    unknown: 'found',
  }),
  'DeleteUserInput.id': input('user', 'deleteUser', (id) => ({ id }), { ...byId, make: otherUser }),
  'DeleteUserInput.contentTo': input('user', 'deleteUser', async (id) => ({ id: await otherUser(), contentTo: id })),
  'CreateApiTokenInput.userId': input('user', 'createApiToken', (userId) => ({ name: 'new', userId })),
  'CreateApplicationPasswordInput.userId': input('user', 'createApplicationPassword', (userId) => ({
    ...{ name: 'new', userId },
  })),
  'CreateSignInLinkInput.userId': input('user', 'createSignInLink', (userId) => ({ userId }), byId),
  'CreateWebhookInput.userId': input('user', 'createWebhook', (userId) => ({ url: 'http://127.0.0.1:9/', userId })),
  'UpdateWebhookInput.id': input('webhook', 'updateWebhook', (id) => ({ id, enabled: false }), byId),
  'WebhookInput.id': input('webhook', 'deleteWebhook', (id) => ({ id }), { ...byId, make: newWebhook }),
  'RotateWebhookSecretInput.id': input('webhook', 'rotateWebhookSecret', (id) => ({ id }), byId),
  'ReplayWebhookDeliveriesInput.id': input(
    'webhook',
    'replayWebhookDeliveries',
    (id) => ({ id, from: '2026-01-01T00:00:00Z' }),
    byId,
  ),
  'ReplayWebhookDeliveriesInput.deliveryId': input('webhookDelivery', 'replayWebhookDeliveries', (deliveryId) => ({
    ...{ id: ids.webhook, deliveryId },
  })),
  'RevokeCredentialInput.id': input('credential', 'revokeCredential', (id) => ({ id }), {
    ...{ ...byId, make: newCredential },
  }),
}

test('the table has every argument and input field of the type ID', () => {
  // Revisions are entries of the log, and proposals no records either. The audit log has records and users that are gone, and tasks are of several kinds.
  const isId = ({ name, type }: GraphQLArgument | GraphQLInputField) =>
    getNamedType(type) === GraphQLID && !['revisionId', 'proposalId', 'recordId'].includes(name)
  const inSchema = Object.values(createSchema(['en', 'fr', 'es']).getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type) && !['AuditLogFilter', 'TranslationTaskFilter'].includes(type.name)) {
      return Object.values(type.getFields()).flatMap((field) => (isId(field) ? `${type.name}.${field.name}` : []))
    }
    if (!isObjectType(type)) return []
    return Object.values(type.getFields()).flatMap(({ name, args }) =>
      args.filter(isId).map((argument) => `${type.name}.${name}(${argument.name}:)`),
    )
  })
  expect(inSchema.toSorted()).toEqual(Object.keys(rows).toSorted())
})

const coordinates = Object.keys(rows)
const unknownNumbers = ['2147483648', '99999999999999999999', '0']
const invalidIds = (kind: Kind) => ['-1', '', '12x!', btoa(`${typeOf(kind)}:x`), btoa('Nothing:1')]

/** IDs that are names or slugs of the terms that a field created would be found by others. */
async function deleteCreatedTerms(): Promise<void> {
  await app.db.category.deleteMany({ where: { id: { notIn: [ids.category, ids.child] } } })
  await app.db.tag.deleteMany({ where: { id: { not: ids.tag } } })
}

// All fields have the same parser: each is sent some of the forms, others than the field before it.
describe.each(Object.entries(rows))('%s', (coordinate, { kind, send, make, valid = 'found', unknown, ...row }) => {
  const turn = coordinates.indexOf(coordinate)
  afterAll(deleteCreatedTerms)
  const made = async () => (make ? make() : ids[kind])
  const field = coordinate.split('.')[1] ?? ''
  const errorOf = async (id: unknown): Promise<UserError> => {
    const outcome = await send(id)
    if (typeof outcome === 'string') throw new Error(`${String(id)}: ${outcome}`)
    expect(['id', field]).toContain(outcome.path.at(-1))
    return outcome
  }

  test('finds a record by its global ID', async () => {
    expect(await send(globalId(kind, await made()))).toEqual(valid)
  })

  test('finds a record by its number, or the number as text, unless only global IDs are accepted', async () => {
    if (row.onlyGlobal) {
      expect((await errorOf(await made())).code).toBe('BAD_INPUT')
      return
    }
    for (const form of partOf([Number, String], 2, turn)) expect(await send(form(await made()))).toEqual(valid)
  })

  test('finds a category or tag by its slug', async () => {
    if (!isTerm(kind) || make) return
    expect(await send('own-slug')).toEqual(valid)
  })

  test('rejects a global ID of another type', async () => {
    if (row.onlyGlobal) return
    const others = kinds.filter((one) => one !== kind)
    for (const other of partOf(others, others.length, turn)) {
      const { code, message } = await errorOf(globalId(other, ids[other]))
      expect(['BAD_INPUT', 'WRONG_KIND']).toContain(code)
      const article = (name: string) => (/^[aeio]/.test(name) ? `an ${name}` : `a ${name}`).replace('webhookD', 'd')
      expect(message).toBe(`This is the ID of ${article(other)}. Send the ID of ${article(kind)}.`)
    }
  })

  test('knows no record with a number that none has, or that is too large', async () => {
    const numbers = row.onlyGlobal ? [] : unknownNumbers
    const globalIds = unknownNumbers.map((id) => globalId(kind, id as unknown as number))
    for (const id of partOf([...numbers, ...globalIds], numbers.length + globalIds.length, turn)) {
      const outcome = await send(id)
      expect(typeof outcome === 'string' ? outcome : outcome.code, id).toBe(unknown)
    }
  })

  test('does not take another text for the ID of a record', async () => {
    for (const id of partOf(invalidIds(kind), 3, turn)) {
      const isName = row.acceptsNames || (isTerm(kind) && id !== '' && !id.startsWith('-'))
      if (isName) {
        const outcome = await send(id)
        expect(typeof outcome === 'string' ? outcome : outcome.code, id).toBe(unknown)
      } else {
        const { code, message } = await errorOf(id)
        expect([id, code, message]).toEqual([
          id,
          'BAD_INPUT',
          expect.stringMatching(/^Invalid ID\. Send (an ID that|the `id`)/),
        ])
      }
    }
  })
})

test('all invalid IDs of a filter are reported at once', async () => {
  const wrong = {
    include: ['x y', globalId('venue', ids.venue)],
    venues: [globalId('event', ids.event)],
    parent: 'x y',
  }
  const query = 'query ($filter: EventFilter) { events(filter: $filter) { totalCount } }'
  const { body } = await app.graphql(query, { filter: { ...wrong, tags: [globalId('category', ids.category)] } })
  expect(body.data).toBeNull()
  expect(body.errors[0].extensions).toEqual({
    code: 'BAD_INPUT',
    fields: {
      include:
        'Invalid ID. Send the `id` or the `databaseId` of an event. This is the ID of a venue. Send the ID of an event.',
      venues: 'This is the ID of an event. Send the ID of a venue.',
      parent: 'Invalid ID. Send the `id` or the `databaseId` of an event.',
      tags: 'This is the ID of a category. Send the ID of a tag.',
    },
  })
})

test('all invalid IDs of an input are reported at once, each with its path', async () => {
  const query = `mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code path } } }`
  const create = { name: 'Hall', authorId: globalId('event', ids.event) }
  const { body } = await admin.graphql(query, {
    input: {
      ...{ ...party, authorId: 'nobody', imageId: globalId('user', ids.user), parentId: 'x y' },
      venues: [{ id: globalId('venue', ids.venue) }, { id: globalId('organizer', ids.organizer) }, { create }],
      tags: [{ id: 'own-slug' }, { id: globalId('category', ids.category) }, { idIfExists: '' }],
    },
  })
  const paths = [
    'parentId',
    'authorId',
    'imageId',
    'venues.1.id',
    'venues.2.create.authorId',
    'tags.1.id',
    'tags.2.idIfExists',
  ]
  expect(body.data.createEvent.userErrors.map(({ path }: UserError) => path.join('.'))).toEqual(paths)
})

test('a number is the ID of a category or tag even if another one has it as its slug', async () => {
  const id = await makeCategory(app.db, { en: { name: 'By slug', slug: String(ids.category) } })
  const names = async (field: string) => (await app.graphql(`{ found: ${field} { name } }`)).body.data.found.name
  expect(await names(`category(id: "${ids.category}")`)).toBe('Name')
  const query = 'query ($term: ID!) { categories(filter: { include: [$term] }) { nodes { databaseId } } }'
  const listed = async (term: string) => (await app.graphql(query, { term })).body.data.categories.nodes[0].databaseId
  expect(await listed(String(ids.category))).toBe(id)
  expect(await listed(globalId('category', ids.category))).toBe(ids.category)
})

test('root categories, and all others, are found by isRoot', async () => {
  const query = 'query ($isRoot: Boolean) { categories(filter: { isRoot: $isRoot }) { nodes { parent { id } } } }'
  for (const isRoot of [true, false]) {
    const { nodes } = (await app.graphql(query, { isRoot })).body.data.categories
    expect(nodes.length).toBeGreaterThan(0)
    for (const { parent } of nodes) expect(parent === null).toBe(isRoot)
  }
})

test('a deletion answers both IDs of the deleted record', async () => {
  const deletable: [Kind, () => Promise<number>][] = [
    ['event', () => makeEvent(app.db, 'Gone')],
    ['venue', () => makeVenue(app.db, 'Gone')],
    ['organizer', () => makeOrganizer(app.db, 'Gone')],
    ['category', () => makeCategory(app.db, 'Gone')],
    ['tag', () => makeTag(app.db, 'Gone')],
    ['user', otherUser],
  ]
  for (const [kind, makeOne] of deletable) {
    const id = await makeOne()
    const type = kind === 'user' ? 'DeleteUserInput' : isTerm(kind) ? 'TermInput' : 'RecordInput'
    const query = `mutation ($input: ${type}!) { done: delete${capital(kind)}(input: $input) { id databaseId userErrors { code } } }`
    const { body } = await admin.graphql(query, { input: { id: globalId(kind, id) } })
    expect(body.data.done).toEqual({ id: globalId(kind, id), databaseId: id, userErrors: [] })
    const again = await admin.graphql(query, { input: { id } })
    expect(again.body.data.done).toEqual({ id: null, databaseId: null, userErrors: [{ code: 'NOT_FOUND' }] })
  }
})
