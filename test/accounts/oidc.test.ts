// Which tokens of the OIDC issuer are accepted.
import { createServer } from 'node:http'
import { exportSPKI, importJWK, type JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { bearer, makeUser } from '../helpers/users.ts'
import { audience, makeKey, sign, startIssuer, type TestIssuer } from './issuer.ts'

let database: TestApp
let issuer: TestIssuer
let first: JWK
let second: JWK
let elliptic: JWK
const apps: TestApp[] = []

beforeAll(async () => {
  // Silences the warning of the issuer library that it is not configured for production.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  database = await openTestApp()
  first = await makeKey('first')
  second = await makeKey('second')
  elliptic = await makeKey('elliptic', 'ES256')
  issuer = await startIssuer([first])
})
afterAll(async () => {
  await issuer?.stop()
  await database?.close()
})
beforeEach(async () => {
  await truncate(database.db)
  issuer.restart([first])
})
afterEach(async () => {
  vi.useRealTimers()
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
const statusOf = async (app: TestApp, token: string) => (await send(app, token)).status
const viewerOf = async (app: TestApp, token: string) => (await send(app, token)).body.data.viewer

describe('a token of the issuer', () => {
  test('signs in to both APIs with one request to the issuer', async () => {
    const app = await start()
    const token = await issuer.token('ada')
    const before = { ...issuer.requested }
    const viewers = await Promise.all([1, 2, 3, 4].map(() => viewerOf(app, token)))
    expect(new Set(viewers.map(({ databaseId }) => databaseId)).size).toBe(1)
    expect(viewers[0].role).toBe('SUBSCRIBER')
    const headers = { authorization: bearer(token) }
    expect((await app.get('/cal/events/v1/tags', { headers })).status).toBe(200)
    expect(issuer.requested).toEqual({ discovery: before.discovery + 1, keys: before.keys + 1 })
  })
  test('is rejected if no issuer is configured', async () => {
    expect(await statusOf(await serve(database), await issuer.token('ada'))).toBe(401)
  })
  test('may be signed with an elliptic curve key', async () => {
    issuer.restart([first, elliptic])
    expect(await statusOf(await start(), await sign(elliptic, issuer.url))).toBe(200)
  })
})

describe('a token is rejected', () => {
  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = () => ({ iss: issuer.url, aud: audience, sub: 'ada', exp: seconds(600) })
  const spki = async () => {
    const { kty, n, e } = first
    return (await importJWK({ kty, n, e } as JWK, 'RS256', { extractable: true })) as CryptoKey
  }
  const invalid: Readonly<Record<string, () => string | Promise<string>>> = {
    'that expired': () => sign(first, issuer.url, { exp: seconds(-60) }),
    'that does not expire': () => sign(first, issuer.url, { exp: null }),
    'that is not good yet': () => sign(first, issuer.url, { nbf: seconds(60) }),
    'for another audience': () => sign(first, issuer.url, { aud: 'other' }),
    'for nobody': () => sign(first, issuer.url, { aud: null }),
    'of another issuer': () => sign(first, 'https://other.test'),
    'of the issuer with a slash': () => sign(first, `${issuer.url}/`),
    'of no subject': () => sign(first, issuer.url, { sub: null }),
    'of an empty subject': () => sign(first, issuer.url, { sub: '' }),
    'of a subject that can not be stored': () => sign(first, issuer.url, { sub: 'a\0b' }),
    'of a subject that is too long': () => sign(first, issuer.url, { sub: 'x'.repeat(300) }),
    'signed with a wrong key': () => sign({ ...second, kid: 'first' }, issuer.url),
    'signed with an unknown key': () => sign(second, issuer.url),
    'not signed': () => `${encode({ alg: 'none' })}.${encode(claims())}.`,
    'not signed, with the signature of another': async () => {
      const signature = (await issuer.token('ada')).split('.')[2]
      return `${encode({ alg: 'none', kid: 'first' })}.${encode(claims())}.${signature}`
    },
    'signed by HS256 with the public key': async () => {
      const secret = new TextEncoder().encode(await exportSPKI(await spki()))
      return sign(secret, issuer.url, {}, { alg: 'HS256', kid: 'first' })
    },
    'signed by HS256 with the modulus': () =>
      sign(Buffer.from(String(first.n), 'base64url'), issuer.url, {}, { alg: 'HS256', kid: 'first' }),
    'with changed claims': async () => {
      const [header, , signature] = (await issuer.token('ada')).split('.')
      return `${header}.${encode({ ...claims(), sub: 'root' })}.${signature}`
    },
    'cut short': async () => (await issuer.token('ada')).slice(0, -4),
    'of one part too many': async () => `${await issuer.token('ada')}.x`,
    'of dots': () => '..',
    'that names its own key': async () => {
      const { d: _, p: __, q: ___, dp: ____, dq: _____, qi: ______, ...open } = second
      return sign(second, issuer.url, {}, { kid: 'second', jwk: open as never })
    },
  }
  test.each(Object.keys(invalid))('%s', async (name) => {
    const reply = await send(await start(), (await invalid[name]?.()) ?? '')
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBeDefined()
    expect(await database.db.user.count()).toBe(0)
  })
})

describe('keys that rotate', () => {
  /** Advances the clocks that decide when keys are requested again. */
  const later = (app: TestApp, minutes: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
    app.clock.now = new Date()
  }
  test('accepts a new key once published, and an old key until it is withdrawn', async () => {
    const app = await start()
    const exp = Math.floor(Date.now() / 1000) + 86_400
    const [old, fresh] = [await sign(first, issuer.url, { exp }), await sign(second, issuer.url, { exp })]
    expect([await statusOf(app, old), await statusOf(app, fresh)]).toEqual([200, 401])
    issuer.restart([first, second])
    later(app, 1)
    expect([await statusOf(app, fresh), await statusOf(app, old)]).toEqual([200, 200])
    issuer.restart([second])
    later(app, 11)
    expect([await statusOf(app, old), await statusOf(app, fresh)]).toEqual([401, 200])
  })
  test('does not request keys again for each unknown key ID', async () => {
    const app = await start()
    await statusOf(app, await sign(first, issuer.url))
    const { keys } = issuer.requested
    for (let n = 0; n < 5; n += 1) await statusOf(app, await sign(second, issuer.url))
    expect(issuer.requested.keys).toBe(keys)
  })
})

describe('an unreachable issuer', () => {
  test('is a 503 of both APIs that does not count as a failed sign-in', async () => {
    const app = await start()
    const token = await issuer.token('ada')
    await issuer.stop()
    for (let n = 0; n < 55; n += 1) expect(await statusOf(app, token)).toBe(503)
    const reply = await send(app, token)
    expect(reply.body.errors[0].extensions).toEqual({ code: 'UNAVAILABLE', retryAfter: 5 })
    expect(reply.headers['retry-after']).toBe('5')
    expect(JSON.stringify(reply.body)).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/)
    const headers = { authorization: bearer(token) }
    const byRest = await app.get('/cal/events/v1/tags', { headers })
    expect([byRest.status, byRest.body.code]).toEqual([503, 'rest_unavailable'])
    const user = await makeUser(database.db, 'author')
    expect((await app.as(user).graphql('{ __typename }')).status).toBe(200)
    await issuer.resume()
    expect(await statusOf(app, token)).toBe(200)
  })
  test('matters only when keys are needed', async () => {
    const app = await start()
    const token = await issuer.token('ada')
    expect(await statusOf(app, token)).toBe(200)
    await issuer.stop()
    expect(await statusOf(app, token)).toBe(200)
    await issuer.resume()
  })
  test.each<[string, string]>([
    ['says it is another', JSON.stringify({ issuer: 'https://other.test', jwks_uri: 'https://other.test/jwks' })],
    ['responds without a document', '<html>'],
    ['has no keys', '{}'],
  ])('or that %s', async (_, document) => {
    const server = createServer((_request, response) => response.end(document))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    expect(await statusOf(await start({ OIDC_ISSUER: url }), await sign(first, url))).toBe(503)
    server.close()
  })
})
