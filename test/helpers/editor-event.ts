// The form of an event, as people fill it in.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { waitTimeout } from './browser.ts'
import { type Editor, openEditor } from './editor.ts'
import { makeCategory, makeVenue } from './make.ts'

/** The editor of a site with a venue and a category. */
export async function openEventEditor(): Promise<Editor> {
  const editor = await openEditor()
  const { db } = editor.app
  await makeVenue(db, 'Public library', { city: 'Turin' })
  await makeCategory(db, { en: 'Courses', fr: 'Cours' })
  return editor
}

const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)

/** The event on the screen, as the service has it. */
export async function stored({ app }: Editor, page: Page, fields: string): Promise<Record<string, unknown>> {
  const administrator = await app.signIn('administrator')
  const query = `query @inContext(forEditing: true) { event(id: "${idOf(page)}") { ${fields} } }`
  const { body } = await administrator.graphql(query)
  return body.data.event
}

/** Saves the event on the screen as somebody else, a second later. */
export async function saveElsewhere({ app }: Editor, page: Page, input: string): Promise<void> {
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  const other = await app.signIn('administrator')
  const { body } = await other.graphql(
    `mutation { updateEvent(input: { id: "${idOf(page)}", ${input} }) { userErrors { message } } }`,
  )
  expect(body.data.updateEvent.userErrors).toEqual([])
}

export const saved = (page: Page) => page.getByText(/^(Saved|Enregistré à) /).waitFor()
export const published = (page: Page) => page.getByText('The event is published.').waitFor()

export async function choosePlace(page: Page, typed: string, option: string | RegExp): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Place', exact: true })
  await field.click()
  await page.keyboard.type(typed)
  const focused = page.getByRole('option', { name: option }).and(page.locator('[data-focused]'))
  // By keyboard, because a preview that arrives moves what is under the mouse. Arrow keys open a list that closed when the page
  // scrolled. They stop at its ends, and suggestions that arrive may have moved the focus past this one.
  let key = 'ArrowUp'
  const reach = async () => {
    key = key === 'ArrowUp' ? 'ArrowDown' : 'ArrowUp'
    await page.keyboard.press(key)
    return focused.count()
  }
  await expect.poll(reach, { timeout: waitTimeout }).toBe(1)
  await page.keyboard.press('Enter')
}

export async function fillOnce(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title (English)').fill(title)
  await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
  await page.getByLabel('From', { exact: true }).fill('18:00')
}

/** A course on Tuesdays, which is published. */
export async function publishCourse(page: Page, title: string, until: string): Promise<void> {
  await page.getByText('Repeats', { exact: true }).click()
  await page.getByLabel('Title (English)').fill(title)
  await page.getByLabel('Date', { exact: true }).fill('2027-01-12')
  await page.getByLabel('From', { exact: true }).fill('18:00')
  await page.getByLabel('To', { exact: true }).fill('20:00')
  await page.getByLabel('Last possible date').fill(until)
  await choosePlace(page, 'libr', /Public library/)
  await saved(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await published(page)
}
