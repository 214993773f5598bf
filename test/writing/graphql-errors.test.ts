// Rejected mutations: the code and field of each error, and that nothing is written.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { allRows, type Kind, party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let ids: Record<Kind | 'part' | 'child' | 'trashed', number>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  const { db } = app
  const event = await makeEvent(db, 'Festival')
  const category = await makeCategory(db, 'Music')
  ids = {
    ...{ event, category, tag: await makeTag(db, 'new') },
    part: await makeEvent(db, 'Part', { parentId: event }),
    child: await makeCategory(db, 'Jazz', category),
    venue: await makeVenue(db, 'Hall'),
    organizer: await makeOrganizer(db, 'Club'),
    trashed: await makeEvent(db, 'Gone', { status: 'trash', trashedFrom: 'publish' }),
  }
})
afterAll(() => app?.close())

const unknown = 2_000_000_000
type Verb = Parameters<typeof write>[1]
type Case = [string, Verb, Kind, () => object, ...string[]]

const create = (kind: Kind, input: () => object, ...errors: string[]): Case => [
  JSON.stringify(input.toString().slice(6, 60)),
  'create',
  kind,
  () => ({ ...(kind === 'event' ? party : { name: 'New' }), ...input() }),
  ...errors,
]
const update = (kind: Kind, input: () => object, ...errors: string[]): Case => [
  JSON.stringify(input.toString().slice(6, 60)),
  'update',
  kind,
  () => ({ id: ids[kind], ...input() }),
  ...errors,
]

const events: Case[] = [
  create('event', () => ({ title: '' }), 'BAD_INPUT title'),
  create('event', () => ({ title: ' \t\n' }), 'BAD_INPUT title'),
  create('event', () => ({ startsLocal: null }), 'BAD_INPUT startsLocal'),
  create('event', () => ({ endsLocal: null }), 'BAD_INPUT endsLocal'),
  create('event', () => ({ endsLocal: '2026-12-24T19:59:59' }), 'BAD_INPUT endsLocal'),
  create('event', () => ({ timeZone: 'Mars/Base' }), 'BAD_INPUT timeZone'),
  create('event', () => ({ website: 'no address' }), 'BAD_INPUT website'),
  create('event', () => ({ website: 'javascript:alert(1)' }), 'BAD_INPUT website'),
  create('event', () => ({ imageId: ids.event }), 'BAD_INPUT imageId'),
  create('event', () => ({ authorId: unknown }), 'BAD_INPUT authorId'),
  create('event', () => ({ parentId: unknown }), 'BAD_INPUT parentId'),
  create('event', () => ({ venues: [{ id: ids.organizer }] }), 'BAD_INPUT venues'),
  create('event', () => ({ organizers: [{ id: ids.venue }] }), 'BAD_INPUT organizers'),
  create('event', () => ({ categories: [{ id: ids.tag }] }), 'BAD_INPUT categories'),
  create('event', () => ({ tags: [{ id: ids.category }] }), 'BAD_INPUT tags'),
  create('event', () => ({ tags: [{ nameOrSlug: ' ' }] }), 'BAD_INPUT tags'),
  create('event', () => ({ tickets: [{ name: 'A', price: '-1', currency: 'EUR' }] }), 'BAD_INPUT tickets'),
  create('event', () => ({ tickets: [{ name: 'A', price: '1.234', currency: 'EUR' }] }), 'BAD_INPUT tickets'),
  create('event', () => ({ tickets: [{ name: 'A', price: '1', currency: 'euro' }] }), 'BAD_INPUT tickets'),
  create('event', () => ({ tickets: [{ name: 'A', price: '1', currency: 'EUR', capacity: -1 }] }), 'BAD_INPUT tickets'),
  create('event', () => ({ translations: [{ language: 'FR' }, { language: 'FR' }] }), 'BAD_INPUT translations'),
  create('event', () => ({ translations: [{ language: 'EN' }, { language: 'EN' }] }), 'BAD_INPUT translations'),
  update('event', () => ({ title: null }), 'BAD_INPUT title'),
  update('event', () => ({ id: unknown }), 'NOT_FOUND'),
  update('event', () => ({ id: ids.venue }), 'WRONG_KIND'),
  update('event', () => ({ id: ids.trashed }), 'TRASHED'),
  update('event', () => ({ id: null, currentSlug: 'nowhere' }), 'NOT_FOUND'),
  update('event', () => ({ id: null }), 'BAD_INPUT id', 'BAD_INPUT currentSlug'),
  update('event', () => ({ parentId: ids.event }), 'BAD_INPUT parentId'),
  update('event', () => ({ parentId: ids.part }), 'BAD_INPUT parentId'),
  update('event', () => ({ endsLocal: '2020-01-01T00:00:00' }), 'BAD_INPUT endsLocal'),
  update('event', () => ({ ifUnmodifiedSince: '2020-01-01T00:00:00Z' }), 'CONFLICT'),
  update('event', () => ({ translations: [{ language: 'EN', name: null }] }), 'BAD_INPUT translations'),
]

const others: Case[] = [
  create('venue', () => ({ name: '' }), 'BAD_INPUT name'),
  create('venue', () => ({ website: 'x' }), 'BAD_INPUT website'),
  create('venue', () => ({ coordinates: { latitude: 91, longitude: 0 } }), 'BAD_INPUT coordinates'),
  create('venue', () => ({ coordinates: { latitude: 0, longitude: -181 } }), 'BAD_INPUT coordinates'),
  create('organizer', () => ({ name: '\u00a0' }), 'BAD_INPUT name'),
  create('category', () => ({ name: 'mUsic' }), 'TERM_EXISTS'),
  create('category', () => ({ parentId: unknown }), 'BAD_INPUT parentId'),
  create('category', () => ({ name: ' ' }), 'BAD_INPUT name'),
  create('tag', () => ({ name: 'NEW' }), 'TERM_EXISTS'),
  update('category', () => ({ parentId: ids.category }), 'BAD_INPUT parentId'),
  update('category', () => ({ parentId: ids.child }), 'BAD_INPUT parentId'),
  update('category', () => ({ slug: 'jazz' }), 'BAD_INPUT slug'),
  update('category', () => ({ id: ids.tag }), 'WRONG_KIND'),
  update('tag', () => ({ id: unknown }), 'NOT_FOUND'),
  update('tag', () => ({ name: null }), 'BAD_INPUT name'),
  update('category', () => ({ ifUnmodifiedSince: '2020-01-01T00:00:00Z' }), 'CONFLICT'),
  update('tag', () => ({ ifUnmodifiedSince: '2020-01-01T00:00:00Z' }), 'CONFLICT'),
  update('venue', () => ({ id: ids.event }), 'WRONG_KIND'),
  update('organizer', () => ({ ifUnmodifiedSince: '2020-01-01T00:00:00Z' }), 'CONFLICT'),
]

const ends: Case[] = [
  ['in the trash already', 'trash', 'event', () => ({ id: ids.trashed }), 'TRASHED'],
  ['not in the trash', 'restore', 'event', () => ({ id: ids.event }), 'BAD_INPUT id'],
  ['changed since', 'trash', 'event', () => ({ id: ids.event, ifUnmodifiedSince: '2020-01-01T00:00:00Z' }), 'CONFLICT'],
  [
    'changed since',
    'delete',
    'venue',
    () => ({ id: ids.venue, ifUnmodifiedSince: '2020-01-01T00:00:00Z' }),
    'CONFLICT',
  ],
  ['of another kind', 'delete', 'venue', () => ({ id: ids.organizer }), 'WRONG_KIND'],
  ['unknown', 'delete', 'tag', () => ({ id: unknown }), 'NOT_FOUND'],
]

describe('a mutation is rejected and writes nothing:', () => {
  test.each([...events, ...others, ...ends])('%s %s %s', async (_, verb, kind, input, ...errors) => {
    const before = await allRows(app)
    expect(await write(admin, verb, kind, { ...input() })).toEqual({ record: null, errors })
    expect(await allRows(app)).toEqual(before)
  })
})

test.each(['trash', 'restore', 'delete', 'update'] as const)(
  'who may not write does not learn from %s whether there is an event with a number',
  async (verb) => {
    for (const [reader, code] of [
      [app, 'UNAUTHENTICATED'],
      [await app.signIn('subscriber'), 'FORBIDDEN'],
    ] as const) {
      for (const id of [unknown, ids.event]) {
        expect(await write(reader, verb, 'event', { id })).toEqual({ record: null, errors: [code] })
      }
    }
  },
)

test.each(['trash', 'restore', 'delete', 'update'] as const)(
  'who may not %s a record learns nothing of when it was changed',
  async (verb) => {
    const id = await makeVenue(app.db, 'Hidden', { status: 'draft' })
    const since = '2020-01-01T00:00:00Z'
    const { errors } = await write(app, verb, 'venue', { id, ifUnmodifiedSince: since })
    expect(errors).toEqual(['UNAUTHENTICATED'])
  },
)

test.each([
  ['event', 'title', party],
  ['category', 'name', { name: 'Zero' }],
  ['tag', 'name', { name: 'Zero' }],
] as const)(
  'ifUnmodifiedSince accepts the current version of a record of the kind %s, and no earlier one',
  async (kind, name, first) => {
    const id = await written(admin, 'create', kind, first)
    const versions: string[] = []
    for (const title of ['One', 'Two', 'Three']) {
      const { modifiedAt } = await read(admin, kind, id, 'modifiedAt')
      versions.push(String(modifiedAt))
      const { errors } = await write(admin, 'update', kind, { id, [name]: title, ifUnmodifiedSince: modifiedAt })
      expect(errors).toEqual([])
    }
    expect(new Set(versions).size).toBe(3)
    const { errors } = await write(admin, 'update', kind, { id, [name]: 'Late', ifUnmodifiedSince: versions[2] })
    expect(errors).toEqual(['CONFLICT'])
  },
)

test.each(['category', 'tag'] as const)('a merge modifies the kept %s', async (kind) => {
  const [kept, merged] = [
    await written(admin, 'create', kind, { name: 'Kept' }),
    await written(admin, 'create', kind, { name: 'Merged' }),
  ]
  const before = await read(admin, kind, kept, 'modifiedAt')
  const mutation = { category: 'mergeCategories', tag: 'mergeTags' }[kind]
  await admin.graphql(
    `mutation { ${mutation}(input: { id: "${kept}", mergedIds: ["${merged}"] }) { userErrors { code } } }`,
  )
  expect(await read(admin, kind, kept, 'modifiedAt')).not.toEqual(before)
})
