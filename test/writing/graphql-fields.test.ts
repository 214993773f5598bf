// Each field of each input is written and read back. Omitted fields stay; emptied fields are removed.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeImage } from '../helpers/make.ts'
import { type Kind, party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const ids = { image: 0, event: 0, author: 0 }

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  const author = await app.signIn('author')
  Object.assign(ids, { image: await makeImage(app.db), event: await makeEvent(app.db, 'Whole'), author: author.id })
})
afterAll(() => app?.close())

interface Row {
  readonly field: string
  readonly value: unknown
  readonly selection: string
  readonly shown: unknown
  /** Values that empty the field, with the value that is read then. A field that cannot be emptied keeps its value. */
  readonly empty: readonly (readonly [input: unknown, shown: unknown])[]
}

const row = (field: string, value: unknown, empty: Row['empty'], selection = field, shown = value): Row => ({
  ...{ field, value, selection, shown, empty },
})
const flag = (field: string) =>
  row(field, true, [
    [false, false],
    [null, true],
  ])
const text = (field: string) =>
  row(field, 'Some text', [
    ['', ''],
    [null, ''],
  ])
const line = (field: string) =>
  row(field, 'Some text', [
    ['', ''],
    [null, 'Some text'],
  ])

const post = (): Row[] => [
  text('description'),
  text('excerpt'),
  row('slug', `slug-${randomUUID()}`, []),
  row('publishedAt', '2026-01-02T03:04:05.000Z', [[null, '2026-01-02T03:04:05.000Z']]),
  row('status', 'PRIVATE', [[null, 'PRIVATE']]),
  row('authorId', ids.author, [[null, { databaseId: ids.author }]], 'author { databaseId }', {
    databaseId: ids.author,
  }),
  row('imageId', ids.image, [[null, null]], 'image { databaseId }', { databaseId: ids.image }),
]

const venueLinks = [{ create: { name: 'B' } }, { create: { name: 'A' } }]
const terms = [{ nameOrSlug: 'B' }, { nameOrSlug: 'A' }]
const named = (...names: string[]) => names.map((name) => ({ name }))
const emptied = (shown: unknown): Row['empty'] => [
  [null, shown],
  [[], []],
]
const ticket = { name: 'Adult', price: '12.5', currency: 'EUR', capacity: 30 }
const sale = { salesStart: '2026-11-01T00:00:00Z', salesEnd: '2026-12-01T00:00:00Z' }
const custom = [{ key: 'level', label: 'Level', value: { deep: ['é', 1, null] } }]

const fields: Readonly<Record<'event' | 'venue' | 'organizer', () => Row[]>> = {
  event: () => [
    ...post(),
    row(
      'cost',
      ['10€', '20€'],
      [
        [[], null],
        [null, ['10', '20']],
      ],
      'cost { values }',
      ['10', '20'],
    ),
    row('website', 'https://example.org/a', [
      ['', ''],
      [null, null],
    ]),
    row('eventStatus', 'CANCELLED', [[null, 'CANCELLED']]),
    row('attendanceMode', 'MIXED', [[null, 'MIXED']]),
    row('onlineUrl', 'https://example.org/room', [
      ['', null],
      [null, null],
    ]),
    row('previousStartsAt', '2026-12-31T22:30:00.000Z', [[null, null]]),
    row('sequence', 12, []),
    ...['showMap', 'showMapLink', 'hideFromListings', 'sticky', 'featured'].map(flag),
    row('parentId', ids.event, [[null, null]], 'parent { databaseId }', { databaseId: ids.event }),
    row('venues', venueLinks, emptied(named('B', 'A')), 'venues { name }', named('B', 'A')),
    row('organizers', venueLinks, emptied(named('B', 'A')), 'organizers { name }', named('B', 'A')),
    row('categories', terms, emptied(named('A', 'B')), 'categories { name }', named('A', 'B')),
    row('tags', terms, emptied(named('A', 'B')), 'tags { name }', named('A', 'B')),
    row(
      'tickets',
      [ticket, { ...ticket, name: 'Child', capacity: null }],
      emptied([
        { name: 'Adult', capacity: 30 },
        { name: 'Child', capacity: null },
      ]),
      'tickets { name capacity }',
      [
        { name: 'Adult', capacity: 30 },
        { name: 'Child', capacity: null },
      ],
    ),
    row('customFields', custom, emptied(custom), 'customFields { key label value }'),
  ],
  venue: () => [
    ...post(),
    ...['address', 'city', 'country', 'province', 'state', 'zip', 'phone'].map(line),
    // If emptied, it is derived from the state or province (contract c.3.1).
    row('stateProvince', 'Somewhere', [
      ['', 'Some text'],
      [null, 'Somewhere'],
    ]),
    row('website', 'https://example.org/a', [
      ['', ''],
      [null, 'https://example.org/a'],
    ]),
    flag('showMap'),
    flag('showMapLink'),
    row('coordinates', { latitude: 45.5, longitude: -4.25 }, [[null, null]], 'latitude', 45.5),
  ],
  organizer: () => [
    ...post(),
    line('phone'),
    row('website', 'https://example.org/a', [
      ['', ''],
      [null, 'https://example.org/a'],
    ]),
    row('email', 'a@example.org', [
      ['', ''],
      [null, 'a@example.org'],
    ]),
  ],
}

const bare = (kind: Kind) => (kind === 'event' ? party : { name: 'Bare' })
/** The value of the first field of a selection; of a cost only `values`. */
const shownBy = (record: Readonly<Record<string, unknown>> | null) => {
  const value = Object.values(record ?? {})[0] as object | null
  return value && Object.hasOwn(value, 'values') ? Object.values(value)[0] : value
}

/** Fields that change together with another: publishing adds a slug, and three fields determine the region. */
const region = ['stateProvince']
const follows: Readonly<Record<string, readonly string[]>> = {
  status: ['slug'],
  state: region,
  province: region,
  country: region,
}

describe.each(['event', 'venue', 'organizer'] as const)('%s', (kind) => {
  test('each field of each create input is stored', async () => {
    for (const { field, value, selection, shown } of fields[kind]()) {
      const { record, errors } = await write(admin, 'create', kind, { ...bare(kind), [field]: value }, selection)
      expect([field, errors, shownBy(record)]).toEqual([field, [], shown])
    }
  })

  test('each field of each update input changes only that field', async () => {
    const rows = fields[kind]()
    const all = ['name title', ...rows.map(({ selection }) => selection)]
      .join(' ')
      .replace(kind === 'event' ? 'name ' : ' title', '')
    const id = await written(admin, 'create', kind, { ...bare(kind), status: 'DRAFT' })
    let before = await read(admin, kind, id, all)
    for (const { field, value, selection, shown, empty } of rows) {
      const own = selection.split(' ')[0] ?? ''
      const change = async (input: unknown) => {
        const { record, errors } = await write(admin, 'update', kind, { id, [field]: input }, all)
        return { record: record ?? {}, found: [field, input, errors, shownBy({ [own]: record?.[own] })] }
      }
      const { record: after, found } = await change(value)
      expect(found).toEqual([field, value, [], shown])
      const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
      expect(
        changed.filter((name) => name !== own && name !== 'sequence' && !(follows[own] ?? []).includes(name)),
      ).toEqual([])
      before = after
      for (const [index, [input, expected]] of empty.entries()) {
        if (index > 0) await change(value)
        const cleared = await change(input)
        expect(cleared.found).toEqual([field, input, [], expected])
        before = cleared.record
      }
    }
    expect(await read(admin, kind, id, all)).toEqual(before)
  })

  test('a password unlocks the record, and can be removed', async () => {
    const id = await written(admin, 'create', kind, { ...bare(kind), description: 'Hidden', password: 'sesame' })
    const opened = (password: string) =>
      app.graphql(`query @inContext(password: "${password}") { result: ${kind}(id: ${id}) { locked description } }`)
    expect(await read(app, kind, id, 'locked description')).toEqual({ locked: true, description: null })
    expect((await opened('sesame')).body.data.result).toEqual({ locked: false, description: 'Hidden' })
    expect((await opened('wrong')).body.data.result).toEqual({ locked: true, description: null })
    await write(admin, 'update', kind, { id, password: null })
    expect(await read(app, kind, id, 'locked description')).toEqual({ locked: false, description: 'Hidden' })
  })

  test('an update without fields sets modifiedAt', async () => {
    const id = await written(admin, 'create', kind, bare(kind))
    const { modifiedAt: before } = await read(admin, kind, id, 'modifiedAt')
    const { record } = await write(admin, 'update', kind, { id }, 'modifiedAt')
    expect(String(record?.modifiedAt) > String(before)).toBe(true)
  })
})

test('tickets keep all their fields', async () => {
  const selection = 'tickets { name price currency capacity salesStart salesEnd }'
  const { record } = await write(admin, 'create', 'event', { ...party, tickets: [{ ...ticket, ...sale }] }, selection)
  const times = { salesStart: '2026-11-01T00:00:00.000Z', salesEnd: '2026-12-01T00:00:00.000Z' }
  expect(record).toEqual({ tickets: [{ ...ticket, price: '12.50', ...times }] })
})

test.each(['category', 'tag'] as const)('%s: description, slug and name', async (kind) => {
  const selection = 'name description slug'
  const input = { name: `A ${kind}`, description: 'One', slug: `the-${kind}` }
  const created = await write(admin, 'create', kind, input, `databaseId ${selection}`)
  expect(created).toMatchObject({ errors: [], record: input })
  const id = created.record?.databaseId
  const change = async (fields: object) => (await write(admin, 'update', kind, { id, ...fields }, selection)).record
  expect(await change({ name: 'Renamed' })).toEqual({ ...input, name: 'Renamed' })
  expect(await change({ description: '' })).toEqual({ ...input, name: 'Renamed', description: '' })
  expect(await change({ slug: `new-${kind}` })).toEqual({ name: 'Renamed', description: '', slug: `new-${kind}` })
})
