// The example app as `npm run example` starts it: installed, built, and served beside a service that runs only its documents.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { findings, openBrowser, overflow, sharedAmongLooks, visit, waitTimeout } from '../helpers/browser.ts'
import { freePort } from '../helpers/process.ts'

const password = 'only-for-this-test'
let example: ChildProcess
let browser: Browser
let address: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-example-'))
  const port = await freePort()
  address = `http://localhost:${port}`
  example = spawn(process.execPath, ['examples/spa/start.ts'], {
    env: {
      ...process.env,
      ...{ EXAMPLE_PORT: String(port), ADMIN_PASSWORD: password, RATE_LIMIT: '0' },
      ...{ DATABASE_URL: 'pglite::memory:', IMAGES_DIR: join(folder, 'images'), SEED: 'on' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [example.stdout, example.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  while (!printed.includes(`The example is open:\n  ${address}/`)) {
    if (example.exitCode !== null) throw new Error(`The example ended: ${printed}`)
    await setTimeout(50)
  }
  browser = await openBrowser()
})
afterAll(async () => {
  example?.kill('SIGINT')
  if (example && example.exitCode === null) await once(example, 'close')
  rmSync(folder, { recursive: true, force: true })
})

const open = (path: string, options?: BrowserContextOptions) => visit(browser, address + path, options)

/** The month that many months after this one. */
const laterMonth = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 7)
}
/** The sample has events of all kinds in it. */
const nextMonth = () => laterMonth(1)
/** The sample ends before it, so each of its days shows all events. */
const emptyMonth = () => laterMonth(5)

/** For conditions that a busy machine meets late. */
const soon = { timeout: waitTimeout }

/** Resolves once everything that the page shows has arrived. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await expect.poll(() => page.locator('.skeleton, [aria-busy="true"]').count(), soon).toBe(0)
}

const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        window.setTimeout(() => resolve(sum), 100)
      }),
  )

async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.getByLabel('Login').fill('admin')
  await page.getByLabel('Application password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

const screens: readonly (readonly [name: string, path: () => string])[] = [
  ['month', () => `/?month=${nextMonth()}`],
  ['list', () => '/fr/events/'],
  ['search', () => '/events/?q=concert'],
  ['event', () => '/event/jazz-on-the-old-pier-rosa-quintero-trio/'],
  ['sign-in', () => '/es/sign-in/'],
  ['missing page', () => '/nothing/'],
]
describe.each(sharedAmongLooks(screens))('$name', ({ options, items }) => {
  it.each(items)(
    'the screen "%s" has no accessibility violations, fits, is stable and requests no other host',
    async (_screen, path) => {
      const { page, complaints, hosts } = await open(path(), options)
      await settled(page)
      expect(await findings(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      expect(await layoutShift(page)).toBeLessThan(0.02)
      expect([...hosts]).toEqual([address])
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    },
  )
})

test('the month view moves by keyboard, and facets narrow it', async () => {
  const { page } = await open(`/?month=${nextMonth()}`)
  await settled(page)
  const first = page.locator(`[data-date="${nextMonth()}-01"]`)
  await first.focus()
  await page.keyboard.press('ArrowRight')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-date'))
  expect(await focused()).toBe(`${nextMonth()}-02`)
  await page.keyboard.press('PageDown')
  await page.waitForURL(/month=/)
  await expect.poll(focused, soon).not.toMatch(nextMonth())
  await page.goBack()
  await settled(page)

  const count = page.locator('.month-count')
  const before = Number.parseInt((await count.textContent()) ?? '', 10)
  const facet = page.locator('.facet a').first()
  const narrowed = Number.parseInt((await facet.locator('.count').textContent()) ?? '', 10)
  expect(narrowed).toBeLessThan(before)
  await facet.click()
  await expect.poll(() => count.textContent(), soon).toMatch(new RegExp(`^${narrowed} event`))
  expect(page.url()).toContain('category=')
  await page.locator('.chip').first().click()
  await page.locator('.event-page h1').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('the list loads more at its end, and a search suggests events', async () => {
  const { page } = await open('/events/')
  await settled(page)
  await page.locator('.more-button').scrollIntoViewIfNeeded()
  await expect.poll(() => page.locator('.cards > li').count(), soon).toBeGreaterThanOrEqual(24)
  await page.getByRole('combobox', { name: 'Search events' }).pressSequentially('quint')
  const suggestion = page.getByRole('option', { name: /^Jazz on the old pier/ })
  await suggestion.waitFor()
  await page.keyboard.press('ArrowDown')
  expect(await suggestion.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Jazz on the old pier' }).waitFor()
  await page.getByRole('combobox', { name: 'Search events' }).fill('conzert')
  await page.keyboard.press('Enter')
  await page.getByText('These events are similar.').waitFor()
})

test('an event switches to French at its French address, and downloads as a calendar file', async () => {
  const { page } = await open('/event/jazz-on-the-old-pier-rosa-quintero-trio/')
  await page.locator('h1', { hasText: 'Jazz on the old pier' }).waitFor()
  await page.getByRole('link', { name: 'Français' }).click()
  await page.locator('h1', { hasText: 'Jazz sur le vieux quai' }).waitFor()
  expect(page.url()).toMatch(/\/fr\/event\/jazz-sur-le-vieux-quai/)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Télécharger (.ics)' }).click(),
  ])
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/^BEGIN:VCALENDAR/)
})

test('a wrong password is rejected at the form', async () => {
  const { page } = await open('/sign-in/')
  await page.getByLabel('Login').fill('admin')
  await page.getByLabel('Application password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Login or password is wrong.').waitFor()
})

test('a user adds an event with a picture, which others see at once, and translates it', async () => {
  const watcher = await open(`/?month=${emptyMonth()}`)
  await settled(watcher.page)
  const { page } = await open('/')
  await signIn(page)
  await page.getByRole('link', { name: 'New event' }).click()
  const title = page.getByLabel('Title')
  await page.getByLabel('Starts').fill(`${emptyMonth()}-01T20:00`)
  await page.getByLabel('Ends').fill(`${emptyMonth()}-01T19:00`)
  await page.getByLabel('Venue').fill('Lantern hall')
  await page.getByLabel('Picture', { exact: true }).setInputFiles('test/browser/screenshots/example-month.png')
  await page.getByLabel('Description of the picture').fill('Paper lanterns over a street')
  await page.getByRole('button', { name: 'Publish' }).click()

  // The errors of the service are at their fields, and the first wrong field has the focus.
  await page.locator('.field.invalid').nth(1).waitFor()
  expect(await findings(page)).toEqual([])
  expect(await title.getAttribute('aria-invalid')).toBe('true')
  expect(await title.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await page.getByLabel('Ends').getAttribute('aria-invalid')).toBe('true')
  await title.fill('Lantern walk')
  await page.getByLabel('Ends').fill(`${emptyMonth()}-01T22:00`)
  const announced = watcher.page.locator('.toast', { hasText: 'Lantern walk' }).waitFor()
  const shown = watcher.page.getByRole('link', { name: /Lantern walk/ }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.locator('h1', { hasText: 'Lantern walk' }).waitFor()
  const picture = page.getByRole('img', { name: 'Paper lanterns over a street' })
  const width = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return image.naturalWidth
  })
  expect(width).toBeGreaterThan(100)

  await Promise.all([announced, shown])

  // Somebody else saves a translation in the meantime.
  await page.getByRole('link', { name: 'Translate' }).click()
  await page.getByRole('heading', { name: 'Français' }).waitFor()
  expect(await findings(page)).toEqual([])
  const other = await page.context().newPage()
  await other.goto(address)
  await signIn(other)
  await other.goto(page.url().replace('/translate/', '/es/translate/'))
  await other.getByLabel('Título').first().fill('Marche des lanternes')
  await other.getByRole('button', { name: 'Guardar la traducción' }).click()
  await other.locator('h1', { hasText: 'Marche des lanternes' }).waitFor()

  await page.getByLabel('Title').fill('Balade des lanternes')
  await page.getByRole('button', { name: 'Save translation' }).click()
  await page.getByRole('alert').getByText('Somebody changed this event').waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await page.locator('h1', { hasText: 'Balade des lanternes' }).waitFor()
  expect(page.url()).toMatch(/\/fr\/event\//)
})

test('the app passes its type checker', () => {
  execFileSync('node_modules/.bin/tsc', ['--noEmit'], { cwd: 'examples/spa' })
})

test('the built files stay small', () => {
  const files = readdirSync('examples/spa/dist/assets').map((name) => `examples/spa/dist/assets/${name}`)
  const bytes = (names: readonly string[]) => names.map((name) => readFileSync(name))
  const scripts = bytes(files.filter((name) => name.endsWith('.js'))).reduce(
    (sum, text) => sum + gzipSync(text).length,
    0,
  )
  const page = bytes(['examples/spa/dist/index.html', ...files.filter((name) => name.endsWith('.css'))])
  expect(scripts).toBeLessThan(150_000)
  expect(page.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(60_000)
})
