// Authentication of requests in both APIs: anonymous, signed in, or a 401 before any other check.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/service/auth/secrets.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { countsStatements, truncate } from '../helpers/db.ts'
import { makeVenue } from '../helpers/make.ts'
import { basic, bearer, createCredential } from '../helpers/users.ts'

let app: TestApp
let id: number
let password: string
let token: string
/** Each test sends from its own address, so that failures of other tests do not count for it. */
let place = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

beforeEach(async () => {
  place += 1
  await truncate(app.db)
  const user = await app.db.user.create({ data: { login: 'zoé', name: 'Zoé', role: 'author' } })
  id = user.id
  password = await createCredential(app.db, id, 'application_password')
  token = await createCredential(app.db, id, 'api_token')
})

const from = () => `10.0.${place >> 8}.${place & 255}`
const payload = { query: '{ viewer { login } }' }

async function graph(authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization }
  const request = { method: 'POST', url: '/graphql', headers, payload, remoteAddress: from() } as const
  const response = await app.app.inject(request)
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

async function rest(authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization }
  return app.get('/cal/events/v1/tags', { headers, remoteAddress: from() })
}

const right: Readonly<Record<string, () => string>> = {
  'a password': () => basic('zoé', password),
  'a password in groups': () => basic('zoé', password.replace(/.{6}/g, '$& ')),
  'the login in another case': () => basic('ZOÉ', password),
  'the login decomposed': () => basic('zoe\u0301', password),
  'the scheme in another case': () => basic('zoé', password).replace('Basic', 'BASIC'),
  'base64 without its padding': () => basic('zoé', password).replace(/=+$/, ''),
  'a token': () => bearer(token),
  'a token, the scheme in another case': () => `bearer ${token}`,
}

describe('a request signs in with', () => {
  test.each(Object.keys(right))('%s', async (name) => {
    const authorization = right[name]?.()
    expect((await graph(authorization)).body).toEqual({ data: { viewer: { login: 'zoé' } } })
    expect((await rest(authorization)).status).toBe(200)
  })
})

const base64 = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`

const invalid: Readonly<Record<string, () => string | Promise<string>>> = {
  'an empty header': () => '',
  'a scheme alone': () => 'Basic',
  'a scheme and a space': () => 'Bearer ',
  'an unknown scheme': () => `Digest ${token}`,
  'two values': () => `Bearer ${token} ${token}`,
  'a wrong password': () => basic('zoé', `${password}x`),
  'a password in another case': () => basic('zoé', password.toUpperCase().toLowerCase()),
  'an empty password': () => basic('zoé', ''),
  'an empty login': () => basic('', password),
  'no colon': () => base64('zoé'),
  'a password under an unknown login': () => basic('nobody', password),
  'NUL in the login': () => basic('zoé\0', password),
  'NUL in the password': () => basic('zoé', `${password}\0`),
  'malformed base64': () => 'Basic %%%',
  'base64 that is not UTF-8': () => base64(Buffer.concat([Buffer.from([0xff, 0x3a]), Buffer.from(password)])),
  'a token as password': () => basic('zoé', token),
  'a password as token': () => bearer(password),
  'an unknown token': () => bearer('x'.repeat(43)),
  'the stored hash as token': () => bearer(hashSecret(token)),
  'the stored hash as password': () => basic('zoé', hashSecret(password)),
  'a JWT where there is no issuer': () => bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'),
  'another login than the password is of': async () => {
    await app.db.user.create({ data: { login: 'ada', name: 'Ada', role: 'administrator' } })
    return basic('ada', password)
  },
  'a revoked password': async () =>
    basic('zoé', await createCredential(app.db, id, 'application_password', { revokedAt: now })),
  'a revoked token': async () => bearer(await createCredential(app.db, id, 'api_token', { revokedAt: now })),
  'a token that expires now': async () => bearer(await createCredential(app.db, id, 'api_token', { expiresAt: now })),
  'a token of a user who is gone': async () => {
    await app.db.user.delete({ where: { id } })
    return bearer(token)
  },
  'a password of a user who is gone': async () => {
    await app.db.user.delete({ where: { id } })
    return basic('zoé', password)
  },
}

describe('a request is rejected with', () => {
  test.each(Object.keys(invalid))('%s', async (name) => {
    const authorization = await invalid[name]?.()
    const byGraph = await graph(authorization)
    expect(byGraph.status).toBe(401)
    expect(byGraph.headers['www-authenticate']).toMatch(/^Basic realm=.*Bearer/)
    expect(byGraph.body.errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' })
    const byRest = await rest(authorization)
    expect(byRest.status).toBe(401)
    expect(byRest.headers['www-authenticate']).toMatch(/^Basic realm=.*Bearer/)
    expect(byRest.body).toMatchObject({ code: 'rest_forbidden', data: { status: 401 } })
  })
})

test('a request without Authorization header is anonymous', async () => {
  expect((await graph()).body).toEqual({ data: { viewer: null } })
  expect((await rest()).status).toBe(200)
})

test('a wrong credential is refused before a wrong request', async () => {
  const headers = { authorization: bearer('wrong') }
  const query = { method: 'POST', url: '/graphql', headers, payload: { query: '{ nonsense' } } as const
  expect((await app.app.inject({ ...query, remoteAddress: from() })).statusCode).toBe(401)
  const options = { headers, remoteAddress: from() }
  expect((await app.get('/cal/events/v1/events?per_page=many', options)).status).toBe(401)
  expect((await app.get('/cal/events/v1/events/999999', options)).status).toBe(401)
})

test('a signed-in user reads their own drafts by REST', async () => {
  const draft = await makeVenue(app.db, 'Cellar', { status: 'draft', authorId: id })
  const url = `/cal/events/v1/venues/${draft}`
  expect((await app.get(url)).status).toBe(403)
  expect((await app.get(url, { headers: { authorization: bearer(token) } })).body).toMatchObject({ venue: 'Cellar' })
})

test('a credential is valid until it expires', async () => {
  const expiresAt = new Date(now.getTime() + 60_000)
  const brief = bearer(await createCredential(app.db, id, 'api_token', { expiresAt }))
  expect((await graph(brief)).status).toBe(200)
  app.clock.now = expiresAt
  expect((await graph(brief)).status).toBe(401)
  app.clock.now = now
})

test('the last use of a credential is recorded at most once per minute', async () => {
  const lastUse = async () =>
    (await app.db.credential.findUniqueOrThrow({ where: { hash: hashSecret(token) } })).lastUsedAt?.getTime()
  expect(await lastUse()).toBeUndefined()
  const used = async (seconds: number) => {
    app.clock.now = new Date(now.getTime() + seconds * 1000)
    await graph(bearer(token))
    return app.clock.now.getTime()
  }
  app.statements.length = 0
  const first = await used(0)
  await expect.poll(lastUse).toBe(first)
  // It is listed a moment after it is committed.
  await expect.poll(() => app.statements.some((sql) => sql.includes('UPDATE'))).toBe(true)
  app.statements.length = 0
  await used(59)
  expect(app.statements.filter((sql) => sql.includes('UPDATE'))).toEqual([])
  const later = await used(60)
  await expect.poll(lastUse).toBe(later)
  app.clock.now = now
})

test.runIf(countsStatements)('signing in costs one statement', async () => {
  const fresh = bearer(await createCredential(app.db, id, 'api_token'))
  app.statements.length = 0
  await graph(fresh)
  await expect.poll(() => app.statements.some((sql) => sql.includes('UPDATE'))).toBe(true)
  app.statements.length = 0
  await graph(fresh)
  expect(app.statements.filter((sql) => sql.includes('"credential"'))).toHaveLength(1)
  expect(app.statements).toHaveLength(2)
})
