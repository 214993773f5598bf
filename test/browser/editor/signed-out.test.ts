// A session that ends, and a network that fails, while a form is open: what was typed stays.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeEvent, makeVenue } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor?.close())

/** Opens a screen as somebody who can sign in again. */
async function open(path: string) {
  const { authorization } = await editor.app.signIn('administrator')
  const { page } = await editor.open(path, { extraHTTPHeaders: { authorization } })
  return { page, authorization }
}

const signOut = (page: Page) => page.context().setExtraHTTPHeaders({})

async function signIn(page: Page, authorization: string) {
  await page.context().setExtraHTTPHeaders({ authorization })
  // The browser says so when somebody comes back to the tab.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
}

test.each([
  ['a venue', async () => `/venues/${await makeVenue(editor.app.db, 'Old hall')}`, 'Name', 'Save'],
  ['a new category', async () => '/categories/new', 'Name', 'Save'],
  [
    'an event',
    async () => `/events/${await makeEvent(editor.app.db, { en: 'Reading' })}`,
    'Title (English)',
    'Save changes',
  ],
])('the form of %s waits until somebody signs in again in another tab', async (_, path, label, save) => {
  const { page, authorization } = await open(await path())
  const field = page.getByLabel(label, { exact: true })
  await field.fill('New hall')
  await signOut(page)
  await page.getByRole('button', { name: save, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await findings(page)).toEqual([])
  await signIn(page, authorization)
  await expect.poll(() => dialog.count(), soon).toBe(0)
  expect(await field.inputValue()).toBe('New hall')
  await page.getByRole('button', { name: save, exact: true }).click()
  await page.getByText(/is saved\.|are saved\./).waitFor()
})

async function openRefusedDraft() {
  const { page, authorization } = await open('/events/new')
  await page.getByLabel('Title (English)').waitFor()
  await signOut(page)
  await page.getByLabel('Title (English)').fill('Reading at night')
  await page.getByLabel('Date', { exact: true }).fill('2027-03-03')
  await page.getByLabel('From', { exact: true }).fill('22:00')
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.waitFor()
  await page.getByText('Not saved.').waitFor()
  return { page, dialog, authorization }
}

test.each(['waits for the sign-in', 'is closed before the sign-in'])(
  'a draft that was refused is saved at once after the sign-in, if the question %s',
  async (name) => {
    const { page, dialog, authorization } = await openRefusedDraft()
    if (name.startsWith('is closed')) await page.keyboard.press('Escape')
    await signIn(page, authorization)
    await page.waitForURL(/\/events\/\d+$/)
    expect(await dialog.count()).toBe(0)
  },
)

/** Nothing was sent yet, so that the editor has not noticed the end of the session. */
async function openUnsentDraft() {
  const { page, authorization } = await open('/events/new')
  await page.getByLabel('Title (English)').fill('Reading at night')
  return { page, authorization }
}

test.each([
  ['that was refused', openRefusedDraft],
  ['that was not sent yet', openUnsentDraft],
])('a draft %s stays with its author when somebody else signs in', async (_, openDraft) => {
  const { page, authorization } = await openDraft()
  const title = page.getByLabel('Title (English)')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postDataJSON()?.operationName)
  })
  const other = await editor.app.signIn('administrator')
  await signIn(page, other.authorization)
  await expect.poll(() => title.inputValue(), soon).toBe('')
  expect(sent).toContain('Viewer')
  expect(sent).not.toContain('CreateFormEvent')
  await signIn(page, authorization)
  await expect.poll(() => title.inputValue(), soon).toBe('Reading at night')
})

test('a venue that was changed shows as it is stored when somebody else signs in', async () => {
  const { page } = await open(`/venues/${await makeVenue(editor.app.db, 'Town hall')}`)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('City hall')
  const other = await editor.app.signIn('administrator')
  await signIn(page, other.authorization)
  await expect.poll(() => name.inputValue(), soon).toBe('Town hall')
})

test('a draft that could not be sent is saved when the network is back', async () => {
  const { page } = await editor.open('/events/new')
  await page.getByLabel('Title (English)').waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Title (English)').fill('Reading at noon')
  await page.getByLabel('Date', { exact: true }).fill('2027-03-03')
  await page.getByLabel('From', { exact: true }).fill('12:00')
  await page.getByText('Not saved.').waitFor()
  await page.context().setOffline(false)
  await page.waitForURL(/\/events\/\d+$/)
})
