import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** Milliseconds to wait for an element on a busy machine. Shorter than the timeout of a test, so that errors name the element. */
export const waitTimeout = 180_000

let browser: Promise<Browser> | undefined

/** The browser of this worker, which ends with it. */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    // The pages of a context share a process, with the scripts that it has compiled. Starting one takes longer than most pages.
    args: ['--no-sandbox', '--disable-gpu', '--renderer-process-limit=1', '--disable-site-isolation-trials'],
  })
  return browser
}

const everyLook = [
  ['on a desk in light', { colorScheme: 'light' }],
  ['on a phone in the dark', { colorScheme: 'dark', ...phone() }],
  ['on a desk in the dark', { colorScheme: 'dark' }],
  ['on a phone in light', { colorScheme: 'light', ...phone() }],
] as const

/** Screen sizes and color schemes by name. With EVERY_LOOK all four combinations. */
export const looks = process.env.EVERY_LOOK ? everyLook : everyLook.slice(0, 2)

/** Each look with its share of the items, so that an item is seen in one look. With EVERY_LOOK each item is seen in all. */
export const sharedAmongLooks = <Item>(items: readonly Item[]) =>
  looks.map(([name, options], number) => ({
    name,
    options,
    items: items.filter((_, index) => process.env.EVERY_LOOK || index % looks.length === number),
  }))

function phone() {
  return { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const
}

export interface Visited {
  readonly page: Page
  /** Console errors, including violations of the content security policy. */
  readonly complaints: string[]
  /** Origins of all requests. */
  readonly hosts: Set<string>
}

/** Shifts the clock of a page by milliseconds. Timers stay as they are, unlike with the clock of Playwright. */
function shiftClock(offset: number) {
  const { Date: RealDate } = globalThis
  globalThis.Date = class extends RealDate {
    constructor(...values: ConstructorParameters<typeof RealDate> | []) {
      if (values.length > 0) super(...(values as ConstructorParameters<typeof RealDate>))
      else super(RealDate.now() + offset)
    }
    static override now() {
      return RealDate.now() + offset
    }
  } as DateConstructor
}

interface Context {
  readonly context: BrowserContext
  /** What the context was made with, except headers. */
  readonly made: string
  /** Through an empty page, which keeps the process of the context running between tests. */
  readonly session: CDPSession
}

/** The context that the last test has left empty. */
let idle: Context | undefined

/** A context without data: that of the last test, unless it was made with other options. */
async function takeContext(
  browser: Browser,
  { extraHTTPHeaders = {}, ...options }: BrowserContextOptions,
): Promise<Context> {
  const made = JSON.stringify(options)
  const last = idle
  idle = undefined
  if (last?.made === made) {
    await last.context.setExtraHTTPHeaders(extraHTTPHeaders)
    return last
  }
  await last?.context.close()
  const context = await browser.newContext({ extraHTTPHeaders, ...options })
  context.setDefaultTimeout(waitTimeout)
  return { context, made, session: await context.newCDPSession(await context.newPage()) }
}

/** Closes the pages of a test, and removes everything that they may have kept. */
async function returnContext(left: Context, origins: Iterable<string>): Promise<void> {
  const { context, session } = left
  const [, ...pages] = context.pages()
  for (const page of pages) await page.close()
  for (const event of ['console', 'weberror', 'request']) context.removeAllListeners(event)
  await context.unrouteAll()
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.send('Network.clearBrowserCache')
  await idle?.context.close()
  idle = left
}

/** Prints what the pages of a test show. What an error of a locator leaves open is mostly there. */
async function printPages(context: BrowserContext): Promise<void> {
  const [, ...pages] = context.pages()
  for (const page of pages) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 10_000 }).catch(String)
    console.error(`${page.url()}\n${shown.slice(0, 5000)}`)
  }
}

/**
 * Opens a page in a browser context without data, which no other page of the test has. `now`: the time of its clock, if not the
 * real one.
 */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  now?: Date,
): Promise<Visited> {
  const taken = await takeContext(browser, options)
  const { context } = taken
  const complaints: string[] = []
  const hosts = new Set<string>()
  const clock = now && (await context.addInitScript(shiftClock, now.getTime() - Date.now()))
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(context)
    await clock?.dispose()
    await returnContext(taken, hosts)
  })
  context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:') hosts.add(origin)
  })
  const page = await context.newPage()
  await page.goto(url)
  return { page, complaints, hosts }
}

let axe: string | undefined

/** Violations that axe finds: impact, rule and first element. */
export async function findings(page: Page, context = 'document'): Promise<string[]> {
  axe ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  // Details of what passes would take as long as the rules.
  const { violations } = (await page.evaluate(`axe.run(${context}, { resultTypes: ['violations'] })`)) as AxeResults
  return violations.map(({ impact, id, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`)
}

/** Serious and critical violations. */
export const seriousFindings = async (page: Page, context?: string): Promise<string[]> =>
  (await findings(page, context)).filter((finding) => /^(serious|critical) /.test(finding))

/** Waits for transitions, during which colors have less contrast. */
const waitForTransitions = () =>
  Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(({ finished }) => finished),
  )

const desk = { width: 1280, height: 720 }

/**
 * Expects that axe finds nothing and nothing is wider than the screen, in each look. The page stays open, because opening it
 * takes longer than the checks.
 */
export async function expectAccessible(page: Page, find: (page: Page) => Promise<string[]> = findings): Promise<void> {
  for (const [name, look] of looks) {
    await page.emulateMedia({ colorScheme: look.colorScheme })
    await page.setViewportSize('viewport' in look ? look.viewport : desk)
    await page.evaluate(waitForTransitions)
    expect(await find(page), name).toEqual([])
    expect(await overflow(page), name).toBe(0)
  }
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await overflow(page), 'on a small phone').toBe(0)
  await page.setViewportSize(desk)
}

/** Pixels by which the page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))
