// The users that tokens of the OIDC issuer create.
import type { JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { bearer, makeUser } from '../helpers/users.ts'
import { audience, makeKey, sign, startIssuer, type TestIssuer } from './issuer.ts'

let database: TestApp
let issuer: TestIssuer
let first: JWK
const apps: TestApp[] = []

beforeAll(async () => {
  // Silences the warning of the issuer library that it is not configured for production.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  database = await openTestApp()
  first = await makeKey('first')
  issuer = await startIssuer([first])
})
afterAll(async () => {
  await issuer?.stop()
  await database?.close()
})
beforeEach(async () => {
  await truncate(database.db)
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.app.close()
})

/** The service as after a start, without cached keys. */
async function start(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await serve(database, { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, ...env })
  app.clock.now = new Date()
  apps.push(app)
  return app
}

const send = (app: TestApp, token: string) =>
  app.as({ authorization: bearer(token) }).graphql('{ viewer { databaseId login name email role } }')
const viewerOf = async (app: TestApp, token: string) => (await send(app, token)).body.data.viewer

describe('the first token of an unknown subject', () => {
  test('creates one user with the name and e-mail address of the token', async () => {
    const app = await start()
    const claims = { preferred_username: 'Ada', name: 'Ada  L\u0007', email: 'ada@example.org' }
    const token = await issuer.token('ada', claims)
    const viewers = await Promise.all([1, 2, 3, 4, 5].map(() => viewerOf(app, token)))
    expect(viewers[0]).toMatchObject({ login: 'ada', name: 'Ada L', email: 'ada@example.org', role: 'SUBSCRIBER' })
    expect(new Set(viewers.map(({ databaseId }) => databaseId)).size).toBe(1)
    expect(await database.db.user.count()).toBe(1)
  })
  test.each<[string, object, object]>([
    ['its address', { email: 'Ada@example.org' }, { login: 'ada@example.org', name: 'Ada@example.org' }],
    ['its subject', {}, { login: 'auth0|1', name: 'auth0|1', email: null }],
    ['a name without colon', { preferred_username: 'a:b' }, { login: 'a-b', name: 'a:b' }],
    ['what is text', { preferred_username: 7, name: ['x'], email: {} }, { login: 'auth0|1', email: null }],
    ['what is not blank', { preferred_username: ' \0 ', name: '' }, { login: 'auth0|1', name: 'auth0|1' }],
  ])('names the user after %s', async (_, claims, expected) => {
    const token = await sign(first, issuer.url, { sub: 'auth0|1', ...claims })
    expect(await viewerOf(await start(), token)).toMatchObject(expected)
  })
  test('never signs in as an existing user with the same login', async () => {
    const admin = await makeUser(database.db, 'administrator', { login: 'admin', email: 'root@example.org' })
    const claims = { preferred_username: 'admin', email: 'root@example.org' }
    const viewer = await viewerOf(await start(), await issuer.token('admin', claims))
    expect(viewer).toMatchObject({ login: 'admin-2', role: 'SUBSCRIBER' })
    expect(viewer.databaseId).not.toBe(admin.id)
  })
  test('gives subjects of the same name different logins, even concurrently', async () => {
    const app = await start()
    const tokens = await Promise.all(
      ['a', 'b', 'c'].map((sub) => sign(first, issuer.url, { sub, preferred_username: 'ada' })),
    )
    const viewers = await Promise.all(tokens.map((token) => viewerOf(app, token)))
    expect(viewers.map(({ login }) => login).toSorted()).toEqual(['ada', 'ada-2', 'ada-3'])
  })
  test('finds the same user again, with the role that administrators set', async () => {
    const app = await start()
    const { databaseId } = await viewerOf(app, await issuer.token('ada', { name: 'Ada' }))
    await database.db.user.update({ where: { id: databaseId }, data: { role: 'editor', name: 'A. L.' } })
    const again = await viewerOf(app, await issuer.token('ada', { name: 'Other', roles: 'administrator' }))
    expect(again).toMatchObject({ databaseId, name: 'A. L.', role: 'EDITOR' })
  })
})

describe('the role claim', () => {
  test.each<[string, object, string]>([
    ['roles', { roles: 'editor' }, 'EDITOR'],
    ['roles', { roles: ['author', 'administrator', 'editor'] }, 'ADMINISTRATOR'],
    ['roles', { roles: ['Contributor'] }, 'CONTRIBUTOR'],
    ['roles', { roles: ['root', 7, null, {}] }, 'SUBSCRIBER'],
    ['roles', { roles: { administrator: true } }, 'SUBSCRIBER'],
    ['roles', {}, 'SUBSCRIBER'],
    ['realm.roles', { realm: { roles: ['author'] } }, 'AUTHOR'],
    ['realm.roles', { realm: null }, 'SUBSCRIBER'],
    ['https://a.test/roles', { 'https://a.test/roles': ['author'] }, 'AUTHOR'],
    ['__proto__', {}, 'SUBSCRIBER'],
  ])('%s of %j', async (name, claims, role) => {
    const app = await start({ OIDC_ROLE_CLAIM: name })
    expect(await viewerOf(app, await issuer.token('grace', { ...claims }))).toMatchObject({ role })
  })
  test('is applied at each sign-in', async () => {
    const app = await start({ OIDC_ROLE_CLAIM: 'roles' })
    const roles = ['author', 'administrator', 'nothing', 'editor']
    const seen: string[] = []
    for (const role of roles) seen.push((await viewerOf(app, await issuer.token('grace', { roles: role }))).role)
    expect(seen).toEqual(['AUTHOR', 'ADMINISTRATOR', 'SUBSCRIBER', 'EDITOR'])
    expect(await database.db.user.findMany()).toMatchObject([{ role: 'editor' }])
  })
})
