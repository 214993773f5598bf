import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, seriousFindings, visit } from '../helpers/browser.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

let app: SampleApp
let browser: Browser
let address: string

beforeAll(async () => {
  // PUBLIC_URL differs from the host that the page is opened with.
  app = await openSampleApp()
  address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  browser = await openBrowser()
})
afterAll(async () => {
  await app?.close()
})

async function open(page: Page, operationId: string) {
  const operation = page.locator(`[id$="-${operationId}"]`)
  await operation.locator('.opblock-summary-control').click()
  return operation
}

// Opening this page takes longer than anything that is done on it.
test('sends examples, also to another language root, shows the responses, and is accessible', async () => {
  const { page, complaints, hosts } = await visit(browser, `${address}/docs`)
  const operation = await open(page, 'getEventsById')
  await operation.getByRole('button', { name: 'Execute' }).click()
  const live = operation.locator('.live-responses-table')
  await live.getByText('Rosa Quintero').first().waitFor()
  expect(await live.locator('.response-col_status').last().textContent()).toContain('200')
  expect(await operation.locator('.request-url').textContent()).toContain(`${address}/cal/events/v1/events/65`)

  await operation.locator('summary').click()
  await open(page, 'putVenuesById')
  await page.locator('[id$="-putVenuesById"] .execute').waitFor()
  await expectAccessible(page, async (shown) => {
    const [background, scheme] = await shown.evaluate(() => [
      getComputedStyle(document.documentElement).backgroundColor,
      matchMedia('(prefers-color-scheme: dark)').matches,
    ])
    expect(background).toBe(scheme ? 'rgb(28, 32, 34)' : 'rgb(250, 250, 250)')
    return seriousFindings(shown)
  })
  expect([...hosts]).toEqual([address])

  await page.getByLabel('Server').selectOption('/fr/cal/events/v1/')
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText('Jazz sur le vieux quai').first().waitFor()
  const link = operation.getByRole('link', { name: 'Open in GraphiQL' })
  expect(await link.getAttribute('href')).toMatch(/^\/fr\/graphql\?query=/)
  expect(complaints).toEqual([])
})

test('opens and runs the GraphQL operation of a route in GraphiQL', async () => {
  const { page, complaints, hosts } = await visit(browser, `${address}/docs`)
  const operation = await open(page, 'getEventsBySlug')
  await operation.getByText('query LegacyEvent').first().click()
  await operation.getByText('"slug": "jazz-on-the-old-pier-rosa-quintero-trio"').first().waitFor()
  const opened = page.context().waitForEvent('page')
  await operation.getByRole('link', { name: 'Open in GraphiQL' }).click()
  const graphiql = await opened
  await graphiql.locator('.graphiql-execute-button').click()
  await graphiql.locator('.result-window').getByText('Quintero').first().waitFor()
  expect(new URL(graphiql.url()).search).toBe('')
  expect([...hosts]).toEqual([address])
  expect(complaints).toEqual([])
})

test('writes fail without a credential and succeed with one, also after a reload', async () => {
  const { page } = await visit(browser, `${address}/docs`)
  const operation = await open(page, 'postTags')
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText('rest_forbidden').first().waitFor()
  await page.locator('.btn.authorize').first().click()
  await page.locator('.auth-container input').last().fill(app.token)
  await page.locator('.auth-container .authorize').last().click()
  await page.reload()
  // The URL keeps the open operation.
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText('201').first().waitFor()
})

test('operations can be opened and sent by keyboard', async () => {
  const { page } = await visit(browser, `${address}/docs`)
  await page.locator('.operation-filter-input').focus()
  const reach = async (what: string) => {
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(what)})`))
        return page.keyboard.press('Enter')
    }
    return expect.fail(`${what} is not reached by 60 tabs`)
  }
  await reach('#operations-events-getEventsById .opblock-summary-control')
  await page.locator('#operations-events-getEventsById .execute').waitFor()
  await reach('#operations-events-getEventsById .execute')
  await page.locator('.live-responses-table').getByText('Rosa Quintero').first().waitFor()
})
