// People sign in on a page and get a session, which a cookie identifies.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteOldRows } from '../../src/calendar/audit/retention.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import { ensureAdministrator } from '../../src/service/auth/first-administrator.ts'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'
import { bearer, createCredential } from '../helpers/users.ts'

let app: TestApp
/** Each test sends from its own address, so that failures of other tests do not count for it. */
let place = 0

const password = 'correct horse'
const days = (count: number) => count * 24 * 60 * 60 * 1000

/** Hashing the password takes longer than a test. */
let administrator: Prisma.UserCreateInput

beforeAll(async () => {
  app = await openTestApp()
  await app.db.$transaction((tx) => ensureAdministrator(tx, { adminLogin: 'ada', adminPassword: password }))
  const { id: _, credentials, ...user } = await app.db.user.findFirstOrThrow({ include: { credentials: true } })
  administrator = { ...user, credentials: { create: credentials.map(({ id: _, userId: __, ...others }) => others) } }
})
afterAll(() => app?.close())

beforeEach(async () => {
  place += 1
  app.clock.now = now
  await truncate(app.db)
  await app.db.user.create({ data: administrator })
})

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0'

type Fields = Readonly<Record<string, string>>

async function post(path: string, fields: Fields, headers: Fields = {}, { app: instance }: TestApp = app) {
  const type = 'application/x-www-form-urlencoded'
  const response = await instance.inject({
    ...{ method: 'POST', url: path, remoteAddress: `10.1.${place >> 8}.${place & 255}` },
    headers: { 'content-type': type, 'user-agent': firefox, ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  return { status: response.statusCode, headers: response.headers, body: response.payload, cookies, cookie }
}

const signIn = (fields: Fields = {}, headers: Fields = {}) =>
  post('/sign-in', { login: 'ada', password, ...fields }, headers)

const asked = { 'x-requested-with': 'editor' }
const whoAmI = (cookie: string, headers: Fields = asked) =>
  app.graphql('{ viewer { login } }', {}, '', { cookie, ...headers })

const ada = { data: { viewer: { login: 'ada' } } }
const nobody = { data: { viewer: null } }

test('signing in starts a session that lists the browser', async () => {
  const { status, headers, cookies, cookie } = await signIn({ login: ' ADA' })
  expect([status, headers.location, headers['cache-control']]).toEqual([303, '/edit/', 'no-store'])
  expect(cookies).toEqual([
    expect.stringMatching(/^session=[A-Za-z0-9]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    'signed-in=1; Max-Age=34560000; Path=/; SameSite=Lax',
  ])
  expect((await whoAmI(cookie)).body).toEqual(ada)
  const list = '{ viewer { credentials { kind name expiresAt lastUsedAt revokedAt } } }'
  const { body } = await app.graphql(list, {}, '', { cookie, ...asked })
  expect(body.data.viewer.credentials.at(-1)).toMatchObject({
    ...{ kind: 'SESSION', name: 'Firefox on Windows', revokedAt: null },
    expiresAt: new Date(now.getTime() + days(30)).toISOString(),
  })
})

test('with TLS, no other site of the domain can set or read the cookie', async () => {
  const other = await serve(app, { PUBLIC_URL: 'https://calendar.test' })
  const { cookies } = await post('/sign-in', { login: 'ada', password }, {}, other)
  expect(cookies).toEqual([
    expect.stringMatching(/^__Host-session=\w{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    'signed-in=1; Max-Age=34560000; Path=/; Secure; SameSite=Lax',
  ])
  await other.app.close()
})

test('the cookie counts only with a header that no form can send, and only for POST to GraphQL', async () => {
  const { cookie } = await signIn()
  expect((await whoAmI(cookie, {})).body).toEqual(nobody)
  const url = `/graphql?query=${encodeURIComponent('{ viewer { login } }')}`
  expect((await app.get(url, { headers: { cookie, ...asked } })).body).toEqual(nobody)
  expect((await app.send('POST', '/cal/events/v1/tags', { name: 'x' }, { cookie, ...asked })).status).toBe(401)
  await makeEvent(app.db, 'Choir')
  for (const path of ['/en/', '/event/choir/']) {
    const [own, other] = [await app.get(path, { headers: { cookie, ...asked } }), await app.get(path)]
    expect([own.status, own.headers['cache-control'], own.body]).toEqual([200, 'no-cache', other.body])
    expect(own.headers.vary).not.toMatch(/cookie/i)
  }
})

test('responses to people are not cached, and those to visitors are not theirs', async () => {
  const { cookie } = await signIn()
  expect((await whoAmI('', {})).body).toEqual(nobody)
  const own = await whoAmI(cookie)
  expect([own.body, own.headers['cache-control']]).toEqual([ada, 'private, no-store'])
  expect((await whoAmI('', asked)).body).toEqual(nobody)
})

test('the Authorization header goes before the cookie', async () => {
  const { cookie } = await signIn()
  const eve = await app.signIn('editor')
  const { body } = await whoAmI(cookie, { ...asked, authorization: eve.authorization })
  expect(body).toEqual({ data: { viewer: { login: eve.login } } })
})

describe('a session ends', () => {
  const ended = { status: 401, headers: { 'www-authenticate': 'Bearer' } }

  test('by signing out, which removes the cookies', async () => {
    const { cookie } = await signIn()
    const { status, headers, cookies } = await post('/fr/sign-out', {}, { cookie })
    expect([status, headers.location]).toEqual([303, '/fr/'])
    expect(cookies).toEqual([
      'session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      'signed-in=; Max-Age=0; Path=/; SameSite=Lax',
    ])
    const { body, ...reply } = await whoAmI(cookie)
    expect(reply).toMatchObject(ended)
    expect(body.errors[0]).toMatchObject({ message: 'Your session has ended. Sign in again.' })
  })

  test('by revoking it in the list of devices', async () => {
    const [{ cookie }, { cookie: other }] = [await signIn(), await signIn()]
    const { id } = await app.db.credential.findFirstOrThrow({ where: { kind: 'session' }, orderBy: { id: 'desc' } })
    const revoke = 'mutation ($id: ID!) { revokeCredential(input: { id: $id }) { userErrors { message } } }'
    await app.graphql(revoke, { id }, '', { cookie, ...asked })
    expect(await whoAmI(other)).toMatchObject(ended)
    expect((await whoAmI(cookie)).body).toEqual(ada)
  })

  test('when the same browser signs in again', async () => {
    const { cookie } = await signIn()
    const again = await signIn({}, { cookie })
    expect(await whoAmI(cookie)).toMatchObject(ended)
    expect((await whoAmI(again.cookie)).body).toEqual(ada)
  })

  test('when its user is deleted', async () => {
    const { cookie } = await signIn()
    await app.db.user.deleteMany({ where: { login: 'ada' } })
    expect(await whoAmI(cookie)).toMatchObject(ended)
  })

  test('30 days after its last use, and is deleted then', async () => {
    const { cookie } = await signIn()
    const sessions = () => app.db.credential.findMany({ where: { kind: 'session' }, select: { lastUsedAt: true } })
    app.clock.now = new Date(now.getTime() + days(29))
    expect((await whoAmI(cookie)).body).toEqual(ada)
    // The request does not wait until its use is recorded.
    await expect.poll(sessions).toEqual([{ lastUsedAt: app.clock.now }])
    app.clock.now = new Date(now.getTime() + days(58))
    expect((await whoAmI(cookie)).body).toEqual(ada)
    await expect.poll(sessions).toEqual([{ lastUsedAt: app.clock.now }])
    await deleteOldRows(app.db, app.settings, app.clock.now)
    app.clock.now = new Date(now.getTime() + days(88))
    expect(await whoAmI(cookie)).toMatchObject(ended)
    await deleteOldRows(app.db, app.settings, new Date(app.clock.now.getTime() + 1))
    expect(await sessions()).toEqual([])
  })
})

test('one address may send 50 invalid sessions a minute, and valid ones and passwords after that', async () => {
  const { cookie } = await signIn()
  const statusOf = async (session: string) =>
    (await post('/account', { action: 'none', id: '1' }, { cookie: session })).status
  const statuses: number[] = []
  for (let guess = 0; guess < 51; guess += 1) statuses.push(await statusOf(`session=guess${guess}`))
  expect(statuses).toEqual([...Array(50).fill(303), 429])
  expect(await statusOf(cookie)).toBe(303)
  expect((await signIn()).status).toBe(303)
})

test('a demoted user keeps the session with the new rights', async () => {
  const { cookie } = await signIn()
  await app.db.user.updateMany({ where: { login: 'ada' }, data: { role: 'subscriber' } })
  const { body } = await app.graphql('{ viewer { role } }', {}, '', { cookie, ...asked })
  expect(body).toEqual({ data: { viewer: { role: 'SUBSCRIBER' } } })
})

test('signing in replaces a session that an attacker has planted (session fixation)', async () => {
  const planted = 'session=planted'
  const { cookie } = await signIn({}, { cookie: planted })
  expect(cookie).not.toContain('planted')
  expect((await whoAmI(planted)).status).toBe(401)
})

test('the secret of a session is no token and no password', async () => {
  const { cookie } = await signIn()
  const secret = /session=(\w+)/.exec(cookie)?.[1] ?? ''
  expect((await app.graphql('{ viewer { login } }', {}, '', { authorization: bearer(secret) })).status).toBe(401)
  expect((await signIn({ password: secret })).status).toBe(403)
  const { id } = await app.db.user.findFirstOrThrow()
  const token = await createCredential(app.db, id, 'api_token')
  expect((await whoAmI(`session=${token}`)).status).toBe(401)
})

describe('a wrong password', () => {
  test('and an unknown login get the same response', async () => {
    const wrong = await signIn({ password: 'wrong' })
    const unknown = await signIn({ login: 'eve' })
    expect([wrong.status, wrong.cookies, unknown.status]).toEqual([403, [], 403])
    expect(wrong.headers['www-authenticate']).toBeUndefined()
    expect(wrong.body).toContain('role="alert">The login or password is not valid.')
    // Every page has a challenge of its own for passkeys.
    const withoutChallenge = (body: string) => body.replace(/challenge&#34;:&#34;[\w-]+/, '')
    expect(withoutChallenge(unknown.body.replace('value="eve"', 'value="ada"'))).toBe(withoutChallenge(wrong.body))
    expect(wrong.body).not.toContain('value="wrong"')
  })

  test('counts like one of HTTP Basic', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await signIn({ password: 'wrong' })).status)
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429])
    const refused = await signIn()
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  })

  test.each<[string, Fields]>([
    ['an empty password', { password: '' }],
    ['an empty login', { login: '' }],
    ['NUL in the login', { login: 'a\0db' }],
    ['a password of 5000 characters', { password: 'x'.repeat(5000) }],
  ])('%s', async (_name, fields) => {
    expect((await signIn(fields)).status).toBe(403)
  })
})

test.each<Fields>([
  { origin: 'https://evil.test' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('a form of another site signs nobody in or out: %j', async (headers) => {
  const { status, cookies } = await signIn({}, headers)
  expect([status, cookies]).toEqual([403, []])
  const { cookie } = await signIn({}, { origin: 'http://calendar.test', 'sec-fetch-site': 'same-origin' })
  expect((await post('/sign-out', {}, { cookie, ...headers })).status).toBe(403)
  expect((await whoAmI(cookie)).body).toEqual(ada)
})

test('the parameter next leads to paths of this site only', async () => {
  const others = [
    ...['//evil.test', '/\\evil.test', '/\t/evil.test', '/.//evil.test', '/%2e//evil.test'],
    ...['https://evil.test/', 'javascript:alert(1)', ''],
  ]
  for (const next of others) expect((await signIn({ next })).headers.location, next).toBe('/edit/')
  const own = '/edit/events/12?view=list#top'
  expect((await signIn({ next: own })).headers.location).toBe(own)
})

test('the pages work without scripts, in each language, and in no frame', async () => {
  const { status, headers, body } = await app.get('/es/sign-in?next=%2Fedit%2Fqueue')
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'.*frame-ancestors 'none'$/,
  )
  expect(body).toContain('<h1>Iniciar sesión</h1>')
  expect(body).toContain('<form method="post" action="/es/sign-in">')
  expect(body).toContain('name="next" value="/edit/queue"')
  expect((await app.get('/sign-out')).headers['content-security-policy']).not.toContain('script-src')
})
