// People sign in at the OIDC issuer of the site, which sends them back with a code.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JWK } from 'jose'
import Provider from 'oidc-provider'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeKey } from './issuer.ts'

let database: TestApp
let app: TestApp
let server: Server
let issuer: string
let key: JWK

const callback = 'http://calendar.test/sign-in/oidc/callback'
const client = {
  client_id: 'calendar',
  redirect_uris: [callback],
  response_types: ['code'],
  grant_types: ['authorization_code'],
}

/** Starts an issuer whose users may choose any name. */
async function startIssuer(secret: string | undefined): Promise<void> {
  server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = secret === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: secret }
  const provider = new Provider(issuer, {
    ...{ jwks: { keys: [key] }, clients: [{ ...client, ...own }], cookies: { keys: ['cookie'] } },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles'], email: ['email'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `The ${id}`,
        preferred_username: id,
        email: `${id}@town.test`,
        roles: ['editor'],
      }),
    }),
    features: { devInteractions: { enabled: true } },
  })
  server.on('request', provider.callback())
}

beforeAll(async () => {
  // Silences the warning of the issuer library that it is not configured for production.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  key = await makeKey('first')
  database = await openTestApp()
})
afterAll(() => database?.close())

const begin = async (secret: string | undefined, env: Record<string, string> = {}) => {
  await startIssuer(secret)
  const own: Record<string, string> = secret === undefined ? {} : { OIDC_CLIENT_SECRET: secret }
  app = await serve(database, { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'calendar', ...own, ...env })
}
beforeEach(() => truncate(database.db))
afterEach(async () => {
  await app.app.close()
  server.close()
  server.closeAllConnections()
})

/** The cookies of a browser. */
function createJar() {
  const cookies = new Map<string, string>()
  return {
    header: () => [...cookies].map((cookie) => cookie.join('=')).join('; '),
    store(lines: readonly string[]): void {
      for (const line of lines) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
    names: () => [...cookies.keys()],
  }
}

const linesOf = (header: unknown) => [header ?? []].flat().map(String)

async function open(url: string, jar: ReturnType<typeof createJar>, instance = app) {
  const { pathname, search } = new URL(url, 'http://calendar.test')
  const response = await instance.app.inject({ url: pathname + search, headers: { cookie: jar.header() } })
  jar.store(linesOf(response.headers['set-cookie']))
  return { status: response.statusCode, location: String(response.headers.location), body: response.payload }
}

/** Signs in at the issuer, and returns the URL to which the issuer sends the browser back. */
async function signInAtIssuer(start: string, login: string): Promise<string> {
  const jar = createJar()
  let url = start
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    const init = form === undefined ? {} : { method: 'POST', body: form }
    const response = await fetch(url, { ...init, headers: { cookie: jar.header() }, redirect: 'manual' })
    jar.store(response.headers.getSetCookie())
    form = undefined
    const location = response.headers.get('location')
    if (location !== null) url = new URL(location, url).href
    else {
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(await response.text()) ?? []
      form = new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'x' } : { prompt })
    }
    if (url.startsWith(callback)) return url
  }
  throw new Error(`The issuer did not send the browser back: ${url}`)
}

/** Begins on the sign-in page and returns where the issuer sends the browser. */
async function signIn(login = 'ada', path = '/sign-in/oidc') {
  const jar = createJar()
  const start = await open(path, jar)
  return { jar, start, back: await signInAtIssuer(start.location, login) }
}

async function viewerOf(jar: ReturnType<typeof createJar>) {
  const headers = { cookie: jar.header(), 'x-requested-with': 'editor' }
  return (await app.graphql('{ viewer { login name email role } }', {}, '', headers)).body.data?.viewer
}

test.each([
  ['a secret', 'secret of the client'],
  ['no secret', undefined],
])('a client with %s', async (_name, secret) => {
  await begin(secret)
  expect((await open('/fr/sign-in?next=/edit/queue', createJar())).body).toContain(
    '<a class="button" href="/fr/sign-in/oidc?next&#61;%2Fedit%2Fqueue">Se connecter avec 127.0.0.1</a>',
  )
  const { jar, start, back } = await signIn('ada', '/sign-in/oidc?next=/edit/queue')
  expect(Object.fromEntries(new URL(start.location).searchParams)).toMatchObject({
    ...{ client_id: 'calendar', redirect_uri: callback, response_type: 'code', scope: 'openid profile email' },
    code_challenge_method: 'S256',
  })
  expect(await open(back, jar)).toMatchObject({ status: 303, location: '/edit/queue' })
  expect(jar.names()).toEqual(['session', 'signed-in'])
  expect(await viewerOf(jar)).toEqual({ login: 'ada', name: 'The ada', email: 'ada@town.test', role: 'SUBSCRIBER' })
})

test('the role comes from the claim, at each sign-in', async () => {
  await begin('secret of the client', { OIDC_ROLE_CLAIM: 'roles' })
  const { jar, back } = await signIn()
  await open(back, jar)
  expect(await viewerOf(jar)).toMatchObject({ role: 'EDITOR' })
  await app.db.user.updateMany({ data: { role: 'administrator' } })
  const again = await signIn()
  await open(again.back, again.jar)
  expect(await viewerOf(again.jar)).toMatchObject({ role: 'EDITOR' })
  expect(await app.db.user.count()).toBe(1)
})

describe('nobody is signed in', () => {
  beforeEach(() => begin('secret of the client'))

  const refused = { status: 422, body: expect.stringContaining('Signing in did not work.') }

  test('by the code of somebody else, in another browser', async () => {
    const { back } = await signIn('eve')
    const victim = createJar()
    expect(await open(back, victim)).toMatchObject(refused)
    await open('/sign-in/oidc', victim)
    expect(await open(back, victim)).toMatchObject(refused)
    expect(await viewerOf(victim)).toBeNull()
  })

  test('by a code twice', async () => {
    const { jar, back } = await signIn()
    const before = createJar()
    before.store(jar.header().split('; '))
    expect((await open(back, jar)).status).toBe(303)
    expect(await open(back, jar)).toMatchObject(refused)
    expect(await open(back, before)).toMatchObject(refused)
  })

  test.each([
    ['another state', (back: URL) => back.searchParams.set('state', 'other')],
    ['another code', (back: URL) => back.searchParams.set('code', 'other')],
    ['another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.test')],
    ['an error of the issuer', (back: URL) => back.searchParams.set('error', 'access_denied')],
  ])('with %s', async (_name, change) => {
    const { jar, back } = await signIn()
    const url = new URL(back)
    change(url)
    expect(await open(url.href, jar)).toMatchObject(refused)
    expect(jar.names()).toEqual(['oidc'])
  })

  test('and sent to another site', async () => {
    const { jar, back } = await signIn('ada', '/sign-in/oidc?next=//evil.test')
    expect((await open(back, jar)).location).toBe('/edit/')
  })

  test('and sent to another site by a changed cookie', async () => {
    const { jar, back } = await signIn()
    const [, stored = ''] = /oidc=([^;]+)/.exec(jar.header()) ?? []
    const changed = { ...JSON.parse(decodeURIComponent(stored)), next: '//evil.test' }
    jar.store([`oidc=${encodeURIComponent(JSON.stringify(changed))}`])
    expect((await open(back, jar)).location).toBe('/edit/')
  })

  test('after too many failures, which count as failed sign-ins', async () => {
    const { jar, back } = await signIn()
    const url = new URL(back)
    url.searchParams.set('state', 'other')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 51; attempt += 1) statuses.push((await open(url.href, jar)).status)
    expect(statuses).toEqual([...Array(50).fill(422), 429])
    expect((await open(back, jar)).status).toBe(429)
  })

  test('while the issuer cannot be reached', async () => {
    server.close()
    server.closeAllConnections()
    expect((await open('/sign-in/oidc', createJar())).status).toBe(503)
  })
})

test('without OIDC_CLIENT_ID the page has no link', async () => {
  await begin(undefined)
  expect((await open('/sign-in', createJar(), database)).body).not.toContain('oidc')
  expect((await open('/sign-in/oidc', createJar(), database)).status).toBe(404)
})
