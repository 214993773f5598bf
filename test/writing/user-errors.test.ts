// What each kind of user error says, so that a client can act on it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import { capital, party } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let author: Awaited<ReturnType<TestApp['signIn']>>
let ids: Readonly<Record<'event' | 'trashed' | 'venue' | 'category' | 'tag' | 'taken' | 'admin', number>>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  author = await app.signIn('author')
  ids = {
    event: await makeEvent(app.db, 'Choir', { modifiedAt: new Date('2026-11-20T10:00:00.123Z') }),
    trashed: await makeEvent(app.db, 'Gone', { status: 'trash', trashedFrom: 'publish' }),
    venue: await makeVenue(app.db, 'Hall'),
    category: await makeCategory(app.db, 'Music'),
    tag: await makeTag(app.db, 'free'),
    taken: await makeCategory(app.db, 'Taken'),
    admin: admin.id,
  }
})
afterAll(() => app?.close())

const nothing = { path: [], modifiedAt: null, existingId: null, databaseId: null }

/** The user errors of a mutation, without their messages, which must be sentences. */
async function userErrorsOf(mutation: string, input: object, client: Pick<TestApp, 'graphql'> = admin) {
  const inputType = /^(trash|restore|delete)Event$/.test(mutation) ? 'RecordInput' : `${capital(mutation)}Input`
  const query = `mutation ($input: ${inputType}!) {
    result: ${mutation}(input: $input) { userErrors { code message path modifiedAt existingId databaseId } } }`
  const { body } = await client.graphql(query, { input })
  expect(body.errors).toBeUndefined()
  return body.data.result.userErrors.map(({ message, ...error }: { message: string }) => {
    expect(message).toMatch(/^\w.*\.$/)
    return error
  })
}

const cases: readonly [string, string, () => object, object][] = [
  [
    'CONFLICT has the current version of a record that was modified',
    'updateEvent',
    () => ({ id: ids.event, title: 'Other', ifUnmodifiedSince: '2026-11-20T10:00:00Z' }),
    { ...nothing, code: 'CONFLICT', modifiedAt: '2026-11-20T10:00:00.123Z' },
  ],
  [
    'CONFLICT has both IDs of another user with the login',
    'updateUser',
    () => ({ id: author.id, login: admin.login }),
    { ...nothing, code: 'CONFLICT', path: ['login'], existingId: 'User', databaseId: 'admin' },
  ],
  [
    'CONFLICT has the path of a role that the last administrator keeps',
    'updateUser',
    () => ({ id: admin.id, role: 'EDITOR' }),
    { ...nothing, code: 'CONFLICT', path: ['role'] },
  ],
  [
    'BAD_INPUT has both IDs of the term that has the slug',
    'updateCategory',
    () => ({ id: ids.category, slug: 'taken' }),
    { ...nothing, code: 'BAD_INPUT', path: ['slug'], existingId: 'Category', databaseId: 'taken' },
  ],
  [
    'TERM_EXISTS has both IDs of the existing category',
    'createCategory',
    () => ({ name: 'MUSIC' }),
    { ...nothing, code: 'TERM_EXISTS', path: ['name'], existingId: 'Category', databaseId: 'category' },
  ],
  [
    'TERM_EXISTS has both IDs of the existing tag',
    'createTag',
    () => ({ name: 'Free' }),
    { ...nothing, code: 'TERM_EXISTS', path: ['name'], existingId: 'Tag', databaseId: 'tag' },
  ],
  [
    'NOT_FOUND has the path of an unknown ID',
    'updateEvent',
    () => ({ id: 2_000_000_000 }),
    { ...nothing, code: 'NOT_FOUND', path: ['id'] },
  ],
  [
    'NOT_FOUND has the path of an unknown slug',
    'trashEvent',
    () => ({ currentSlug: 'nowhere' }),
    { ...nothing, code: 'NOT_FOUND', path: ['currentSlug'] },
  ],
  [
    'WRONG_KIND has the path of the ID',
    'updateEvent',
    () => ({ id: ids.venue }),
    { ...nothing, code: 'WRONG_KIND', path: ['id'] },
  ],
  ['TRASHED has no path', 'trashEvent', () => ({ id: ids.trashed }), { ...nothing, code: 'TRASHED' }],
  [
    'BAD_INPUT has the path of the value',
    'createEvent',
    () => ({ ...party, venues: [{ create: { name: 'A' } }, { create: { name: 'B', website: 'x' } }] }),
    { ...nothing, code: 'BAD_INPUT', path: ['venues', '1', 'create', 'website'] },
  ],
]

test.each(cases)('%s', async (_, mutation, input, expected) => {
  const { existingId, databaseId, ...error } = expected as typeof nothing & {
    existingId: string | null
    databaseId: 'tag' | null
  }
  const existing = databaseId === null ? null : ids[databaseId]
  expect(await userErrorsOf(mutation, input())).toEqual([
    { ...error, existingId: existingId === null ? null : btoa(`${existingId}:${existing}`), databaseId: existing },
  ])
})

test('FORBIDDEN and UNAUTHENTICATED have no path if the whole mutation is not allowed', async () => {
  const subscriber = await app.signIn('subscriber')
  expect(await userErrorsOf('createEvent', party, subscriber)).toEqual([{ ...nothing, code: 'FORBIDDEN' }])
  expect(await userErrorsOf('createEvent', party, app)).toEqual([{ ...nothing, code: 'UNAUTHENTICATED' }])
})

test('FORBIDDEN has the path of the value if another value would be allowed', async () => {
  const input = { ...party, authorId: admin.id }
  expect(await userErrorsOf('createEvent', input, author)).toEqual([
    { ...nothing, code: 'FORBIDDEN', path: ['authorId'] },
  ])
})

test('every code of the enum is one that a mutation returns', async () => {
  const { body } = await app.graphql('{ __type(name: "UserErrorCode") { enumValues { name } } }')
  const returned = cases.map(([, , , expected]) => (expected as { code: string }).code)
  const names = body.data.__type.enumValues.map(({ name }: { name: string }) => name)
  expect(names.toSorted()).toEqual([...new Set([...returned, 'FORBIDDEN', 'UNAUTHENTICATED'])].toSorted())
})
