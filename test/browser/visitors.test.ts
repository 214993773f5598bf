// The pages of the sample, as visitors use them on a desk and on a phone.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeSamplePictures } from '../../src/cli/sample/town.ts'
import { findings, openBrowser, overflow, visit } from '../helpers/browser.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

let app: SampleApp
let browser: Browser
let address: string

beforeAll(async () => {
  // Pictures are shown from PUBLIC_URL only, so the service must listen there.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  app = await openSampleApp({ PUBLIC_URL: `http://127.0.0.1:${port}`, SITE_TIMEZONE: 'Atlantic/Canary' })
  await storeSamplePictures(app.settings.imagesDir)
  address = await app.app.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

const open = async (path: string, options?: BrowserContextOptions) =>
  (await visit(browser, address + path, options)).page

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const desk = { viewport: { width: 1440, height: 900 } }
const screens = [
  ['a small phone', { ...phone, viewport: { width: 320, height: 568 } }],
  ['a phone', phone],
  ['a desk', desk],
] as const

describe('a poster', () => {
  test.each(screens)('is shown whole on %s, with the facts near, and opens in full size', async (_screen, options) => {
    const page = await open('/en/event/the-long-night-of-jazz/', options)
    const image = page.locator('.picture img')
    const [shown, file, fit] = await image.evaluate(async (element: HTMLImageElement) => {
      await element.decode()
      const { width, height } = element.getBoundingClientRect()
      const { objectFit } = getComputedStyle(element)
      return [{ width, height }, [element.naturalWidth, element.naturalHeight], objectFit] as const
    })
    const [width = 0, height = 0] = file
    expect(height).toBeGreaterThan(width)
    expect(fit).toBe('contain')
    expect(shown.height).toBeLessThan(options.viewport.height)
    // No more of the place is empty than the height allows.
    expect(shown.width / shown.height / (width / height)).toBeLessThan(1.05)
    const facts = await page.locator('.facts').boundingBox()
    expect(facts?.y).toBeLessThan(2 * options.viewport.height)
    expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['1024', '1434'])
    expect(await overflow(page)).toBe(0)
    await page.getByRole('link', { name: 'Open the picture in full size' }).press('Enter')
    await page.waitForURL(/\/images\/[^/]+$/)
    expect(await page.locator('img').evaluate((element: HTMLImageElement) => element.naturalHeight)).toBe(1434)
  })

  test('is a link with a name in each language', async () => {
    for (const [path, name] of [
      ['/en/event/the-long-night-of-jazz/', 'Open the picture in full size'],
      ['/fr/event/la-longue-nuit-du-jazz/', 'Ouvrir l’image en taille réelle'],
      ['/es/event/la-larga-noche-del-jazz/', 'Abrir la imagen a tamaño completo'],
    ] as const) {
      const page = await open(path, phone)
      expect(await page.getByRole('link', { name }).count(), path).toBe(1)
      expect(await findings(page)).toEqual([])
    }
  })
})
