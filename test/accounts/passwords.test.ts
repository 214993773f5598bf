// Passwords that people choose: by a link that signs them in once, and on the page of their account.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureAdministrator } from '../../src/service/auth/first-administrator.ts'
import { createFirstLink } from '../../src/service/auth/sign-in-links.ts'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { startMailServer } from '../helpers/smtp.ts'
import { basic, createCredential, makeUser } from '../helpers/users.ts'

let app: TestApp
let place = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

beforeEach(async () => {
  place += 1
  app.clock.now = now
  await truncate(app.db)
})

type Fields = Readonly<Record<string, string>>

async function post(path: string, fields: Fields, headers: Fields = {}, { app: instance }: TestApp = app) {
  const response = await instance.inject({
    ...{ method: 'POST', url: path, remoteAddress: `10.2.${place >> 8}.${place & 255}` },
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
  const cookie = [response.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  return { status: response.statusCode, headers: response.headers, body: response.payload, cookie: cookie.join('; ') }
}

const loginOf = async (cookie: string) => {
  const { body } = await app.graphql('{ viewer { login } }', {}, '', { cookie, 'x-requested-with': 'editor' })
  return body.data?.viewer?.login
}

const twice = (password: string) => ({ newPassword: password, repeated: password })
const signIn = (login: string, password: string) => post('/sign-in', { login, password })
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''

async function invite(login: string) {
  const administrator = await app.signIn('administrator')
  const { id } = await makeUser(app.db, 'editor', { login, name: 'Grace Hopper', email: `${login}@town.test` })
  const { outcome } = (await administrator.graphql(createLink, { id })).body.data
  return { administrator, id, outcome, token: tokenOf(outcome.url) }
}

const createLink = `mutation ($id: ID!) { outcome: createSignInLink(input: { userId: $id }) {
  user { login } url mailedTo expiresAt userErrors { code path } } }`

describe('an invitation', () => {
  test('signs in once, with a password that the person chooses', async () => {
    const { outcome, token } = await invite('grace')
    expect(outcome).toEqual({
      ...{ user: { login: 'grace' }, mailedTo: null, userErrors: [] },
      url: expect.stringMatching(/^http:\/\/calendar\.test\/sign-in\/link\?token=\w{43}$/),
      expiresAt: '2026-11-28T12:00:00.000Z',
    })
    const { body, headers } = await app.get(`/fr/sign-in/link?token=${token}`)
    expect(body).toContain('<strong>grace</strong>')
    expect(headers['cache-control']).toBe('no-store')
    const used = await post('/sign-in/link', { token, ...twice('four words in a row') })
    expect([used.status, used.headers.location]).toEqual([303, '/edit/'])
    expect(await loginOf(used.cookie)).toBe('grace')
    expect((await signIn('grace', 'four words in a row')).status).toBe(303)
    expect(
      (await app.as({ authorization: basic('grace', 'four words in a row') }).graphql('{ viewer { login } }')).body,
    ).toEqual({
      data: { viewer: { login: 'grace' } },
    })
  })

  test('is used up by one of several requests at once', async () => {
    const { token } = await invite('grace')
    const names = ['first password', 'second password', 'third password']
    const replies = await Promise.all(names.map((name) => post('/sign-in/link', { token, ...twice(name) })))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422])
    const winner = names[replies.findIndex(({ status }) => status === 303)] ?? ''
    expect((await signIn('grace', winner)).status).toBe(303)
    expect(await app.db.credential.count({ where: { hash: { startsWith: 'scrypt$' } } })).toBe(1)
  })

  test('is not used up by opening it, by a mistake, or by a form of another site', async () => {
    const { token } = await invite('grace')
    await app.get(`/sign-in/link?token=${token}`)
    const short = await post('/sign-in/link', { token, ...twice('too short') })
    expect([short.status, short.body]).toEqual([422, expect.stringContaining('At least 10 characters.')])
    const different = await post('/sign-in/link', { token, newPassword: 'one password', repeated: 'other password' })
    expect([different.status, different.body]).toEqual([422, expect.stringContaining('The two passwords differ.')])
    const foreign = { origin: 'https://evil.test' }
    expect((await post('/sign-in/link', { token, ...twice('chosen by evil') }, foreign)).status).toBe(403)
    expect((await post('/sign-in/link', { token, ...twice('chosen by grace') })).status).toBe(303)
  })

  test.each<[string, (token: string) => unknown]>([
    ['after it has expired', () => Object.assign(app.clock, { now: new Date('2026-11-28T12:00:00Z') })],
    ['after it was revoked', () => app.db.credential.updateMany({ data: { revokedAt: now } })],
    ['after its user was deleted', () => app.db.user.deleteMany({ where: { login: 'grace' } })],
    ['after it was used', (token) => post('/sign-in/link', { token, ...twice('another password') })],
  ])('is not valid %s', async (_name, end) => {
    const { token } = await invite('grace')
    await end(token)
    expect((await app.get(`/sign-in/link?token=${token}`)).body).toContain('This link is not valid')
    expect((await post('/sign-in/link', { token, ...twice('chosen later on') })).status).toBe(422)
  })

  test('only administrators create invitations, and an invitation does not work as a token', async () => {
    const { id, token } = await invite('grace')
    for (const role of ['editor', 'subscriber'] as const) {
      const { body } = await (await app.signIn(role)).graphql(createLink, { id })
      expect(body.data.outcome).toMatchObject({ url: null, userErrors: [{ code: 'FORBIDDEN' }] })
    }
    expect((await app.graphql(createLink, { id })).body.data.outcome.userErrors).toMatchObject([
      { code: 'UNAUTHENTICATED' },
    ])
    const headers = [{ authorization: `Bearer ${token}` }, { authorization: basic('grace', token) }]
    for (const header of headers) expect((await app.get('/cal/events/v1/tags', { headers: header })).status).toBe(401)
    expect(await loginOf(`session=${token}`)).toBeUndefined()
  })

  test('for somebody with a password is valid for one hour', async () => {
    const { id, administrator, token } = await invite('grace')
    await post('/sign-in/link', { token, ...twice('chosen by grace') })
    const { body } = await administrator.graphql(createLink, { id })
    expect(body.data.outcome.expiresAt).toBe('2026-11-21T13:00:00.000Z')
  })
})

describe('the link of the first start', () => {
  const first = (at = now) => createFirstLink(app.db, app.settings, at)
  const later = new Date(now.getTime() + 3_600_000)

  const start = () =>
    app.db.$transaction((tx) => ensureAdministrator(tx, { adminLogin: undefined, adminPassword: undefined }))

  test('is created until an administrator has chosen a password, and ends the one before', async () => {
    await start()
    const [former, last] = [await first(), await first(later)]
    expect(last).toMatchObject({ login: 'admin', expiresAt: new Date('2026-11-22T13:00:00Z') })
    const open = (link: typeof last, password: string) =>
      post('/sign-in/link', { token: tokenOf(link?.url ?? ''), ...twice(password) })
    expect((await open(former, 'chosen by evil')).status).toBe(422)
    expect(await loginOf((await open(last, 'chosen by admin')).cookie)).toBe('admin')
    expect(await first()).toBeUndefined()
  })

  test.each<[string, (userId: number) => unknown]>([
    ['a passkey', (userId) => createCredential(app.db, userId, 'passkey')],
    ['an account of the issuer', (id) => app.db.user.update({ where: { id }, data: { oidcSubject: 'ada' } })],
  ])('is not created if an administrator has %s', async (_name, add) => {
    await start()
    await add((await app.signIn('administrator')).id)
    expect(await first()).toBeUndefined()
  })

  test('of several instances that start together works until one of them is used', async () => {
    await start()
    const links = await Promise.all([first(), first(), first()])
    const [one, other] = links.map((link) => ({ token: tokenOf(link?.url ?? ''), ...twice('chosen by admin') }))
    const { cookie } = await post('/sign-in/link', other ?? {})
    expect(await loginOf(cookie)).toBe('admin')
    expect((await post('/sign-in/link', one ?? {})).status).toBe(422)
  })

  test('is not created on a site whose people sign in at an issuer', async () => {
    await start()
    expect(await createFirstLink(app.db, { ...app.settings, oidcClientId: 'calendar' }, now)).toBeUndefined()
  })

  test('is not created with ADMIN_PASSWORD', async () => {
    await app.db.$transaction((tx) => ensureAdministrator(tx, { adminLogin: 'ada', adminPassword: 'secret' }))
    expect(await first()).toBeUndefined()
  })
})

describe('a new password', () => {
  const settings = { adminLogin: 'ada', adminPassword: 'correct horse' }
  beforeEach(() => app.db.$transaction((tx) => ensureAdministrator(tx, settings)))

  const change = (cookie: string, fields: Fields) => post('/account', { action: 'password', ...fields }, { cookie })

  test('ends all other sessions, and the former password', async () => {
    const [{ cookie }, { cookie: other }] = [await signIn('ada', 'correct horse'), await signIn('ada', 'correct horse')]
    const fields = { currentPassword: 'correct horse', ...twice('battery staple') }
    const { status, headers } = await change(cookie, fields)
    expect([status, headers.location]).toEqual([303, '/account?saved=1'])
    expect([await loginOf(cookie), await loginOf(other)]).toEqual(['ada', undefined])
    expect((await signIn('ada', 'correct horse')).status).toBe(403)
    expect((await signIn('ada', 'battery staple')).status).toBe(303)
    // A restart does not bring ADMIN_PASSWORD back.
    await app.db.$transaction((tx) => ensureAdministrator(tx, settings))
    expect((await signIn('ada', 'correct horse')).status).toBe(403)
    expect((await signIn('ada', 'battery staple')).status).toBe(303)
  })

  test('needs the present one, whose guesses count as failed sign-ins', async () => {
    const { cookie } = await signIn('ada', 'correct horse')
    const wrong = { currentPassword: 'guessed', ...twice('battery staple') }
    const statuses: number[] = []
    for (let guess = 0; guess < 11; guess += 1) statuses.push((await change(cookie, wrong)).status)
    expect(statuses).toEqual([...Array(10).fill(422), 429])
    expect((await change(cookie, twice('battery staple'))).status).toBe(429)
    expect(await loginOf(cookie)).toBe('ada')
  })

  test('is refused to a credential that expires, and so is a link', async () => {
    const { id } = await app.db.user.findFirstOrThrow({ where: { login: 'ada' } })
    const brief = `mutation { createApiToken(input: { name: "x", expiresAt: "2026-12-01T00:00:00Z" }) { secret } }`
    const ada = app.as({ authorization: basic('ada', 'correct horse') })
    const { secret } = (await ada.graphql(brief)).body.data.createApiToken
    const set = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { userErrors { code } } }`
    const input = { currentPassword: 'correct horse', newPassword: 'battery staple' }
    const { body } = await app.as({ authorization: `Bearer ${secret}` }).graphql(set, { input })
    expect(body.data.changePassword.userErrors).toEqual([{ code: 'FORBIDDEN' }])
    expect((await app.graphql(set, { input })).body.data.changePassword.userErrors).toEqual([
      { code: 'UNAUTHENTICATED' },
    ])
    expect(await app.db.credential.count({ where: { userId: id, name: 'Password' } })).toBe(0)
    const link = await app.as({ authorization: `Bearer ${secret}` }).graphql(createLink, { id })
    expect(link.body.data.outcome).toMatchObject({ url: null, userErrors: [{ code: 'FORBIDDEN' }] })
  })
})

describe('the page of the account', () => {
  beforeEach(() =>
    app.db.$transaction((tx) => ensureAdministrator(tx, { adminLogin: 'ada', adminPassword: 'correct horse' })),
  )

  test('is only for people who are signed in', async () => {
    const { status, headers } = await app.get('/fr/account')
    expect([status, headers.location]).toEqual([303, '/fr/sign-in?next=%2Ffr%2Faccount'])
    const ended = await app.get('/account', { headers: { cookie: 'session=ended' } })
    expect([ended.status, ended.headers.location]).toEqual([303, '/sign-in?next=%2Faccount'])
    expect((await post('/account', { action: 'everywhere' })).headers.location).toBe('/sign-in?next=%2Faccount')
  })

  test('lists the devices, and signs out each or all of them', async () => {
    const cookies: string[] = []
    for (let device = 0; device < 3; device += 1) cookies.push((await signIn('ada', 'correct horse')).cookie)
    const [mine = ''] = cookies
    const { body } = await app.get('/account', { headers: { cookie: mine } })
    expect(body.match(/<strong>Browser on Linux<\/strong>|<strong>Browser<\/strong>/g)).toHaveLength(3)
    expect(body.match(/This device/g)).toHaveLength(1)
    const id = /name="id" value="(\d+)"><button name="action" value="revoke"/.exec(body)?.[1] ?? ''
    await post('/account', { action: 'revoke', id }, { cookie: mine })
    const logins = async () => Promise.all(cookies.map(loginOf))
    expect((await logins()).filter((login) => login === 'ada')).toHaveLength(2)
    expect(
      (await post('/account', { action: 'everywhere' }, { cookie: mine, origin: 'https://evil.test' })).status,
    ).toBe(403)
    const all = await post('/account', { action: 'everywhere' }, { cookie: mine })
    expect([all.status, all.headers.location, all.cookie]).toEqual([303, '/sign-in', 'session=; signed-in='])
    expect(await logins()).toEqual([undefined, undefined, undefined])
  })

  test('ends no session of others', async () => {
    const { cookie } = await signIn('ada', 'correct horse')
    const { id } = await app.db.credential.findFirstOrThrow({ where: { kind: 'session' } })
    const { token } = await invite('grace')
    const grace = await post('/sign-in/link', { token, ...twice('chosen by grace') })
    await post('/account', { action: 'revoke', id: String(id) }, { cookie: grace.cookie })
    await post('/account', { action: 'everywhere' }, { cookie: grace.cookie })
    expect(await loginOf(cookie)).toBe('ada')
  })
})

describe('with a mail server', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let site: TestApp
  beforeAll(async () => {
    mail = await startMailServer()
    site = await serve(app, { SMTP_URL: mail.url, MAIL_FROM: 'calendar@town.test', SITE_NAME: 'Ville' })
  })
  afterAll(async () => {
    await site?.app.close()
    mail?.close()
  })
  beforeEach(() => {
    mail.mails.length = 0
    site.clock.now = now
  })

  const forgot = (login: string) => post('/sign-in/forgotten', { login }, {}, site)
  const sent = () => expect.poll(() => mail.mails.length)

  test('an invitation is mailed in the language of the person, and not shown', async () => {
    const administrator = await site.signIn('administrator')
    const columns = { login: 'grace', name: 'Grace', email: 'grace@town.test', locale: 'fr' }
    const { id } = await makeUser(app.db, 'editor', columns)
    const { body } = await administrator.graphql(createLink, { id })
    expect(body.data.outcome).toMatchObject({ url: null, mailedTo: 'grace@town.test', userErrors: [] })
    const [text = ''] = mail.mails
    expect(text).toMatch(/^From: Ville <calendar@town\.test>$/m)
    expect(text).toMatch(/^To: grace@town\.test$/m)
    expect(text).toContain('Bonjour Grace,')
    const token = /token=(\w{43})/.exec(text)?.[1] ?? ''
    expect((await post('/sign-in/link', { token, ...twice('chosen by grace') }, {}, site)).status).toBe(303)
  })

  test('a forgotten password is replaced by a link, for which one mail is sent in five minutes', async () => {
    await makeUser(app.db, 'editor', { login: 'grace', email: 'Grace@town.test' })
    const replies = await Promise.all(['grace', 'grace@TOWN.test', 'nobody'].map(forgot))
    expect(replies.map(({ status, headers }) => [status, headers.location])).toEqual(
      Array(3).fill([303, '/sign-in/forgotten?sent=1']),
    )
    await sent().toBe(1)
    await forgot('grace')
    site.clock.now = new Date(now.getTime() + 5 * 60_000)
    await forgot('grace')
    await sent().toBe(2)
    const [first = ''] = mail.mails
    const token = /token=(\w{43})/.exec(first)?.[1] ?? ''
    expect((await post('/sign-in/link', { token, ...twice('chosen by grace') }, {}, site)).status).toBe(303)
  })

  test('a link is for the address as it is typed, and for nobody of the issuer', async () => {
    await makeUser(app.db, 'editor', { login: 'grace', email: 'grace@town.test' })
    await makeUser(app.db, 'editor', { login: 'ida', email: 'ida@town.test', oidcSubject: 'ida' })
    for (const login of ['%', 'grac_@town.test', 'ida', 'ida@town.test', 'grace@town.test']) await forgot(login)
    await sent().toBe(1)
    expect(mail.mails[0]).toMatch(/^To: grace@town\.test$/m)
    expect(await app.db.credential.count({ where: { kind: 'sign_in_link' } })).toBe(1)
  })

  test('a link that could not be mailed is revoked, unlike one of an administrator, and the next request mails another', async () => {
    const { id } = await makeUser(app.db, 'editor', { login: 'grace', email: 'grace@town.test' })
    const expiresAt = new Date(now.getTime() + 600_000)
    const given = { userId: id, kind: 'sign_in_link', name: 'New password', hash: 'x', expiresAt } as const
    await app.db.credential.create({ data: { ...given, createdAt: new Date(now.getTime() - 3_000_000) } })
    const broken = await serve(app, { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'calendar@town.test' })
    await post('/sign-in/forgotten', { login: 'grace' }, {}, broken)
    const links = () =>
      app.db.credential.findMany({
        ...{ where: { userId: id, kind: 'sign_in_link' }, select: { revokedAt: true }, orderBy: { id: 'asc' } },
      })
    await expect.poll(links).toEqual([{ revokedAt: null }, { revokedAt: now }])
    await broken.app.close()
    await forgot('grace')
    await sent().toBe(1)
  })

  test('a link that a slow mail server has not taken is shown, and mailed later', async () => {
    let isReady = false
    const slow = await startMailServer(() => expect.poll(() => isReady).toBe(true))
    const sending = await serve(app, { SMTP_URL: slow.url, MAIL_FROM: 'calendar@town.test' })
    const administrator = await sending.signIn('administrator')
    const { id } = await makeUser(app.db, 'editor', { login: 'grace', email: 'grace@town.test' })
    const { body } = await administrator.graphql(createLink, { id })
    expect(body.data.outcome).toMatchObject({ mailedTo: null, userErrors: [] })
    isReady = true
    await expect.poll(() => slow.mails.length).toBe(1)
    expect(slow.mails[0]).toContain(body.data.outcome.url)
    await sending.app.close()
    slow.close()
  })

  test('password-reset requests count as failed sign-ins', async () => {
    const statuses: number[] = []
    for (let request = 0; request < 12; request += 1) statuses.push((await forgot('nobody')).status)
    expect(statuses).toEqual([...Array(10).fill(303), 429, 429])
  })

  test('the sign-in page links to the reset form only with a mail server', async () => {
    expect((await site.get('/sign-in')).body).toContain('href="/sign-in/forgotten"')
    expect((await app.get('/sign-in')).body).not.toContain('forgotten')
    expect((await app.get('/sign-in/forgotten')).status).toBe(404)
  })
})
