// The values that each field accepts, in JSON and forms (contract b.3, b.4, h.1, h.7, QUIRK-3, QUIRK-14, QUIRK-32).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import {
  encodings,
  errorOf,
  form,
  invalid,
  type Kind,
  kinds,
  nameField,
  newRecord,
  ns,
  numbered,
  terms,
} from '../helpers/rest.ts'

let app: TestApp
let createdRecords = 0
let admin: Awaited<ReturnType<TestApp['signIn']>>
const ids = {} as Record<Kind | 'images', number>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  ids.events = await makeEvent(app.db, 'Choir')
  ids.venues = await makeVenue(app.db, 'Hall')
  ids.organizers = await makeOrganizer(app.db, 'Club')
  ids.images = await makeImage(app.db)
  ids.categories = await makeCategory(app.db, 'Music')
  ids.tags = await makeTag(app.db, 'free')
})
afterAll(() => app.close())

const edit = (kind: Kind, fields: object | string) => admin.send('PUT', `${ns}/${kind}/${ids[kind]}`, fields)

const nonEmpty = ['', '0', [], ['x'], { a: 1 }]
const flags = ['', 'yes', 'on', '2', 2, [], {}]
const dates = ['', 'foo', '"2018-01-01"', '2018-13-01', '2018-01-01 25:00', [], {}]
const urls = [
  'foo',
  'example.com',
  '//x',
  'http://x y',
  'http://',
  'javascript:alert(1)',
  'javascript://x/%0aalert(1)',
  ['x'],
]
const authors = ['', 0, -1, 'x', 1.5, 999_999, '99999999999']
const images = ['x', 999_999, -1, [77], {}]
const statuses = ['', 'any', 'published', 'auto-draft', 'inherit', 'Publish', []]
const line = [['x'], { a: 1 }, 'a\0b']

const invalidValues: readonly [Kind, string, readonly unknown[]][] = [
  ['events', 'title', [...nonEmpty, ' ', '<b> </b>', '&nbsp;', 'a\0b']],
  ['events', 'description', [...nonEmpty, 'a\0b']],
  ['events', 'excerpt', nonEmpty],
  ['events', 'slug', nonEmpty],
  ['events', 'author', authors],
  ['events', 'date', dates],
  ['events', 'date_utc', dates],
  ['events', 'start_date', dates],
  ['events', 'end_date', dates],
  ['events', 'status', statuses],
  ['events', 'timezone', ['foo', 'UTC+15', 'UTC+x', 'UTC+1:5', 'Mars/Base', []]],
  ['events', 'image', images],
  ['events', 'cost', [[['1']], { a: 1 }, [{ a: 1 }], 'a\0b']],
  ['events', 'website', urls],
  ...['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'].map(
    (flag): [Kind, string, unknown[]] => ['events', flag, flags],
  ),
  ['venues', 'show_map', [['1'], { a: 1 }]],
  ['venues', 'show_map_link', [['1'], { a: 1 }]],
  ['events', 'categories', [[{ id: 1 }], [['x']], { a: 1 }]],
  ['events', 'tags', [[{ id: 1 }], [['x']], { a: 1 }]],
  ['events', 'venue', ['name', 999_999, [999_999], { id: 999_999 }, { city: 'X' }, { venue: '' }, [1, 'x'], -1]],
  ['events', 'organizer', ['name', 999_999, '1,x', { id: 0 }, { phone: '1' }, { organizer: 'X', website: 'foo' }]],
  ['venues', 'venue', [...nonEmpty, ' ', '<i></i>']],
  ['venues', 'description', line],
  ['venues', 'author', authors],
  ['venues', 'date', dates],
  ['venues', 'date_utc', dates],
  ['venues', 'status', statuses],
  ['venues', 'website', urls],
  ['venues', 'image', images],
  ...['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'].map(
    (name): [Kind, string, unknown[]] => ['venues', name, line],
  ),
  ['organizers', 'organizer', [...nonEmpty, ' ']],
  ['organizers', 'author', authors],
  ['organizers', 'date', dates],
  ['organizers', 'status', statuses],
  ['organizers', 'website', urls],
  ['organizers', 'image', images],
  ...['description', 'phone', 'email'].map((name): [Kind, string, unknown[]] => ['organizers', name, line]),
  ...terms.flatMap((kind): [Kind, string, unknown[]][] => [
    [kind, 'name', [...nonEmpty, ' ']],
    [kind, 'description', nonEmpty],
    [kind, 'slug', nonEmpty],
  ]),
  ['categories', 'parent', ['', 'x', 999_999, 2_147_483_648, -1, 1.5]],
]

const create = (kind: Kind, encode: (fields: object) => object | string, name: string, fields: object) =>
  admin.send('POST', `${ns}/${kind}`, encode({ ...newRecord(kind, name), ...fields }))

/** Forms cannot contain empty lists and objects. */
const isForForms = (value: unknown) => form({ value }) !== '' && !(Array.isArray(value) && typeof value[0] === 'object')

/**
 * The encodings and methods for a value with this number: one of each, so that a field with four values is sent in each encoding
 * by each method. `npm run test:full` sends every combination.
 */
function waysOf(number: number, value: unknown) {
  const possible = encodings.filter(([name]) => name === 'JSON' || isForForms(value))
  const all = possible.flatMap(([name, encode]) =>
    (['create', 'edit'] as const).map((method) => ({ name: `${method} by ${name}`, method, encode })),
  )
  return process.env.PROPERTY_RUNS === 'all' ? all : all.slice(number % all.length).slice(0, 1)
}

it.each(numbered(invalidValues))('%s: %s refuses values of other kinds', async (kind, field, values, fieldNumber) => {
  for (const [index, value] of values.entries()) {
    for (const { name, method, encode } of waysOf(fieldNumber + index, value)) {
      const sent =
        method === 'edit' ? edit(kind, encode({ [field]: value })) : create(kind, encode, 'New', { [field]: value })
      expect(errorOf(await sent), `${name}: ${JSON.stringify(value)}`).toEqual(invalid(field))
    }
  }
})

const taken: readonly [Kind, string, unknown, unknown][] = [
  ['events', 'title', 77, '77'],
  ['events', 'description', 12, '<p>12</p>'],
  ['events', 'website', 'mailto:a@b.c', 'mailto:a@b.c'],
  ['events', 'website', 'ftp://x.test', 'ftp://x.test'],
  ['events', 'website', 'http://x.test/?a=1&copy=2', 'http://x.test/?a=1&amp;copy=2'],
  ['events', 'website', 'http://x.test/?a=1&amp;b=2', 'http://x.test/?a=1&amp;b=2'],
  ...(['true', 'TRUE', '1', 1, true] as const).map((yes): [Kind, string, unknown, unknown] => [
    'events',
    'sticky',
    yes,
    true,
  ]),
  ...(['false', 'False', '0', 0, false] as const).map((no): [Kind, string, unknown, unknown] => [
    'events',
    'sticky',
    no,
    false,
  ]),
  ...(['yes', 'ENABLED', 'on', 'y', 1, true] as const).map((yes): [Kind, string, unknown, unknown] => [
    'venues',
    'show_map',
    yes,
    true,
  ]),
  ...(['no', 'off', '', 0, false, 'x'] as const).map((no): [Kind, string, unknown, unknown] => [
    'venues',
    'show_map',
    no,
    false,
  ]),
  ['venues', 'zip', 69001, '69001'],
  ['venues', 'zip', '', undefined],
  ['venues', 'address', '<b>1</b> Main\nStreet', '1 Main Street'],
  ['venues', 'description', 'Old & new', '<p>Old &amp; new</p>'],
  ['venues', 'description', '', undefined],
  ['organizers', 'email', 'not an address', 'not an address'],
  ['organizers', 'email', '', undefined],
  ['organizers', 'website', 'http://x.test', 'http://x.test'],
  ['organizers', 'website', '', undefined],
  ['categories', 'description', 'A <b>word</b>', 'A word'],
  ['tags', 'description', 'A word', 'A word'],
]

it.each(numbered(taken))('%s: %s takes %j', async (kind, field, value, shown, index) => {
  for (const { name, method, encode } of waysOf(index, value)) {
    const { status, body } =
      method === 'edit'
        ? await edit(kind, encode({ [field]: value }))
        : await create(kind, encode, `Taken ${++createdRecords}`, { [field]: value })
    expect([status, body[field]], name).toEqual([method === 'edit' ? 200 : 201, shown])
  }
})

it.each(['', null, false, [], '0'])('text that may be empty is emptied by %j', async (empty) => {
  await edit('venues', { city: 'Lyon' })
  const { status, body } = await edit('venues', { city: empty })
  // Null is the same as absent (QUIRK-3); "0" is stored, but omitted in responses like empty values.
  expect([status, body.city]).toEqual([200, empty === null ? 'Lyon' : undefined])
})

it('an empty website is ignored on create and stored on update', async () => {
  const { body } = await admin.send('POST', `${ns}/events`, { ...newRecord('events', 'Site'), website: '' })
  expect(body.website).toBe(body.url)
  const path = `${ns}/events/${body.id}`
  expect((await admin.send('PUT', path, { website: '' })).body.website).toBe('')
  expect((await admin.send('PUT', path, { title: 'Other' })).body.website).toBe('')
})

it.each(['events', 'venues', 'organizers'] as const)('an image of %s is set by ID and removed', async (kind) => {
  for (const set of [ids.images, String(ids.images)])
    for (const clear of ['', null, 0, '0']) {
      expect((await edit(kind, { image: set })).body.image).toMatchObject({ id: ids.images, width: 1200 })
      const { body } = await edit(kind, { image: clear })
      expect(body.image, JSON.stringify(clear)).toBe(kind === 'events' ? false : undefined)
    }
  expect(errorOf(await edit(kind, { image: ids.events }))).toEqual(invalid('image'))
  const created = await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, 'Pictured'), image: ids.images })
  expect(created.body.image.id).toBe(ids.images)
})

it.each(kinds)('null is as good as absent: %s', async (kind) => {
  const names = [
    'author',
    'date',
    'date_utc',
    'description',
    'slug',
    'excerpt',
    'status',
    'timezone',
    'all_day',
    'cost',
    'website',
  ]
  const more = [
    'start_date',
    'end_date',
    'show_map',
    'sticky',
    'categories',
    'tags',
    'parent',
    'phone',
    'email',
    'state',
  ]
  const nulls = Object.fromEntries([nameField[kind], ...names, ...more].map((name) => [name, null]))
  const before = (await edit(kind, {})).body
  const { status, body } = await edit(kind, nulls)
  expect([status, body]).toEqual([200, before])
  const created = await admin.send('POST', `${ns}/${kind}`, { ...nulls, ...newRecord(kind, 'Nulls') })
  expect(created.status).toBe(201)
})
