// Creating, updating and deleting users.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { bearer, createCredential } from '../helpers/users.ts'
import { codeOf, createUser, deleteUser, fieldsOf, updateUser } from './operations.ts'

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

describe('user mutations', () => {
  test('create a user with a normalized login', async () => {
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
  ])('reject %j', async (input, fields) => {
    const reply = await admin.graphql(createUser, { input })
    expect(codeOf(reply)).toBe('BAD_INPUT')
    expect(fieldsOf(reply)).toEqual(fields)
    expect(await app.db.user.count()).toBe(2)
  })
  test('reject a login of another user', async () => {
    const taken = { ...good, login: editor.login.toUpperCase() }
    expect(codeOf(await admin.graphql(createUser, { input: taken }))).toBe('CONFLICT')
    const renamed = { id: admin.id, login: editor.login }
    expect(codeOf(await admin.graphql(updateUser, { input: renamed }))).toBe('CONFLICT')
    const both = await Promise.all([1, 2].map(() => admin.graphql(createUser, { input: good })))
    expect(both.map(codeOf).toSorted()).toEqual(['CONFLICT', undefined])
  })
  test('of a credential that expires set no e-mail address and make no administrator', async () => {
    const expiresAt = new Date(app.clock.now.getTime() + 60_000)
    const brief = app.as({
      authorization: bearer(await createCredential(app.db, admin.id, 'api_token', { expiresAt })),
    })
    const refused = async (query: string, input: object) => {
      const reply = await brief.graphql(query, { input })
      expect(codeOf(reply)).toBe('FORBIDDEN')
      return fieldsOf(reply)
    }
    for (const { id } of [admin, editor])
      expect(await refused(updateUser, { id, email: 'thief@example.org' })).toEqual(['email'])
    expect(await refused(updateUser, { id: editor.id, role: 'ADMINISTRATOR' })).toEqual(['role'])
    expect(await refused(createUser, { ...good, email: 'thief@example.org' })).toEqual(['email'])
    expect(await refused(createUser, { ...good, role: 'ADMINISTRATOR' })).toEqual(['role'])
    expect(await app.db.user.count({ where: { OR: [{ email: { startsWith: 'thief' } }, { login: 'a' }] } })).toBe(0)
    expect(codeOf(await brief.graphql(createUser, { input: good }))).toBeUndefined()
    const rest = { id: editor.id, name: 'Renamed', role: 'AUTHOR' }
    expect(codeOf(await brief.graphql(updateUser, { input: rest }))).toBeUndefined()
    const lasting = bearer(await createCredential(app.db, admin.id, 'api_token'))
    const input = { id: editor.id, email: 'new@example.org', role: 'ADMINISTRATOR' }
    expect(codeOf(await app.as({ authorization: lasting }).graphql(updateUser, { input }))).toBeUndefined()
  })
  test('reject an unknown user', async () => {
    for (const query of [updateUser, deleteUser]) {
      expect(codeOf(await admin.graphql(query, { input: { id: 999_999 } }))).toBe('NOT_FOUND')
    }
    expect(codeOf(await admin.graphql('{ user(id: 999999) { name } }'))).toBe('NOT_FOUND')
  })
})

describe('deleting a user', () => {
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
  test('makes another user the author of their records', async () => {
    await write(editor.id)
    const input = { id: editor.id, contentTo: admin.id }
    const deleted = { databaseId: editor.id, recordsHandedOver: 4, userErrors: [] }
    expect((await admin.graphql(deleteUser, { input })).body.data.deleteUser).toEqual(deleted)
    expect(await authors()).toEqual([admin.id, admin.id, admin.id, admin.id])
    expect((await editor.graphql('{ __typename }')).status).toBe(401)
    expect(await app.db.credential.count()).toBe(1)
  })
  test.each([
    ['nobody', () => null],
    ['themselves', () => editor.id],
    ['somebody who is not there', () => 999_999],
  ])('rejects %s as the new author', async (_, contentTo) => {
    await write(editor.id)
    const reply = await admin.graphql(deleteUser, { input: { id: editor.id, contentTo: contentTo() } })
    expect(codeOf(reply)).toBe('BAD_INPUT')
    expect(fieldsOf(reply)).toEqual(['contentTo'])
    expect(await authors()).toEqual([editor.id, editor.id, editor.id, editor.id])
  })
  test('needs no new author if the user has no records', async () => {
    const { deleteUser: deleted } = (await admin.graphql(deleteUser, { input: { id: editor.id } })).body.data
    expect(deleted.recordsHandedOver).toBe(0)
  })
})

describe('the last administrator', () => {
  const demote = (id: number) => admin.graphql(updateUser, { input: { id, role: 'EDITOR' } })
  const remove = (id: number) => admin.graphql(deleteUser, { input: { id, contentTo: editor.id } })
  test('can be renamed, but neither demoted nor deleted', async () => {
    expect(codeOf(await demote(admin.id))).toBe('CONFLICT')
    expect(codeOf(await remove(admin.id))).toBe('CONFLICT')
    const renamed = { id: admin.id, name: 'Root', role: 'ADMINISTRATOR' }
    expect(codeOf(await admin.graphql(updateUser, { input: renamed }))).toBeUndefined()
    expect(codeOf(await demote(editor.id))).toBeUndefined()
  })
  test('is the one that remains after the others were deleted', async () => {
    const second = await app.signIn('administrator')
    expect(codeOf(await demote(second.id))).toBeUndefined()
    expect(codeOf(await demote(admin.id))).toBe('CONFLICT')
  })
  test('remains when two administrators demote and delete each other concurrently', async () => {
    const second = await app.signIn('administrator')
    const [one, other] = await Promise.all([
      demote(second.id),
      second.graphql(deleteUser, { input: { id: admin.id, contentTo: editor.id } }),
    ])
    // The second one is the last administrator by then, or no administrator any more.
    const rejected = [one, other].map(codeOf).filter((code) => code === 'CONFLICT' || code === 'FORBIDDEN')
    expect(rejected).toHaveLength(1)
    expect(await app.db.user.count({ where: { role: 'administrator' } })).toBe(1)
  })
})
