import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** Milliseconds to wait for an element on a busy machine. Shorter than the timeout of a test, so that errors name the element. */
export const waitTimeout = 180_000

let browser: Promise<Browser> | undefined

/** The browser of this worker, which ends with it. Pages have contexts of their own. */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
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

/** Opens a page in a new browser context, which is closed when the test ends. `now`: the time of its clock, if not the real one. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  now?: Date,
): Promise<Visited> {
  const context = await browser.newContext(options)
  if (now) await context.addInitScript(shiftClock, now.getTime() - Date.now())
  onTestFinished(() => context.close())
  const complaints: string[] = []
  const hosts = new Set<string>()
  context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:') hosts.add(origin)
  })
  context.setDefaultTimeout(waitTimeout)
  const page = await context.newPage()
  await page.goto(url)
  return { page, complaints, hosts }
}

let axe: string | undefined

/** Violations that axe finds: impact, rule and first element. */
export async function findings(page: Page, context = 'document'): Promise<string[]> {
  axe ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8')
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
