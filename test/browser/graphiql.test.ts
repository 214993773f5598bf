import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
let browser: Browser
let address: string

beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, { fr: 'Fête de la musique', en: 'Music day' })
  address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

/** A page and the addresses it asked for. */
async function open(path: string): Promise<{ page: Page; requests: string[] }> {
  const page = await browser.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`${address}${path}`)
  await page.locator('.graphiql-execute-button').waitFor()
  return { page, requests }
}

test('GraphiQL runs its example query and shows the answer', async () => {
  const { page } = await open('/graphql')
  await page.locator('.graphiql-execute-button').click()
  await page.getByText('"Music day"').first().waitFor()
  expect(await page.locator('.result-window').textContent()).toContain('totalCount')
})

test('the page asks no other host', async () => {
  const { requests } = await open('/fr/graphql')
  const hosts = new Set(requests.filter((url) => url.startsWith('http')).map((url) => new URL(url).origin))
  expect([...hosts]).toEqual([address])
})
