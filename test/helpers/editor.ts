// The editor in Chromium, with a service of its own.
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { openTestApp, type TestApp } from './app.ts'
import { openBrowser, type Visited, visit } from './browser.ts'
import { freePort } from './process.ts'

export interface Editor {
  readonly app: TestApp
  readonly browser: Browser
  /** Opens a screen, such as `/events/new`, signed in with the role. */
  open(path: string, options?: BrowserContextOptions & { readonly role?: Role }): Promise<Visited>
  close(): Promise<void>
}

/** `env`: settings of the service beside those of other tests. */
export async function openEditor(env: Readonly<Record<string, string>> = {}): Promise<Editor> {
  const port = await freePort()
  const app = await openTestApp({ PUBLIC_URL: `http://127.0.0.1:${port}`, ...env })
  const address = await app.app.listen({ host: '127.0.0.1', port })
  const browser = await openBrowser()
  return {
    app,
    browser,
    async open(path, { role = 'administrator', ...options } = {}) {
      const { authorization } = await app.signIn(role)
      const signedIn = { locale: 'en-GB', extraHTTPHeaders: { authorization }, ...options }
      // The editor compares times of the service with its own clock.
      return visit(browser, `${address}/edit${path}`, signedIn, app.clock.now)
    },
    close: () => app.close(),
  }
}

/** Tabs until the focus is on the element of this name. Throws if the focus does not get there. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab')
    const focused = await page.locator(':focus').evaluateAll(([element]) => {
      const label = element && 'labels' in element ? (element as HTMLInputElement).labels?.[0]?.textContent : undefined
      return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? ''
    })
    if (focused === name) return
  }
  throw new Error(`The focus did not get to ${name}.`)
}

/** Holds requests back, as a slow network does, until `release` is called. */
async function hold(page: Page, matches: (request: Request) => boolean) {
  const released = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (matches(route.request())) {
      started.resolve()
      await released.promise
    }
    await route.fallback()
  })
  return { started: started.promise, release: released.resolve }
}

const isUpload = (request: Request) => request.headers()['content-type']?.startsWith('multipart/') ?? false

/** Holds an operation back. */
export const holdOperation = (page: Page, name: string) =>
  hold(page, (request) => !isUpload(request) && request.postDataJSON()?.operationName === name)

/** Holds files back. */
export const holdUpload = (page: Page) => hold(page, isUpload)

/** Keeps the editor of formatted texts from loading, as a slow network does, until `load` is called. */
export async function holdRichText(page: Page): Promise<{ load(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/rich-text-[\w-]{8}\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return { load: resolve }
}
