// Creating and revoking credentials, and that their secrets stay secret.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/service/auth/secrets.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { basic, bearer, createCredential } from '../helpers/users.ts'
import { codeOf, createPassword, createToken, fieldsOf, revoke } from './operations.ts'

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

describe('credentials', () => {
  const viewer = '{ viewer { databaseId } }'
  test('can be created, used and revoked', async () => {
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const { created: password } = (await editor.graphql(createPassword, { input: { name: ' My  phone ' } })).body.data
    const { created: token } = (await editor.graphql(createToken, { input: { name: 'Script', expiresAt } })).body.data
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
  test('can be created for other users by administrators', async () => {
    const { created } = (await admin.graphql(createPassword, { input: { name: 'x', userId: editor.id } })).body.data
    const member = app.as({ authorization: basic(editor.login, created.secret) })
    expect((await member.graphql(viewer)).body.data.viewer.databaseId).toBe(editor.id)
    expect((await admin.graphql(revoke, { input: { id: created.credential.databaseId } })).body.errors).toBeUndefined()
    expect((await member.graphql(viewer)).status).toBe(401)
  })
  test('of other users are hidden from users who are not administrators', async () => {
    const credential = await app.db.credential.findFirstOrThrow({ where: { userId: admin.id } })
    expect(codeOf(await editor.graphql(revoke, { input: { id: credential.id } }))).toBe('NOT_FOUND')
    expect(codeOf(await app.graphql(revoke, { input: { id: credential.id } }))).toBe('UNAUTHENTICATED')
    expect((await admin.graphql(viewer)).status).toBe(200)
  })
  test('keep the time of their first revocation', async () => {
    const revokedAt = new Date(now.getTime() - 1000)
    await createCredential(app.db, editor.id, 'api_token', { revokedAt })
    const { id } = await app.db.credential.findFirstOrThrow({ where: { NOT: { revokedAt: null } } })
    const { revokeCredential } = (await editor.graphql(revoke, { input: { id } })).body.data
    expect(revokeCredential.credential.revokedAt).toBe(revokedAt.toISOString())
  })
  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['expiresAt', { name: 'x', expiresAt: now.toISOString() }],
    ['userId', { name: 'x', userId: 999_999 }],
  ])('are not created with an invalid %s', async (field, input) => {
    const reply = await admin.graphql(createToken, { input })
    expect([codeOf(reply), fieldsOf(reply)]).toEqual(['BAD_INPUT', [field]])
  })
  test('that a token creates do not outlive it', async () => {
    const expiresAt = new Date(now.getTime() + 60_000)
    const brief = app.as({
      authorization: bearer(await createCredential(app.db, editor.id, 'api_token', { expiresAt })),
    })
    for (const query of [createPassword, createToken]) {
      const { created } = (await brief.graphql(query, { input: { name: 'x' } })).body.data
      expect(created.credential.expiresAt).toBe(expiresAt.toISOString())
    }
    const later = { name: 'x', expiresAt: new Date(expiresAt.getTime() + 1).toISOString() }
    expect(fieldsOf(await brief.graphql(createToken, { input: later }))).toEqual(['expiresAt'])
  })
  test('show their secret only once and never store it', async () => {
    const secrets: string[] = []
    for (const query of [createPassword, createToken]) {
      const { created } = (await editor.graphql(query, { input: { name: 'x' } })).body.data
      expect(created.secret).toMatch(/^[\w-]{43,}$/)
      secrets.push(created.secret)
    }
    const all = 'databaseId name kind createdAt lastUsedAt expiresAt revokedAt'
    const responses = [
      await editor.graphql(`{ viewer { login credentials { ${all} } } }`),
      await admin.graphql(`{ users { nodes { login email credentials { ${all} } } } }`),
    ]
    const rows = JSON.stringify([await app.db.credential.findMany(), await app.db.user.findMany()])
    for (const secret of secrets) {
      expect(rows).toContain(hashSecret(secret))
      for (const text of [rows, JSON.stringify(responses)]) expect(text).not.toContain(secret)
      expect(JSON.stringify(responses)).not.toContain(hashSecret(secret))
    }
    const type = await app.graphql('{ __type(name: "Credential") { fields { name } } }')
    expect(JSON.stringify(type.body)).not.toMatch(/hash|secret/i)
  })
})
