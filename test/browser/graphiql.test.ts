import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, seriousFindings, type Visited, visit, waitTimeout } from '../helpers/browser.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

let app: SampleApp
let browser: Browser
let address: string

beforeAll(async () => {
  app = await openSampleApp()
  address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  browser = await openBrowser()
})
afterAll(async () => {
  await app?.close()
})

async function open(path: string, options = {}): Promise<Visited> {
  const visited = await visit(browser, address + path, options)
  await editorSays(visited.page, 'query')
  return visited
}

const editorSays = (page: Page, text: string) =>
  page.locator('.graphiql-query-editor .view-lines').getByText(text).first().waitFor()

async function openTab(page: Page, name: string): Promise<void> {
  await page.locator('.graphiql-tab-button', { hasText: name }).click()
  await editorSays(page, name)
  // GraphiQL detects the name of the operation only after this.
  await page.waitForTimeout(500)
}

/** Runs the open query until the response contains the text. */
async function run(page: Page, said: string): Promise<void> {
  await page.locator('.graphiql-execute-button').click()
  const shown = async () => (await page.locator('.result-window').textContent())?.replaceAll('\u00a0', ' ')
  await expect.poll(shown, { timeout: waitTimeout }).toContain(said)
}

const tabs = (page: Page) => page.locator('.graphiql-tab-button').allTextContents()

// Violations of GraphiQL itself: colors of the editor, and tabs that contain a close button.
const checked = "{ exclude: ['.monaco-editor', '[role=tab]'] }"

test('every example tab runs, shows its response, and is accessible', async () => {
  const { page, complaints, hosts } = await open('/graphql')
  await run(page, 'totalCount')
  await expectAccessible(page, async (shown) => {
    const result = await shown.locator('.graphiql-response').boundingBox()
    expect(result?.width).toBeGreaterThan(300)
    expect(result?.height).toBeGreaterThan(300)
    return seriousFindings(shown, checked)
  })
  for (const [name, shown] of [
    ['EveryLanguage', 'translations'],
    ['FindEvents', 'distance'],
    ['CreateEvent', 'UNAUTHENTICATED'],
  ] as const) {
    await openTab(page, name)
    await run(page, shown)
  }
  expect([...hosts]).toEqual([address])
  expect(complaints).toEqual([])
})

test('a subscription shows each change until it is stopped', async () => {
  const query = 'subscription Live { eventChanged { type event { title } } }'
  const { page, complaints } = await visit(browser, `${address}/graphql?${new URLSearchParams({ query })}`)
  await editorSays(page, 'subscription')
  const changed = async (title: string) => {
    const { id } = await app.db.event.findFirstOrThrow({ where: { status: 'publish' }, orderBy: { id: 'asc' } })
    const mutation = 'mutation($input: UpdateEventInput!) { updateEvent(input: $input) { userErrors { message } } }'
    const payload = { query: mutation, variables: { input: { id: String(id), title } } }
    const headers = { authorization: app.authorization }
    await app.app.inject({ method: 'POST', url: '/graphql', headers, payload })
    return (await page.locator('.result-window').textContent())?.replaceAll('\u00a0', ' ')
  }
  await page.locator('.graphiql-execute-button').click()
  // The first changes may come before the subscription is open.
  await expect.poll(() => changed('Live one'), { timeout: waitTimeout, interval: 300 }).toContain('Live one')
  await expect.poll(() => changed('Live two'), { timeout: waitTimeout, interval: 300 }).toContain('Live two')
  await page.locator('.graphiql-execute-button').click()
  expect(complaints).toEqual([])
})

test('credentials under Headers allow writes, also after a reload', async () => {
  const { page } = await open('/fr/graphql')
  await openTab(page, 'CreateEvent')
  await page.getByRole('button', { name: 'Headers' }).click()
  await page
    .locator('section[aria-label="Headers"] .monaco-editor, .graphiql-editor-tool .monaco-editor')
    .last()
    .click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(JSON.stringify({ Authorization: app.authorization }))
  await run(page, 'Fête de la musique')
  await page.waitForTimeout(1000)
  await page.reload()
  await editorSays(page, 'CreateEvent')
  await run(page, 'Fête de la musique')
})

test('a link opens its query and variables in the first tab, also after a reload', async () => {
  const query = 'query Linked($slug: String) { event(slug: $slug) { title } }'
  const variables = JSON.stringify({ slug: 'jazz-on-the-old-pier-rosa-quintero-trio' })
  const { page } = await open(`/graphql?${new URLSearchParams({ query, variables })}`)
  expect(await tabs(page)).toEqual([
    ...['Linked', 'NextEvents', 'MonthAndFacets', 'EveryLanguage', 'FindEvents', 'CreateEvent', 'FormErrors'],
    'EventChanges',
  ])
  await run(page, 'Quintero')
  await page.waitForTimeout(1000)
  await page.reload()
  await editorSays(page, 'Linked')
  await run(page, 'Quintero')
  expect(await tabs(page)).toHaveLength(8)
})
