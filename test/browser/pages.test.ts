import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { findings, openBrowser, overflow, sharedAmongLooks, visit } from '../helpers/browser.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { freePort } from '../helpers/process.ts'

let app: TestApp
let browser: Browser
let address: string

beforeAll(async () => {
  // Links contain PUBLIC_URL, so the service must listen there.
  const port = await freePort()
  app = await openTestApp({ PUBLIC_URL: `http://127.0.0.1:${port}`, PER_PAGE_DEFAULT: '3' })
  const { db } = app
  const text = { description: '<p>Songs of <b>three</b> centuries.</p><table><tr><td>a</td></tr></table>' }
  const links = {
    venueIds: [
      await makeVenue(
        db,
        { en: { name: 'Hall', ...text } },
        { city: 'Turin', phone: '55', latitude: 45, longitude: 7 },
      ),
    ],
    organizerIds: [await makeOrganizer(db, 'Club', { email: 'a@club.test' })],
    categoryIds: [await makeCategory(db, { en: 'Music', fr: 'Musique' })],
    tagIds: [await makeTag(db, 'Free entry')],
  }
  for (const number of [1, 2, 3, 4]) await makeEvent(db, { en: `Choir ${number}`, fr: `Chorale ${number}` }, links)
  await makeEvent(db, { en: { name: `Long${'word'.repeat(30)}`, ...text } }, { ...links, start: '2026-11-30T10:00:00' })
  for (let day = 1; day <= 31; day++) {
    const start = `2027-01-${String(day).padStart(2, '0')}T19:00:00`
    for (let number = 1; number <= 4; number++) {
      await makeEvent(db, `A concert of the choir of the town, number ${day}-${number}`, { ...links, start })
    }
  }
  await makeEvent(
    db,
    { en: { name: 'Secret', ...text } },
    { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) },
  )
  address = await app.app.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
afterAll(async () => {
  await app?.close()
})

const open = (path: string, options?: BrowserContextOptions) => visit(browser, address + path, options)

const paths = [
  '/en/',
  '/event/choir-1/',
  '/fr/event/chorale-1/',
  '/es/venue/hall/',
  '/organizer/club/',
  '/events/category/music/',
  '/tag/free-entry/',
  '/venues/',
  '/fr/categories/',
  '/es/organizers/?search=nada',
  '/event/secret/',
  '/nothing',
  '/es/developers/',
  '/en/?search=choir',
  '/en/?month=2026-12&category=music',
  '/en/?view=list',
  '/en/?date=2026-12-01',
  '/fr/embed/event/choir-1',
  '/embed/events?per_page=2',
]
describe.each(sharedAmongLooks(paths))('$name', ({ options, items }) => {
  it.each(items)('%s has no accessibility violations, fits the screen and requests no other host', async (path) => {
    const { page, complaints, hosts } = await open(path, options)
    expect(await findings(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    expect([...hosts]).toEqual([address])
    expect(await layoutShift(page)).toBeLessThan(0.01)
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(ground).toBe(options.colorScheme === 'light' ? 'rgb(248, 247, 244)' : 'rgb(20, 22, 26)')
  })
})

/** Sum of the layout shifts since the page began to load, as in Web Vitals. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // Buffered entries arrive before the next frame but one.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )

test.each(['/en/', '/en/?month=2026-12', '/en/?view=list', '/event/choir-1/', '/fr/venues/', '/categories/'])(
  '%s fits every width',
  async (path) => {
    const { page } = await open(path)
    for (const width of [320, 600, 768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page), `${width} pixels`).toBe(0)
    }
  },
)

test('a month is a grid on a desk and an agenda on a phone', async () => {
  const { page } = await open('/en/?month=2026-12', { viewport: { width: 1440, height: 900 } })
  const day = page.locator('.month .day', { has: page.getByRole('link', { name: /Choir 1/ }) })
  const [desk, month] = [await day.boundingBox(), await page.locator('.month').boundingBox()]
  expect(desk?.width).toBeLessThan((month?.width ?? 0) / 6)
  await page.setViewportSize({ width: 390, height: 844 })
  const [phone, agenda] = [await day.boundingBox(), await page.locator('.month').boundingBox()]
  expect(phone?.width).toBeCloseTo(agenda?.width ?? 0, 0)
  expect(await page.locator('.month .none:visible').count()).toBe(0)
})

test('a month with many events, its style sheet and its script stay under 60 KB', async () => {
  const { page } = await open('/en/?month=2027-01')
  expect(await page.locator('.month li li').count()).toBe(31 * 4)
  const files = await page
    .locator('link[rel="stylesheet"], script[src]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? element.getAttribute('src')))
  const bodies = await Promise.all(
    [page.url(), ...files.map((path) => address + path)].map(async (url) => (await page.request.get(url)).body()),
  )
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0)
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThan(60_000)
})

test('the search suggests titles and names, and opens the page of the chosen one', async () => {
  const { page } = await open('/en/')
  await page.getByRole('combobox', { name: 'Search events' }).pressSequentially('hal')
  const option = page.locator('datalist option[value="Hall"]')
  await option.waitFor({ state: 'attached' })
  // Tests cannot choose from a datalist: this is the event of that choice.
  await page.getByRole('combobox').evaluate((input: HTMLInputElement) => {
    input.value = 'Hall'
    input.dispatchEvent(new Event('input'))
  })
  await page.locator('h1', { hasText: 'Hall' }).waitFor()
  expect(page.url()).toBe(`${address}/venue/hall/`)
})

test.each(['forced', 'rtl'] as const)('pages have no accessibility violations: %s', async (kind) => {
  const { page } = await open('/en/?month=2026-12', kind === 'forced' ? { forcedColors: 'active' } : {})
  if (kind === 'rtl') await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  expect(await findings(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
})

test('a printed page has no navigation', async () => {
  const { page } = await open('/event/choir-1/')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
  await page.getByText('Hall').first().waitFor()
})

test('the landing page uses the language of the browser and switches to French', async () => {
  const { page } = await open('/', { locale: 'es-MX' })
  await page.getByRole('heading', { name: 'Próximos eventos' }).waitFor()
  await page.getByRole('link', { name: 'français' }).click()
  await page.getByRole('heading', { name: 'Événements à venir' }).waitFor()
  expect(page.url()).toBe(`${address}/fr/`)
  await page.getByRole('link', { name: 'Chorale 1' }).click()
  expect(await page.locator('h1').textContent()).toBe('Chorale 1')
  await page.getByRole('link', { name: 'English' }).click()
  expect([page.url(), await page.locator('h1').textContent()]).toEqual([`${address}/event/choir-1/`, 'Choir 1'])
})

test('pages can be used by keyboard: skip link, event, next page', async () => {
  const { page } = await open('/en/?view=list')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Next')
  await page.keyboard.press('Enter')
  await page.getByText(/^Page 2 of/).waitFor()
  await tabTo(page, 'Choir 3')
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Choir 3' }).waitFor()
})

async function tabTo(page: Page, text: string): Promise<void> {
  for (let press = 0; press < 80; press++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === text) return
  }
  expect.fail(`${text} is not reached by 80 tabs`)
}

test('the search can be used by keyboard, and stays on the next page', async () => {
  const { page } = await open('/en/')
  await page.getByRole('combobox', { name: 'Search events' }).focus()
  await page.keyboard.type('choir')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Upcoming events with “choir”' }).waitFor()
  await page.getByRole('link', { name: 'Next' }).press('Enter')
  await page.getByText(/^Page 2 of/).waitFor()
  expect(await page.getByRole('combobox').inputValue()).toBe('choir')
})

test('another site shows a widget in a frame, whose links open new tabs, but no page of the site', async () => {
  const { page, complaints } = await open('/en/')
  const frames = ['/embed/event/choir-1?theme=dark', '/event/choir-1/'].map(
    (path) => `<iframe src="${address}${path}">`,
  )
  const other = createHttpServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(frames.join('</iframe>')),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const site = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
  await page.goto(site)
  const [widget, refused] = [page.frameLocator('iframe >> nth=0'), page.frameLocator('iframe >> nth=1')]
  const link = widget.getByRole('link', { name: 'Choir 1' })
  await link.waitFor()
  expect(await widget.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
    'rgb(20, 22, 26)',
  )
  expect(await refused.getByRole('heading').count()).toBe(0)
  expect(complaints.filter((text) => text.includes('frame'))).toHaveLength(1)
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await opened.locator('h1', { hasText: 'Choir 1' }).waitFor()
  expect([opened.url(), page.url()]).toEqual([`${address}/event/choir-1/`, site])
})

test('a protected event opens with its password', async () => {
  const { page } = await open('/event/secret/')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill('sesame')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('centuries').waitFor()
  expect(page.url()).toBe(`${address}/event/secret/`)
})

test('pages work without scripts', async () => {
  const { page } = await open('/fr/', { javaScriptEnabled: false })
  expect(await page.locator('.cards li').count()).toBeGreaterThan(2)
})
