// Which fields of users each role may read, and which mutations it may send.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type Reply, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeVenue } from '../helpers/make.ts'
import { makeUser } from '../helpers/users.ts'
import { codeOf, createPassword, createToken, createUser, deleteUser, updateUser } from './operations.ts'

let app: TestApp
type Member = Awaited<ReturnType<TestApp['signIn']>>
let admin: Member
let editor: Member

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
  editor = await app.signIn('editor')
})

describe('permissions by role', () => {
  const anybody = { login: 'new', name: 'New', role: 'AUTHOR' }
  const sends: Readonly<Record<string, (member: { id: number }, other: { id: number }) => [string, object]>> = {
    users: () => ['{ users { totalCount nodes { login } } }', {}],
    usersPage: () => ['{ usersPage { total items { login } } }', {}],
    'another user': (_, { id }) => ['query ($id: ID!) { user(id: $id) { login } }', { id }],
    createUser: () => [createUser, { input: anybody }],
    updateUser: ({ id }) => [updateUser, { input: { id, name: 'Me' } }],
    deleteUser: (_, { id }) => [deleteUser, { input: { id } }],
    'a password for another': (_, { id }) => [createPassword, { input: { name: 'x', userId: id } }],
    'a token for another': (_, { id }) => [createToken, { input: { name: 'x', userId: id } }],
    themselves: ({ id }) => ['query ($id: ID!) { user(id: $id) { login } }', { id }],
    'an own password': () => [createPassword, { input: { name: 'x' } }],
    'an own token': ({ id }) => [createToken, { input: { name: 'x', userId: id } }],
  }
  const own = new Set(['themselves', 'an own password', 'an own token'])
  const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const
  const matrix = roles.flatMap((role) => Object.keys(sends).map((ask) => [role, ask] as const))

  test.each(matrix)('%s: %s', async (role, ask) => {
    const member = await app.signIn(role)
    const [query, variables] = sends[ask]?.(member, await makeUser(app.db, 'author')) ?? ['', {}]
    const allowed = role === 'administrator' || own.has(ask)
    expect(codeOf(await member.graphql(query, { ...variables }))).toBe(allowed ? undefined : 'FORBIDDEN')
  })
  test.each(Object.keys(sends).filter((ask) => ask !== 'themselves'))('a visitor: %s', async (ask) => {
    const [query, variables] = sends[ask]?.(editor, admin) ?? ['', {}]
    const reply = await app.graphql(query, { ...variables })
    expect(codeOf(reply)).toBe('UNAUTHENTICATED')
    expect(reply.status).toBe(200)
    expect(await app.db.user.count()).toBe(2)
    expect(await app.db.credential.count()).toBe(2)
  })
})

describe('fields of a user', () => {
  const fields = 'databaseId name login email role createdAt credentials { name kind }'
  const author = `query ($id: ID) { venue(id: $id) { author { ${fields} } } }`
  let id: number
  beforeEach(async () => {
    id = await makeVenue(app.db, 'Hall', { authorId: editor.id })
  })
  test('only the name, for visitors and other users', async () => {
    const hidden = { login: null, email: null, role: null, createdAt: null, credentials: null }
    const shown = { venue: { author: { databaseId: editor.id, name: 'The editor', ...hidden } } }
    expect((await app.graphql(author, { id })).body.data).toEqual(shown)
    expect((await (await app.signIn('editor')).graphql(author, { id })).body.data).toEqual(shown)
  })
  test('all fields, for the user themselves and administrators', async () => {
    const shown = { login: editor.login, role: 'EDITOR', credentials: [{ name: 'test', kind: 'API_TOKEN' }] }
    expect((await editor.graphql(author, { id })).body.data.venue.author).toMatchObject(shown)
    expect((await admin.graphql(author, { id })).body.data.venue.author).toMatchObject(shown)
  })
  test('viewer returns the signed-in user and their rights', async () => {
    const query = '{ viewer { databaseId login name email role rights credentials { name lastUsedAt } } }'
    expect((await app.graphql(query)).body.data).toEqual({ viewer: null })
    const { viewer } = (await editor.graphql(query)).body.data
    expect(viewer).toMatchObject({ databaseId: editor.id, login: editor.login, email: null, role: 'EDITOR' })
    expect(viewer.rights).toContain('EDIT_OTHERS')
    expect(viewer.rights).not.toContain('MANAGE_USERS')
    expect(viewer.credentials).toHaveLength(1)
    expect((await admin.graphql(query)).body.data.viewer.rights).toContain('MANAGE_USERS')
  })
})

describe('lists of users', () => {
  beforeEach(async () => {
    await makeUser(app.db, 'author', { login: 'ada', name: 'Ada Lovelace', email: 'ada@example.org' })
    await makeUser(app.db, 'author', { login: 'a_b', name: '100%' })
    await makeUser(app.db, 'subscriber', { login: 'axb', name: 'Grace' })
  })
  const logins = async (filter: string) =>
    (await admin.graphql(`{ usersPage(filter: { ${filter} }) { items { login } } }`)).body.data.usersPage.items.map(
      ({ login }: { login: string }) => login,
    )
  test.each([
    ['role: AUTHOR', ['ada', 'a_b']],
    ['search: "LOVE"', ['ada']],
    ['search: "example.org"', ['ada']],
    ['search: "a_b"', ['a_b']],
    ['search: "%"', ['a_b']],
    ['search: "\\\\"', []],
    ['search: "ad\\u0000a"', ['ada']],
    ['role: SUBSCRIBER, search: "a"', ['axb']],
  ])('filtered by %s', async (filter, expected) => {
    expect(await logins(filter)).toEqual(expected)
  })
  test('have the same order with cursors and page numbers', async () => {
    const seen: number[] = []
    let after: string | null = null
    for (let n = 0; n < 3; n += 1) {
      const query =
        'query ($after: String) { users(first: 2, after: $after) { totalCount pageInfo { endCursor } nodes { databaseId } } }'
      const { users }: Reply['body'] = (await admin.graphql(query, { after })).body.data
      expect(users.totalCount).toBe(5)
      seen.push(...users.nodes.map(({ databaseId }: { databaseId: number }) => databaseId))
      after = users.pageInfo.endCursor
    }
    const { usersPage } = (await admin.graphql('{ usersPage { items { databaseId } } }')).body.data
    expect(seen).toEqual(usersPage.items.map(({ databaseId }: { databaseId: number }) => databaseId))
  })
})
