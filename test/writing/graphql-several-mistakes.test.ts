// Any combination of independent mistakes in an input is reported at once, for each mutation.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import '../helpers/properties.ts'
import { runs } from '../helpers/runs.ts'
import { allRows, capital, type Kind, party } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let author: Awaited<ReturnType<TestApp['signIn']>>
let ids: Readonly<Record<Kind, number>>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  author = await app.signIn('author')
  const { db } = app
  ids = {
    event: await makeEvent(db, 'Choir'),
    venue: await makeVenue(db, 'Hall'),
    organizer: await makeOrganizer(db, 'Club'),
    category: await makeCategory(db, 'Music'),
    tag: await makeTag(db, 'free'),
  }
  await makeCategory(db, 'Taken')
  await makeTag(db, 'Taken')
})
afterAll(() => app?.close())

const none = 2_000_000_000
const nul = 'a\0b'
const long = 'x'.repeat(100_001)

/** A part of an input that is wrong, and the paths of its errors, with the code unless it is BAD_INPUT. */
type Mistake = readonly [part: Readonly<Record<string, unknown>>, ...paths: string[]]

const textMistakes: readonly Mistake[] = [
  [{ description: long }, 'description'],
  [{ slug: nul }, 'slug'],
  [
    {
      translations: [
        { language: 'FR', name: ' ' },
        { language: 'FR', name: '' },
        { language: 'ES', description: long },
        { language: 'EN', name: null, description: nul },
      ],
    },
    ...['translations.0.name', 'translations.1.language', 'translations.1.name'],
    ...['translations.2.description', 'translations.3.name', 'translations.3.description'],
  ],
]
const postMistakes: readonly Mistake[] = [
  ...textMistakes,
  [{ excerpt: nul }, 'excerpt'],
  [{ website: 'foo' }, 'website'],
  [{ authorId: none }, 'authorId'],
  [{ imageId: none }, 'imageId'],
]
const venueMistakes: readonly Mistake[] = [
  ...postMistakes,
  [{ name: ' ' }, 'name'],
  [{ address: 'x'.repeat(2001) }, 'address'],
  [{ coordinates: { latitude: 91, longitude: -181 } }, 'coordinates.latitude', 'coordinates.longitude'],
]
const eventMistakes: readonly Mistake[] = [
  ...postMistakes,
  [{ title: '' }, 'title'],
  [{ parentId: none }, 'parentId'],
  [{ onlineUrl: 'javascript:alert(1)' }, 'onlineUrl'],
  [{ timeZone: 'Mars/Base' }, 'timeZone'],
  [
    {
      venues: [
        { id: none },
        { id: btoa('Tag:1') },
        { create: { name: 'Fine' } },
        { create: { name: ' ', website: 'foo', description: nul } },
      ],
    },
    ...['venues.0.id', 'venues.1.id', 'venues.3.create.name', 'venues.3.create.website'],
    'venues.3.create.description',
  ],
  [
    { organizers: [{ create: { name: nul, authorId: none, email: 'nobody' } }] },
    'organizers.0.create.name',
    'organizers.0.create.authorId',
    'organizers.0.create.email',
  ],
  [{ categories: [{ nameOrSlug: 'new' }, { nameOrSlug: ' ' }] }, 'categories.1.nameOrSlug'],
  [{ tags: Array.from({ length: 201 }, () => ({ nameOrSlug: 'new' })) }, 'tags'],
  [
    {
      tickets: [
        { name: nul, price: '1', currency: 'EUR' },
        { name: 'B', price: '-1', currency: 'euro', capacity: -1 },
      ],
    },
    ...['tickets.0.name', 'tickets.1.price', 'tickets.1.currency', 'tickets.1.capacity'],
  ],
  [
    { customFields: [{ key: 'a', label: 'A', value: { deep: [nul, 1, { [nul]: 1 }] } }] },
    'customFields.0.value.deep.0',
    'customFields.0.value.deep.2',
  ],
  [{ cost: [nul, '5'] }, 'cost.0'],
]
const mistakes: Readonly<Record<Kind, readonly Mistake[]>> = {
  event: eventMistakes,
  venue: venueMistakes,
  organizer: [
    ...venueMistakes.filter(([part]) => !('coordinates' in part || 'address' in part)),
    [{ email: 'nobody' }, 'email'],
  ],
  category: [...textMistakes, [{ parentId: none }, 'parentId']],
  tag: textMistakes,
}

async function errorsOf(mutation: string, input: object, client = admin): Promise<string[]> {
  const query = `mutation ($input: ${capital(mutation)}Input!) { result: ${mutation}(input: $input) { userErrors { code path message } } }`
  const { body } = await client.graphql(query, { input })
  expect(body.errors).toBeUndefined()
  return body.data.result.userErrors.map(
    ({ code, path, message }: { code: string; path: string[]; message: string }) => {
      expect(message).toMatch(/\.$/)
      return code === 'BAD_INPUT' ? path.join('.') : `${code} ${path.join('.')}`
    },
  )
}

/** Sends random combinations of the mistakes. */
async function expectAll(mutation: string, right: object, wrong: readonly Mistake[], client = admin): Promise<void> {
  const before = await allRows(app)
  await fc.assert(
    fc.asyncProperty(fc.subarray([...wrong], { minLength: 1 }), async (chosen) => {
      const input = Object.assign({ ...right }, ...chosen.map(([part]) => part))
      const expected = chosen.flatMap(([, ...paths]) => paths)
      expect((await errorsOf(mutation, input, client)).toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: runs(24), examples: [[[...wrong]]] },
  )
  expect(await allRows(app)).toEqual(before)
}

describe('all mistakes are reported and nothing is written:', () => {
  test.each(['event', 'venue', 'organizer', 'category', 'tag'] as const)('a new %s', async (kind) => {
    const right = kind === 'event' ? party : { name: 'New' }
    await expectAll(`create${capital(kind)}`, right, mistakes[kind])
  })

  test.each(['event', 'venue', 'organizer', 'category', 'tag'] as const)('a changed %s', async (kind) => {
    await expectAll(`update${capital(kind)}`, { id: ids[kind] }, mistakes[kind])
  })

  test.each(['category', 'tag'] as const)('a %s whose name is taken', async (kind) => {
    const taken: Mistake = [{ name: 'taken' }, 'TERM_EXISTS name']
    const others = mistakes[kind].filter(([part]) => !('parentId' in part || 'slug' in part))
    await expectAll(`create${capital(kind)}`, { name: 'New' }, [taken, ...others])
    const takenSlug: Mistake = [{ slug: 'taken' }, 'slug']
    await expectAll(`update${capital(kind)}`, { id: ids[kind] }, [
      takenSlug,
      ...mistakes[kind].filter(([part]) => !('slug' in part)),
    ])
  })

  test('values that the user may not set', async () => {
    const wrong: readonly Mistake[] = [
      [{ authorId: admin.id }, 'FORBIDDEN authorId'],
      [{ title: ' ' }, 'title'],
      [{ website: 'foo' }, 'website'],
      [{ venues: [{ create: { name: 'A', authorId: admin.id } }] }, 'FORBIDDEN venues.0.create.authorId'],
    ]
    await expectAll('createEvent', party, wrong, author)
  })

  const accountMistakes = (): readonly Mistake[] => [
    [{ login: admin.login }, 'CONFLICT login'],
    [{ name: ' ' }, 'name'],
    [{ email: 'nobody' }, 'email'],
  ]

  test('a new user', async () => {
    await expectAll('createUser', { login: 'new', name: 'New', role: 'AUTHOR' }, accountMistakes())
  })

  test('a changed user', async () => {
    const [, ...others] = accountMistakes()
    const wrong: readonly Mistake[] = [
      [{ login: author.login }, 'CONFLICT login'],
      [{ role: 'EDITOR' }, 'CONFLICT role'],
      ...others,
    ]
    await expectAll('updateUser', { id: admin.id }, wrong)
  })

  test('the deletion of the last administrator without another author', async () => {
    await makeEvent(app.db, 'Of the administrator', { authorId: admin.id })
    expect(await errorsOf('deleteUser', { id: admin.id })).toEqual(['CONFLICT id', 'contentTo'])
    expect(await errorsOf('deleteUser', { id: admin.id, contentTo: none })).toEqual(['CONFLICT id', 'contentTo'])
  })

  test('new credentials', async () => {
    const wrong: readonly Mistake[] = [
      [{ name: ' ' }, 'name'],
      [{ userId: none }, 'userId'],
    ]
    await expectAll('createApplicationPassword', { name: 'App' }, wrong)
    await expectAll('createApiToken', { name: 'App' }, [...wrong, [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt']])
    const ofAnother: readonly Mistake[] = [
      [{ name: ' ' }, 'name'],
      [{ userId: admin.id }, 'FORBIDDEN userId'],
    ]
    await expectAll('createApiToken', { name: 'App' }, ofAnother, author)
  })
})

test.each([
  [{ startsAt: '2026-12-24T20:00:00Z', endsAt: '2026-12-24T19:00:00Z' }, 'endsAt'],
  [{ startsAt: '2026-12-24T20:00:00Z', endsLocal: '2026-12-24T19:00:00' }, 'endsLocal'],
  [{ startsAt: '2026-12-24T20:00:00Z' }, 'endsLocal'],
])('the path of a wrong date is the field of the input: %j', async (input, path) => {
  expect(await errorsOf('createEvent', { title: 'Party', ...input })).toEqual([path])
})

test('after 50 values that are too large, the others are not read', async () => {
  const tags = Array.from({ length: 60 }, () => ({ nameOrSlug: nul }))
  const mutation = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code path } } }'
  const { body } = await author.graphql(mutation, { input: { ...party, tags, website: 'foo' } })
  const expected = tags
    .slice(0, 50)
    .map((_, index) => ({ code: 'BAD_INPUT', path: ['tags', `${index}`, 'nameOrSlug'] }))
  expect(body).toEqual({ data: { createEvent: { userErrors: expected } } })
})

test('the name of a term that is created with an event is limited like that of any term', async () => {
  const mutation = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { message path } } }'
  const nameOrSlug = 'x'.repeat(2001)
  const { body } = await author.graphql(mutation, { input: { ...party, tags: [{ nameOrSlug }] } })
  const { body: ofTag } = await admin.graphql(
    'mutation ($name: String!) { createTag(input: { name: $name }) { userErrors { message path } } }',
    { name: nameOrSlug },
  )
  const [expected] = ofTag.data.createTag.userErrors
  const [error] = body.data.createEvent.userErrors
  expect(error?.message.replace('nameOrSlug', 'name')).toBe(expected?.message)
})
