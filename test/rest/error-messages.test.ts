// Errors of the REST API name its own parameters and values, although the rules are those of GraphQL.
import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRestRoutes } from '../../src/apis/rest/routes.ts'
import { settingKeys } from '../../src/basics/env.ts'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { type ApiClient, type Method, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
const clients: Partial<Record<Role, ApiClient>> = {}
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  ids.venue = await makeVenue(db, 'Hall')
  ids.organizer = await makeOrganizer(db, 'Club')
  ids.parent = await makeCategory(db, 'Music')
  ids.category = await makeCategory(db, 'Jazz', ids.parent)
  ids.tag = await makeTag(db, 'free')
  ids.event = await makeEvent(db, 'Choir')
  ids.draft = await makeEvent(db, 'Plan', { status: 'draft' })
  await db.$executeRaw`INSERT INTO venue (status, published_at, modified_at, original_language, latitude, longitude)
    SELECT 'publish', '2026-01-01', '2026-01-01', 'en', 1, 1 FROM generate_series(1, 30001)`
  ids.trashed = await makeEvent(db, 'Gone', { status: 'trash' })
  for (const role of ['administrator', 'author', 'contributor', 'subscriber'] as const)
    clients[role] = await app.signIn(role)
})
afterAll(() => app?.close())

const routes = createRestRoutes({ languages: ['en', 'fr', 'es'], legacyAddresses: false })
const restNames = new Set(routes.flatMap(({ params }) => Object.keys(params)))

/** Fields, arguments and enum values of the schema that cannot be words of a sentence: `startsLocal`, `PUBLISHED`. */
function graphqlNames(): ReadonlySet<string> {
  const types = Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap())
  const names = types.flatMap((type) => {
    if (isEnumType(type)) return type.getValues().map(({ name }) => name)
    if (isInputObjectType(type)) return Object.keys(type.getFields())
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    return Object.values(type.getFields()).flatMap(({ name, args }) => [name, ...args.map((arg) => arg.name)])
  })
  const settings = new Set(settingKeys.map(({ name }) => name))
  return new Set(names.filter((name) => /[A-Z]/.test(name) && !restNames.has(name) && !settings.has(name)))
}

const onlyGraphql = graphqlNames()

const long = 'x'.repeat(801)
const control = '\u0001'
const dates = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }
const event = (more: object) => ['POST', '/events', { title: 'A', ...dates, ...more }] as const

/** A request, and the messages of its invalid parameters, or the message of the error. */
type Case = readonly [
  who: Role | 'visitor',
  method: Method | 'GET',
  path: string,
  body: object | undefined,
  expected: object | string,
]

const noWrite = 'Without the right to write, only published records can be listed.'
const empty = 'must not be empty.'
const tooLong = 'can have at most 800 characters.'
const outside = 'The date must be within the years 1 to 9999, both in UTC-5 and in UTC.'
const noUser = 'There is no user with this ID.'
const noImage = 'There is no image with this ID, or you may not use it.'
const words = Array.from({ length: 31 }, (_, index) => `word${index}`)

const cases: readonly Case[] = [
  ['visitor', 'GET', '/events?status=draft', undefined, { status: noWrite }],
  ['visitor', 'GET', '/venues?status=publish,draft', undefined, { status: noWrite }],
  [
    'visitor',
    'GET',
    '/events?categories=-5&tags=nothing&venue=900099&organizer=900098&post_parent=900097',
    undefined,
    {
      categories: 'Unknown: -5.',
      tags: 'Unknown: nothing.',
      venue: 'Unknown: 900099.',
      organizer: 'Unknown: 900098.',
      post_parent: 'Unknown: 900097.',
    },
  ],
  [
    'visitor',
    'GET',
    '/categories?include=-5&event=900099&parent=900098',
    undefined,
    { include: 'Unknown: -5.', event: 'Unknown: 900099.', parent: 'Unknown: 900098.' },
  ],
  [
    'visitor',
    'GET',
    '/tags?exclude=RXZlbnQ6MQ==&post=900099',
    undefined,
    { exclude: 'This is the ID of an event. Send the ID of a tag.', post: 'Unknown: 900099.' },
  ],
  ['visitor', 'GET', '/organizers?event=900099', undefined, { event: 'Unknown: 900099.' }],
  [
    'visitor',
    'GET',
    `/events?search=${words.join('+')}`,
    undefined,
    { search: 'search can have at most 30 words; it has 31.' },
  ],
  [
    'visitor',
    'GET',
    '/events?geoloc_lat=1&geoloc_lng=1&geoloc_radius=9',
    undefined,
    { geoloc_radius: 'More than 30000 venues are within the radius. Use a smaller radius.' },
  ],
  ['visitor', 'GET', '/events/{draft}', undefined, 'This event is not public.'],
  ['visitor', 'GET', '/events/{venue}', undefined, 'This is the ID of a venue. Send the ID of an event.'],
  ['visitor', 'GET', '/venues/{event}', undefined, { id: 'This is the ID of an event. Send the ID of a venue.' }],
  ['visitor', 'GET', '/venues/by-slug/nowhere', undefined, { slug: 'There is no venue with this slug.' }],
  ['visitor', 'GET', '/categories/999', undefined, { id: 'There is no category with this id.' }],
  ['visitor', ...event({}), 'Sign in to make changes.'],
  ['subscriber', ...event({}), 'Your role does not allow this.'],
  ['author', ...event({ author: 1 }), 'Setting another author requires the right to edit records of others.'],
  ['author', 'POST', '/events/{event}', { title: 'B' }, 'You may not update this record.'],
  [
    'contributor',
    ...event({ image: 'https://example.org/a.png' }),
    { image: 'Adding images requires the right to upload files. Send the ID of an existing image instead.' },
  ],
  ['administrator', ...event({ title: control }), { title: `title ${empty}` }],
  ['administrator', ...event({ title: long }), { title: `title ${tooLong}` }],
  [
    'administrator',
    ...event({ venue: { venue: control }, organizer: { organizer: long } }),
    { venue: `venue of venue 1 ${empty}`, organizer: `organizer of organizer 1 ${tooLong}` },
  ],
  ['administrator', ...event({ venue: { venue: 'B', author: 900099 } }), { venue: `author of venue 1: ${noUser}` }],
  ['administrator', ...event({ venue: [900099, '900098'] }), { venue: 'Unknown: 900099. Unknown: 900098.' }],
  ['administrator', ...event({ author: 900099, image: 900098 }), { author: noUser, image: noImage }],
  [
    'administrator',
    ...event({ image: 'http://127.0.0.1/a.png' }),
    { image: 'The image must be on a server with a public address. Upload the file instead.' },
  ],
  [
    'administrator',
    ...event({ start_date: '9999-12-31 23:00', end_date: '9999-12-31 23:30', timezone: 'UTC-5' }),
    { start_date: outside, end_date: outside },
  ],
  [
    'administrator',
    'POST',
    '/events/{event}',
    { end_date: '1999-01-01' },
    { end_date: 'The end must not be before the start.' },
  ],
  ['administrator', 'POST', '/events/{trashed}', { title: 'B' }, 'This event is in the trash.'],
  ['administrator', 'POST', '/events/by-slug/nowhere', { title: 'B' }, { slug: 'There is no event with this slug.' }],
  ['administrator', 'POST', '/venues', { venue: control, author: 900099 }, { venue: `venue ${empty}`, author: noUser }],
  ['administrator', 'POST', '/venues', { venue: long, image: 900099 }, { venue: `venue ${tooLong}`, image: noImage }],
  ['administrator', 'POST', '/organizers', { organizer: control }, { organizer: `organizer ${empty}` }],
  ['administrator', 'POST', '/categories', { name: 'Music' }, 'A category with this name already exists.'],
  [
    'administrator',
    'POST',
    '/categories',
    { name: long, parent: 900099 },
    { name: `name ${tooLong}`, parent: 'There is no category with this ID or slug.' },
  ],
  [
    'administrator',
    'POST',
    '/categories/{parent}',
    { parent: '{category}' },
    { parent: 'A category cannot be its own parent, nor below itself.' },
  ],
  ['administrator', 'POST', '/categories/{category}', { slug: 'music' }, 'Another category has this slug.'],
  ['administrator', 'DELETE', '/tags/999', undefined, { id: 'There is no tag with this id.' }],
]

const numbered = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(ids[name] ?? whole))

test.each<Case>(cases)('%s: %s %s %j', async (...[who, method, path, body, expected]) => {
  const client = who === 'visitor' ? app : clients[who]
  const url = `/cal/events/v1${numbered(path)}`
  const payload = body && JSON.parse(numbered(JSON.stringify(body)))
  const reply = await (method === 'GET' ? client?.get(url) : client?.send(method, url, payload))
  const { message, data } = reply?.body ?? {}
  expect(typeof expected === 'string' ? message : data?.params).toEqual(expected)
  for (const name of Object.keys(data.params ?? {})) expect(restNames).toContain(name)
  const found = [message, ...Object.values<string>(data.params ?? {})].flatMap((text) => text.match(/\w+/g) ?? [])
  expect(found.filter((word) => onlyGraphql.has(word))).toEqual([])
})

test('names of GraphQL are recognized', () => {
  for (const name of ['startsLocal', 'databaseId', 'imageId', 'timeZone', 'UPLOAD', 'EDIT_OTHERS'])
    expect(onlyGraphql).toContain(name)
})
