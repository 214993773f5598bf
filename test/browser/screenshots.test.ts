// Makes the screenshots of the documentation, with SCREENSHOTS=on.

import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeSamplePictures } from '../../src/tools/sample/town.ts'
import { openBrowser } from '../helpers/browser.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

const folder = new URL('../../docs/screenshots/', import.meta.url)
const event = '/fr/event/nuit-sous-les-etoiles/'
const desk = { viewport: { width: 1440, height: 1300 }, deviceScaleFactor: 2 / 3 }
const phone = { viewport: { width: 390, height: 900 }, isMobile: true }

const editor = { viewport: { width: 1440, height: 1000 }, deviceScaleFactor: 2 / 3, locale: 'en-GB' }

const shots: readonly [name: string, path: string, options: BrowserContextOptions][] = [
  ['calendar', '/fr/', desk],
  ['calendar-phone', '/fr/?month=2026-12', phone],
  ['list-dark', '/en/?view=list&category=music', { ...desk, colorScheme: 'dark' }],
  ['event', event, desk],
  ['event-phone-dark', event, { ...phone, colorScheme: 'dark' }],
  ['editor-events', '/edit/', editor],
  ['editor-event', '/edit/events/:id', editor],
  ['editor-calendar', '/edit/calendar', editor],
]

describe.runIf(process.env.SCREENSHOTS)('screenshots', () => {
  let app: SampleApp
  let browser: Browser
  let address: string
  beforeAll(async () => {
    app = await openSampleApp({ SITE_NAME: 'Agenda', SITE_TIMEZONE: 'Atlantic/Canary' })
    await storeSamplePictures(app.settings.imagesDir)
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    address = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await app?.close()
  })

  test.each(shots)('%s', async (name, path, options) => {
    const { authorization } = app
    const extraHTTPHeaders: Record<string, string> = path.startsWith('/edit') ? { authorization } : {}
    const context = await browser.newContext({ ...options, extraHTTPHeaders })
    const page = await context.newPage()
    // PUBLIC_URL of the tests is not the address of the listener.
    await page.route(
      ({ origin }) => origin === app.settings.publicUrl,
      async (route) => {
        const { pathname } = new URL(route.request().url())
        await route.fulfill({ response: await page.request.get(address + pathname) })
      },
    )
    const { body } = await app.graphql('{ events(first: 1, filter: { search: "Rosa" }) { nodes { databaseId } } }')
    await page.goto(address + path.replace(':id', body.data.events.nodes[0].databaseId), { waitUntil: 'networkidle' })
    const image = await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)) })
    await context.close()
    expect(image.length).toBeLessThan(250_000)
  })
})
