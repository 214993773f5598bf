// Where the focus is after an action that disables its button or takes it away: never lost, so that Tab goes on from there.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { waitTimeout } from '../../helpers/browser.ts'
import { truncate } from '../../helpers/db.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeEvent, makeVenue } from '../../helpers/make.ts'

let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
})
beforeEach(() => truncate(editor.app.db))
afterAll(() => editor?.close())

/** By keyboard: the pointer does not take the focus from what it clicks. */
async function press(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}
const focused = (page: Page) => page.locator(':focus').evaluateAll(([element]) => element?.textContent)

test('the button that saves and publishes keeps it', async () => {
  const venueId = await makeVenue(editor.app.db, 'Town library')
  const event = await makeEvent(editor.app.db, { en: 'Reading' }, { status: 'draft', venueIds: [venueId] })
  const { page } = await editor.open(`/events/${event}`)
  await press(page, 'Publish')
  await page.getByText('The event is published.').waitFor()
  expect(await focused(page)).toBe('Save changes')
  await page.getByLabel('Title (English)').fill('Readings')
  await press(page, 'Save changes')
  await page.getByText('The changes are saved.').waitFor()
  expect(await focused(page)).toBe('Save changes')
})

test('after a place is created in the form, it is at the new place', async () => {
  const { page } = await editor.open('/events/new')
  await page.getByRole('combobox', { name: 'Place', exact: true }).click()
  await page.keyboard.type('Town library')
  await page.getByRole('option', { name: 'New: “Town library”' }).click()
  await press(page, 'Add')
  const remove = page.getByRole('button', { name: 'Remove “Town library”' })
  await remove.waitFor()
  await expect.poll(() => remove.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('after an upload, it is at the field of the upload', async () => {
  const { page } = await editor.open('/events/new')
  const poster = await page.screenshot()
  const field = page.getByLabel('Upload a picture')
  await field.focus()
  await field.setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer: poster })
  await page.getByRole('button', { name: 'Crop' }).waitFor()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('after a row is gone it is at the next one, and after the last one on the screen', async () => {
  for (const title of ['Choir', 'Reading']) await makeEvent(editor.app.db, { en: title }, { status: 'trash' })
  const { page } = await editor.open('/trash')
  const isKept = () => page.evaluate(() => document.getElementById('main')?.contains(document.activeElement))
  await press(page, 'Restore Choir')
  await page.getByText('“Choir” is back.').waitFor()
  await expect.poll(isKept, { timeout: waitTimeout }).toBe(true)
  await press(page, 'Restore Reading')
  await page.getByText('The trash is empty.').waitFor()
  await expect.poll(isKept, { timeout: waitTimeout }).toBe(true)
})
