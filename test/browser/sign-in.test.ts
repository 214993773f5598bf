// People sign in in a browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFirstLink } from '../../src/service/auth/sign-in-links.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { expectAccessible, openBrowser, visit } from '../helpers/browser.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { freePort } from '../helpers/process.ts'
import { makeUser } from '../helpers/users.ts'

let app: TestApp
let browser: Browser
let address: string
let event: number

const password = 'four words in a row'

beforeAll(async () => {
  // Links contain PUBLIC_URL, so the service must listen there.
  const port = await freePort()
  address = `http://localhost:${port}`
  app = await openTestApp({ PUBLIC_URL: address })
  await app.app.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
  event = await makeEvent(app.db, 'Choir', {
    venueIds: [await makeVenue(app.db, 'Hall')],
    organizerIds: [await makeOrganizer(app.db, 'Club')],
  })
})
afterAll(async () => {
  await app?.close()
})
beforeEach(() => app.db.user.deleteMany())

/** Opens the first link in a new browser, and chooses a password. */
async function begin(role: 'administrator' | 'subscriber' = 'administrator') {
  const { id } = await makeUser(app.db, 'administrator', { login: 'ada', name: 'Ada' })
  const link = await createFirstLink(app.db, app.settings, app.clock.now)
  const visited = await visit(browser, link?.url ?? '')
  const { page } = visited
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the new password').fill(password)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.waitForURL(`${address}/edit/`)
  await app.db.user.update({ where: { id }, data: { role } })
  return visited
}

test('the pages have no barriers', async () => {
  const { page } = await begin()
  for (const path of ['/sign-in', '/sign-out', '/account', '/sign-in/link?token=unknown']) {
    await page.goto(address + path)
    await expectAccessible(page)
  }
  await page.goto(`${address}/fr/account`)
  await page.getByRole('button', { name: 'Se déconnecter partout' }).click()
  await page.waitForURL(`${address}/fr/sign-in`)
  await page.getByLabel('Identifiant').fill('ada')
  await page.getByLabel('Mot de passe').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
})

describe('the link to the editor', () => {
  const pages = () =>
    [
      ['/event/choir/', 'Edit', `/edit/events/${event}`],
      ['/venue/hall/', 'Edit', /\/edit\/venues\/\d+$/],
      ['/organizer/club/', 'Edit', /\/edit\/organizers\/\d+$/],
      ['/en/', 'Open the editor', '/edit/'],
    ] as const

  test('is there for those who may edit the record', async () => {
    const { page, complaints } = await begin()
    complaints.length = 0
    for (const [path, name, href] of pages()) {
      await page.goto(address + path)
      const link = page.getByRole('link', { name, exact: true })
      await link.waitFor()
      expect(await link.getAttribute('href')).toMatch(href)
      await expectAccessible(page)
    }
    expect(complaints).toEqual([])
  })

  test('is not there for others', async () => {
    const { page } = await begin('subscriber')
    for (const [path, name] of pages()) {
      const asked = page.waitForResponse(`${address}/graphql`)
      await page.goto(address + path)
      await (await asked).finished()
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
    }
  })

  test('is not looked for by visitors, nor again after a session has ended', async () => {
    const { page } = await begin()
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await app.db.credential.updateMany({ data: { revokedAt: app.clock.now } })
    const asked = page.waitForResponse(`${address}/graphql`)
    await page.goto(`${address}/event/choir/`)
    expect((await asked).status()).toBe(401)
    await expect.poll(() => page.evaluate('document.cookie')).toBe('')
    requests.length = 0
    await page.goto(`${address}/event/choir/`, { waitUntil: 'networkidle' })
    expect(requests).not.toContain('/graphql')
    const visitor = await visit(browser, address)
    expect(await visitor.page.getByRole('link', { name: 'Open the editor' }).count()).toBe(0)
  })
})

describe('a passkey', () => {
  /** Gives the browser an authenticator that confirms everything. */
  async function addAuthenticator(page: Page) {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    const confirming = { isUserVerified: true, automaticPresenceSimulation: true }
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, ...confirming },
    })
    return { session, authenticatorId }
  }

  /** Adds a passkey on the page of the account. */
  async function add() {
    const visited = await begin()
    const { page } = visited
    const authenticator = await addAuthenticator(page)
    await page.goto(`${address}/account`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Remove: Chrome on Linux' }).waitFor()
    return { ...visited, ...authenticator }
  }

  const signInByPasskey = async (page: Page) => {
    await page.goto(`${address}/sign-in?next=/account`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  }

  test('signs in without login and password', async () => {
    const { page } = await add()
    await expectAccessible(page)
    await page.context().clearCookies()
    await signInByPasskey(page)
    await page.waitForURL(`${address}/account`)
    expect(await page.locator('.lead').textContent()).toBe('Ada (ada)')
    expect((await page.context().cookies()).map(({ name }) => name)).toContain('session')
  })

  test('does not sign in once it was removed', async () => {
    const { page } = await add()
    await page.getByRole('button', { name: 'Remove: Chrome on Linux' }).click()
    await page.getByRole('button', { name: 'Remove: Chrome on Linux' }).waitFor({ state: 'detached' })
    await page.context().clearCookies()
    await signInByPasskey(page)
    await page.getByRole('alert').filter({ hasText: 'not valid' }).waitFor()
    await expectAccessible(page)
  })

  test('is added to a device once', async () => {
    const { page } = await add()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('alert').waitFor()
    expect(await app.db.credential.count({ where: { kind: 'passkey' } })).toBe(1)
  })

  test('of another site, or one without the person, does not sign in', async () => {
    const { page, session, authenticatorId } = await add()
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.context().clearCookies()
    await signInByPasskey(page)
    await page.getByRole('alert').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  /** What the form sends to sign in. */
  async function signed(): Promise<{ passkey: string; page: Page }> {
    const { page } = await add()
    await page.context().clearCookies()
    const posted = page.waitForRequest((request) => request.method() === 'POST')
    await signInByPasskey(page)
    const passkey = new URLSearchParams((await posted).postData() ?? '').get('passkey') ?? ''
    await page.waitForURL(`${address}/account`)
    return { passkey, page }
  }

  const send = (passkey: string, instance = app) =>
    instance.send('POST', '/sign-in', new URLSearchParams({ passkey }).toString())

  test('signs a challenge that counts once, and only with the key of the person', async () => {
    const { passkey } = await signed()
    expect((await send(passkey)).status).toBe(403)
    const { id, response, ...rest } = JSON.parse(passkey)
    for (const forged of [
      { ...rest, id, response: { ...response, signature: Buffer.from('x'.repeat(70)).toString('base64url') } },
      { ...rest, id: 'unknown', response },
      { ...rest, id, response: { ...response, clientDataJSON: '' } },
      { ...rest, id: 1, response: null },
      [],
    ])
      expect((await send(JSON.stringify(forged))).status).toBe(403)
    expect((await send('{')).status).toBe(403)
    expect(await app.db.credential.count({ where: { kind: 'session' } })).toBe(2)
  })

  test('counts failures like wrong passwords', async () => {
    const other = await serve(app)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 52; attempt += 1) statuses.push((await send('{}', other)).status)
    expect(statuses).toEqual([...Array(50).fill(403), 429, 429])
    await other.app.close()
  })
})
