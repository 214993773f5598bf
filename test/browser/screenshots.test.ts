// Makes the screenshots of the documentation, with SCREENSHOTS=on. The photographs of the sample events are on hosts of
// their owners: drawings take their place.

import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../helpers/browser.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

const folder = new URL('../../docs/screenshots/', import.meta.url)
const event = '/fr/event/une-experience-mysterieuse-visite-nocturne-des-archives/'
const desk = { viewport: { width: 1440, height: 1300 }, deviceScaleFactor: 2 / 3 }
const phone = { viewport: { width: 390, height: 900 }, isMobile: true }

const shots: readonly [name: string, path: string, options: BrowserContextOptions][] = [
  ['calendar', '/fr/', desk],
  ['calendar-phone', '/fr/?month=2026-12', phone],
  ['list-dark', '/en/?view=list&category=music', { ...desk, colorScheme: 'dark' }],
  ['event', event, desk],
  ['event-phone-dark', event, { ...phone, colorScheme: 'dark' }],
]

describe.runIf(process.env.SCREENSHOTS)('screenshots', () => {
  let app: SampleApp
  let browser: Browser
  let address: string
  beforeAll(async () => {
    app = await openSampleApp({ SITE_NAME: 'Agenda', SITE_TIMEZONE: 'Europe/Paris' })
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    address = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  test.each(shots)('%s', async (name, path, options) => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.route(
      ({ origin }) => origin !== address,
      (route) => route.fulfill({ contentType: 'image/svg+xml', body: drawing(route.request().url()) }),
    )
    await page.goto(address + path, { waitUntil: 'networkidle' })
    const image = await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)) })
    await context.close()
    expect(image.length).toBeLessThan(250_000)
  })
})

/** Hills under a sun, in colours that depend on the URL. */
function drawing(url: string): string {
  const seed = [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_003, 7)
  const [hue, x, y] = [seed % 360, 200 + (seed % 800), 150 + (seed % 250)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800">
<rect width="1200" height="800" fill="hsl(${hue} 45% 62%)"/><circle cx="${x}" cy="${y}" r="130" fill="hsl(${hue + 40} 90% 80%)"/>
<path d="M0 ${520 + (seed % 60)}Q300 ${330 + (seed % 90)} 620 540T1200 ${430 + (seed % 70)}V800H0z" fill="hsl(${hue + 15} 40% 38%)"/>
<path d="M0 670Q400 ${490 + (seed % 80)} 720 670T1200 600V800H0z" fill="hsl(${hue + 20} 45% 22%)"/></svg>`
}
