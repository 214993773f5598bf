// Users and their credentials as GraphQL shows and changes them, by role.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { secretHash } from '../../src/content/secret.ts'
import { now, openTestApp, type Reply, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { basic, bearer, giveCredential, makeUser } from '../helpers/users.ts'

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

const codeOf = ({ body }: Reply) => body.errors?.[0]?.extensions?.code
const fieldsOf = ({ body }: Reply) => Object.keys(body.errors?.[0]?.extensions?.fields ?? {})

const createUser = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { user { databaseId login name email role } } }`
const updateUser = `mutation ($input: UpdateUserInput!) {
  updateUser(input: $input) { user { databaseId login name email role } } }`
const deleteUser = 'mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { databaseId recordsHandedOver } }'
const createPassword = `mutation ($input: CreateApplicationPasswordInput!) {
  made: createApplicationPassword(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } } }`
const createToken = `mutation ($input: CreateApiTokenInput!) {
  made: createApiToken(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } } }`
const revoke = `mutation ($input: RevokeCredentialInput!) {
  revokeCredential(input: $input) { credential { databaseId revokedAt } } }`

describe('by role', () => {
  const anybody = { login: 'new', name: 'New', role: 'AUTHOR' }
  const asks: Readonly<Record<string, (member: { id: number }, other: { id: number }) => [string, object]>> = {
    users: () => ['{ users { totalCount nodes { login } } }', {}],
    usersPage: () => ['{ usersPage { total items { login } } }', {}],
    'another user': (_, { id }) => ['query ($id: Int!) { user(id: $id) { login } }', { id }],
    createUser: () => [createUser, { input: anybody }],
    updateUser: ({ id }) => [updateUser, { input: { id, name: 'Me' } }],
    deleteUser: (_, { id }) => [deleteUser, { input: { id } }],
    'a password for another': (_, { id }) => [createPassword, { input: { name: 'x', userId: id } }],
    'a token for another': (_, { id }) => [createToken, { input: { name: 'x', userId: id } }],
    themselves: ({ id }) => ['query ($id: Int!) { user(id: $id) { login } }', { id }],
    'an own password': () => [createPassword, { input: { name: 'x' } }],
    'an own token': ({ id }) => [createToken, { input: { name: 'x', userId: id } }],
  }
  const own = new Set(['themselves', 'an own password', 'an own token'])
  const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const
  const matrix = roles.flatMap((role) => Object.keys(asks).map((ask) => [role, ask] as const))

  test.each(matrix)('%s: %s', async (role, ask) => {
    const member = await app.signIn(role)
    const [query, variables] = asks[ask]?.(member, await makeUser(app.db, 'author')) ?? ['', {}]
    const allowed = role === 'administrator' || own.has(ask)
    expect(codeOf(await member.graphql(query, { ...variables }))).toBe(allowed ? undefined : 'FORBIDDEN')
  })
  test.each(Object.keys(asks).filter((ask) => ask !== 'themselves'))('a visitor: %s', async (ask) => {
    const [query, variables] = asks[ask]?.(editor, admin) ?? ['', {}]
    const reply = await app.graphql(query, { ...variables })
    expect(codeOf(reply)).toBe('UNAUTHENTICATED')
    expect(reply.status).toBe(200)
    expect(await app.db.user.count()).toBe(2)
    expect(await app.db.credential.count()).toBe(2)
  })
})

describe('what is seen of a user', () => {
  const fields = 'databaseId name login email role createdAt credentials { name kind }'
  const author = `query ($id: ID) { venue(id: $id) { author { ${fields} } } }`
  let id: number
  beforeEach(async () => {
    id = await makeVenue(app.db, 'Hall', { authorId: editor.id })
  })
  test('is the name alone, for visitors and other users', async () => {
    const hidden = { login: null, email: null, role: null, createdAt: null, credentials: null }
    const shown = { venue: { author: { databaseId: editor.id, name: 'The editor', ...hidden } } }
    expect((await app.graphql(author, { id })).body.data).toEqual(shown)
    expect((await (await app.signIn('editor')).graphql(author, { id })).body.data).toEqual(shown)
  })
  test('is everything, for the user and administrators', async () => {
    const shown = { login: editor.login, role: 'EDITOR', credentials: [{ name: 'test', kind: 'API_TOKEN' }] }
    expect((await editor.graphql(author, { id })).body.data.venue.author).toMatchObject(shown)
    expect((await admin.graphql(author, { id })).body.data.venue.author).toMatchObject(shown)
  })
  test('viewer says who asks, and what they may do', async () => {
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
  ])('with %s', async (filter, expected) => {
    expect(await logins(filter)).toEqual(expected)
  })
  test('page by cursor as by number', async () => {
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

describe('users are written', () => {
  test('created, with a login in its one spelling', async () => {
    const input = { login: ' Zoé ', name: ' Zoé  B ', email: 'zoe@example.org', role: 'CONTRIBUTOR' }
    const { user } = (await admin.graphql(createUser, { input })).body.data.createUser
    expect(user).toMatchObject({ login: 'zoé', name: 'Zoé B', email: 'zoe@example.org', role: 'CONTRIBUTOR' })
    const changes = { id: user.databaseId, name: 'Zoé C', email: null, role: 'EDITOR' }
    const { updateUser: changed } = (await admin.graphql(updateUser, { input: changes })).body.data
    expect(changed.user).toMatchObject({ login: 'zoé', name: 'Zoé C', email: null, role: 'EDITOR' })
    const nothing = { id: user.databaseId, login: null, name: null, role: null }
    expect((await admin.graphql(updateUser, { input: nothing })).body.data.updateUser.user).toEqual(changed.user)
  })
  const good = { login: 'a', name: 'A', role: 'AUTHOR' }
  test.each([
    [{ ...good, login: '' }, ['login']],
    [{ ...good, login: 'a:b' }, ['login']],
    [{ ...good, login: ' \n' }, ['login']],
    [{ ...good, login: 'x'.repeat(101) }, ['login']],
    [{ ...good, name: ' ' }, ['name']],
    [{ ...good, email: 'nobody' }, ['email']],
    [{ ...good, login: ':', name: '', email: 'a b@c' }, ['login', 'name', 'email']],
  ])('not with %j', async (input, fields) => {
    const reply = await admin.graphql(createUser, { input })
    expect(codeOf(reply)).toBe('BAD_INPUT')
    expect(fieldsOf(reply)).toEqual(fields)
    expect(await app.db.user.count()).toBe(2)
  })
  test('under a login of their own', async () => {
    const taken = { ...good, login: editor.login.toUpperCase() }
    expect(codeOf(await admin.graphql(createUser, { input: taken }))).toBe('CONFLICT')
    const renamed = { id: admin.id, login: editor.login }
    expect(codeOf(await admin.graphql(updateUser, { input: renamed }))).toBe('CONFLICT')
    const both = await Promise.all([1, 2].map(() => admin.graphql(createUser, { input: good })))
    expect(both.map(codeOf).toSorted()).toEqual(['CONFLICT', undefined])
  })
  test('when they exist', async () => {
    for (const query of [updateUser, deleteUser]) {
      expect(codeOf(await admin.graphql(query, { input: { id: 999_999 } }))).toBe('NOT_FOUND')
    }
    expect(codeOf(await admin.graphql('{ user(id: 999999) { name } }'))).toBe('NOT_FOUND')
  })
})

describe('a deleted user', () => {
  async function write(authorId: number): Promise<void> {
    await makeEvent(app.db, 'Concert', { authorId, status: 'trash', trashedFrom: 'publish' })
    await makeVenue(app.db, 'Hall', { authorId })
    await makeOrganizer(app.db, 'Club', { authorId, status: 'draft' })
    await app.db.image.update({ where: { id: await makeImage(app.db) }, data: { authorId } })
  }
  const authors = async () => {
    const select = { authorId: true } as const
    const rows = [
      ...(await app.db.event.findMany({ select })),
      ...(await app.db.venue.findMany({ select })),
      ...(await app.db.organizer.findMany({ select })),
      ...(await app.db.image.findMany({ select })),
    ]
    return rows.map(({ authorId }) => authorId)
  }
  test('leaves what they wrote to another', async () => {
    await write(editor.id)
    const input = { id: editor.id, contentTo: admin.id }
    const deleted = { databaseId: editor.id, recordsHandedOver: 4 }
    expect((await admin.graphql(deleteUser, { input })).body.data.deleteUser).toEqual(deleted)
    expect(await authors()).toEqual([admin.id, admin.id, admin.id, admin.id])
    expect((await editor.graphql('{ __typename }')).status).toBe(401)
    expect(await app.db.credential.count()).toBe(1)
  })
  test.each([
    ['nobody', () => null],
    ['themselves', () => editor.id],
    ['somebody who is not there', () => 999_999],
  ])('leaves it not to %s', async (_, contentTo) => {
    await write(editor.id)
    const reply = await admin.graphql(deleteUser, { input: { id: editor.id, contentTo: contentTo() } })
    expect(codeOf(reply)).toBe('BAD_INPUT')
    expect(fieldsOf(reply)).toEqual(['contentTo'])
    expect(await authors()).toEqual([editor.id, editor.id, editor.id, editor.id])
  })
  test('who wrote nothing leaves it to nobody', async () => {
    const { deleteUser: deleted } = (await admin.graphql(deleteUser, { input: { id: editor.id } })).body.data
    expect(deleted.recordsHandedOver).toBe(0)
  })
})

describe('the last administrator', () => {
  const demote = (id: number) => admin.graphql(updateUser, { input: { id, role: 'EDITOR' } })
  const remove = (id: number) => admin.graphql(deleteUser, { input: { id, contentTo: editor.id } })
  test('is neither demoted nor deleted, but may be renamed', async () => {
    expect(codeOf(await demote(admin.id))).toBe('CONFLICT')
    expect(codeOf(await remove(admin.id))).toBe('CONFLICT')
    const renamed = { id: admin.id, name: 'Root', role: 'ADMINISTRATOR' }
    expect(codeOf(await admin.graphql(updateUser, { input: renamed }))).toBeUndefined()
    expect(codeOf(await demote(editor.id))).toBeUndefined()
  })
  test('is so once the others are gone', async () => {
    const second = await app.signIn('administrator')
    expect(codeOf(await demote(second.id))).toBeUndefined()
    expect(codeOf(await demote(admin.id))).toBe('CONFLICT')
  })
  test('is one of two who demote and delete each other at once', async () => {
    const second = await app.signIn('administrator')
    const [one, other] = await Promise.all([
      demote(second.id),
      second.graphql(deleteUser, { input: { id: admin.id, contentTo: editor.id } }),
    ])
    expect([one, other].map(codeOf).filter((code) => code === 'CONFLICT')).toHaveLength(1)
    expect(await app.db.user.count({ where: { role: 'administrator' } })).toBe(1)
  })
})

describe('credentials', () => {
  const viewer = '{ viewer { databaseId } }'
  test('are made, used and revoked', async () => {
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const { made: password } = (await editor.graphql(createPassword, { input: { name: ' My  phone ' } })).body.data
    const { made: token } = (await editor.graphql(createToken, { input: { name: 'Script', expiresAt } })).body.data
    expect(password.credential).toMatchObject({ kind: 'APPLICATION_PASSWORD', name: 'My phone', expiresAt: null })
    expect(token.credential).toMatchObject({ kind: 'API_TOKEN', name: 'Script', expiresAt, revokedAt: null })
    for (const [authorization, { databaseId }] of [
      [basic(editor.login, password.secret), password.credential],
      [bearer(token.secret), token.credential],
    ]) {
      const member = app.as({ authorization })
      expect((await member.graphql(viewer)).body.data.viewer.databaseId).toBe(editor.id)
      const { revokeCredential } = (await member.graphql(revoke, { input: { id: databaseId } })).body.data
      expect(revokeCredential.credential).toEqual({ databaseId, revokedAt: now.toISOString() })
      expect((await member.graphql(viewer)).status).toBe(401)
    }
  })
  test('are made for others by administrators', async () => {
    const { made } = (await admin.graphql(createPassword, { input: { name: 'x', userId: editor.id } })).body.data
    const member = app.as({ authorization: basic(editor.login, made.secret) })
    expect((await member.graphql(viewer)).body.data.viewer.databaseId).toBe(editor.id)
    expect((await admin.graphql(revoke, { input: { id: made.credential.databaseId } })).body.errors).toBeUndefined()
    expect((await member.graphql(viewer)).status).toBe(401)
  })
  test('of others are not there for who is no administrator', async () => {
    const credential = await app.db.credential.findFirstOrThrow({ where: { userId: admin.id } })
    expect(codeOf(await editor.graphql(revoke, { input: { id: credential.id } }))).toBe('NOT_FOUND')
    expect(codeOf(await app.graphql(revoke, { input: { id: credential.id } }))).toBe('UNAUTHENTICATED')
    expect((await admin.graphql(viewer)).status).toBe(200)
  })
  test('once revoked keep their moment', async () => {
    const revokedAt = new Date(now.getTime() - 1000)
    await giveCredential(app.db, editor.id, 'api_token', { revokedAt })
    const { id } = await app.db.credential.findFirstOrThrow({ where: { NOT: { revokedAt: null } } })
    const { revokeCredential } = (await editor.graphql(revoke, { input: { id } })).body.data
    expect(revokeCredential.credential.revokedAt).toBe(revokedAt.toISOString())
  })
  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['expiresAt', { name: 'x', expiresAt: now.toISOString() }],
    ['userId', { name: 'x', userId: 999_999 }],
  ])('are not made with a wrong %s', async (field, input) => {
    const reply = await admin.graphql(createToken, { input })
    expect([codeOf(reply), fieldsOf(reply)]).toEqual(['BAD_INPUT', [field]])
  })
  test('keep their secrets: in no other answer, and not in the database', async () => {
    const secrets: string[] = []
    for (const query of [createPassword, createToken]) {
      const { made } = (await editor.graphql(query, { input: { name: 'x' } })).body.data
      expect(made.secret).toMatch(/^[\w-]{43,}$/)
      secrets.push(made.secret)
    }
    const all = 'databaseId name kind createdAt lastUsedAt expiresAt revokedAt'
    const answers = [
      await editor.graphql(`{ viewer { login credentials { ${all} } } }`),
      await admin.graphql(`{ users { nodes { login email credentials { ${all} } } } }`),
    ]
    const rows = JSON.stringify([await app.db.credential.findMany(), await app.db.user.findMany()])
    for (const secret of secrets) {
      expect(rows).toContain(secretHash(secret))
      for (const text of [rows, JSON.stringify(answers)]) expect(text).not.toContain(secret)
      expect(JSON.stringify(answers)).not.toContain(secretHash(secret))
    }
    const type = await app.graphql('{ __type(name: "Credential") { fields { name } } }')
    expect(JSON.stringify(type.body)).not.toMatch(/hash|secret/i)
  })
})
