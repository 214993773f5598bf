// The pages of the sample, as visitors use them on a desk and on a phone.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeSamplePictures } from '../../src/tools/sample/town.ts'
import { expectAccessible, findings, openBrowser, overflow, visit } from '../helpers/browser.ts'
import { freePort } from '../helpers/process.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

let app: SampleApp
let browser: Browser
let address: string

beforeAll(async () => {
  // Pictures are shown from PUBLIC_URL only, so the service must listen there.
  const port = await freePort()
  app = await openSampleApp({ PUBLIC_URL: `http://127.0.0.1:${port}`, SITE_TIMEZONE: 'Atlantic/Canary' })
  await storeSamplePictures(app.settings.imagesDir)
  address = await app.app.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
afterAll(async () => {
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
    const [shown, file] = await image.evaluate(async (element: HTMLImageElement) => {
      await element.decode()
      const { width, height } = element.getBoundingClientRect()
      return [{ width, height }, [element.naturalWidth, element.naturalHeight]] as const
    })
    const [width = 0, height = 0] = file
    expect(height).toBeGreaterThan(width)
    expect(shown.height).toBeLessThan(options.viewport.height)
    expect(shown.width / shown.height / (width / height)).toBeCloseTo(1, 1)
    const facts = await page.locator('.facts').boundingBox()
    expect(facts?.y).toBeLessThan(2 * options.viewport.height)
    // Browsers keep this place until the picture is there.
    expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['388', '544'])
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

describe.each([
  ['the month', '/en/?month=2026-12', '.month'],
  ['the list', '/en/?view=list', '.cards'],
  ['the landing page', '/en/', '.month'],
])('filters of %s', (_view, path, events) => {
  test('unfold above the events on a phone, by keyboard, without scripts', async () => {
    const page = await open(path, { ...phone, javaScriptEnabled: false })
    const button = page.locator('.filters summary').first()
    expect(await button.textContent()).toBe('Filters')
    const bottom = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    const gap = ((await page.locator(`.results ${events}`).boundingBox())?.y ?? 0) - (await bottom('.filters'))
    expect(gap).toBeGreaterThanOrEqual(0)
    expect(gap).toBeLessThan(100)
    const music = page.getByRole('link', { name: /^Music / })
    expect(await music.isVisible()).toBe(false)
    await button.focus()
    await page.keyboard.press('Enter')
    expect(await music.isVisible()).toBe(true)
    // The focus goes from the button to the filters, and from these to the events.
    await page.keyboard.press('Tab')
    expect(await page.locator('.filters :focus').count()).toBe(1)
    await music.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/category=/)
    expect(await page.locator('.filters summary').first().textContent()).toBe('Filters (1)')
    await page.getByRole('link', { name: 'Remove filter: Music' }).waitFor()
  })

  test('are one link away from the first screen of a phone', async () => {
    const page = await open(path, phone)
    const first = page.getByText('Filters', { exact: true }).first()
    expect((await first.boundingBox())?.y).toBeLessThan(phone.viewport.height)
    await first.press('Enter')
    const button = await page.locator('.filters summary').first().boundingBox()
    expect(button?.y).toBeGreaterThanOrEqual(0)
    expect(button?.y).toBeLessThan(phone.viewport.height)
  })

  test('are a column beside the events on a desk', async () => {
    const page = await open(path, desk)
    await page.getByRole('heading', { name: 'Filter' }).waitFor()
    for (const button of await page.getByText('Filters', { exact: true }).all())
      expect(await button.isVisible()).toBe(false)
    const [filters, list] = await Promise.all(
      ['.filters', `.results ${events}`].map((selector) => page.locator(selector).boundingBox()),
    )
    expect((filters?.x ?? 0) + (filters?.width ?? 0)).toBeLessThanOrEqual(list?.x ?? 0)
    await page.getByRole('link', { name: /^Music / }).press('Enter')
    await page.waitForURL(/category=/)
  })
})

test.each(['en', 'fr', 'es'])('pages fit every screen in the language %s, and are accessible', async (language) => {
  const page = await open(`/${language}/`)
  for (const query of ['', '?month=2026-12&price=free', '?date=2026-11-21&to=2026-11-22&price=free']) {
    await page.goto(`${address}/${language}/${query}`)
    for (const [screen, { viewport }] of screens) {
      await page.setViewportSize(viewport)
      for (const button of await page.locator('.filters > details:not([open]) > summary').all()) {
        if (await button.isVisible()) await button.press('Enter')
      }
      expect(await overflow(page), `${query} on ${screen}`).toBe(0)
    }
    await expectAccessible(page)
  }
})

describe.each(screens)('on %s', (_screen, options) => {
  test('a link leads from the first screen to the events of the weekend', async () => {
    const page = await open('/en/', options)
    const link = page.getByRole('link', { name: 'This weekend' })
    const { y = 0, height = 0 } = (await link.boundingBox()) ?? {}
    expect(y + height).toBeLessThan(options.viewport.height)
    await link.press('Enter')
    await page.getByRole('heading', { name: /November 21 – Sunday, November 22/ }).waitFor()
    expect(await page.getByRole('link', { name: 'This weekend' }).getAttribute('aria-current')).toBe('true')
  })
})
