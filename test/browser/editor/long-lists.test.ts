// Lists and choices that are longer than a page of the API.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeCategory, makeEvent, makeImage } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
const categoryCount = 250
const nameOf = (number: number) => `Subject ${String(number).padStart(3, '0')}`
let editor: Editor
let event: number

beforeAll(async () => {
  editor = await openEditor()
  const { db } = editor.app
  for (let number = 1; number <= categoryCount; number++) await makeCategory(db, nameOf(number))
  event = await makeEvent(db, { en: 'Reading' }, { start: '2027-01-13T19:00:00' })
})
afterAll(() => editor?.close())

test('an event gets the last of many categories by its name', async () => {
  const { page, complaints } = await editor.open(`/events/${event}`)
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.keyboard.type('subject 250')
  await page.getByRole('option', { name: 'Subject 250' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Categories' }).getByText('Subject 250').waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  const { graphql } = await editor.app.signIn('administrator')
  const { body } = await graphql(`{ event(id: "${event}") { categories { name } } }`)
  expect(body.data.event.categories).toEqual([{ name: 'Subject 250' }])
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('events are filtered by the last of many categories, which can be the parent of another', async () => {
  const { page } = await editor.open('/')
  const filter = page.getByLabel('Category', { exact: true })
  // With the one that stands for any.
  const hasAll = () => expect.poll(() => filter.getByRole('option').count(), soon).toBe(categoryCount + 1)
  await hasAll()
  const requests: string[] = []
  page.on('request', (request) => {
    const { operationName } = JSON.parse(request.postData() ?? '{}')
    if (operationName === 'CategoryOptions') requests.push(operationName)
  })
  await page.reload()
  await hasAll()
  expect(requests).toHaveLength(3)
  await filter.selectOption('Subject 249')
  await page.getByText('No events match these filters.').waitFor()
  await page.getByRole('link', { name: 'Categories' }).click()
  await page.getByRole('link', { name: 'Subject 001' }).click()
  await page.getByLabel('Belongs to').selectOption('Subject 250')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Subject 001” is saved.').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Belongs to').evaluate(selectedText), soon).toBe('Subject 250')

  function selectedText(select: Element) {
    return (select as HTMLSelectElement).selectedOptions[0]?.textContent
  }
})

test('pictures that were shown stay after one of them was changed', async () => {
  const { db } = editor.app
  for (let number = 1; number <= 40; number++) await makeImage(db, `https://images.test/${number}.jpg`)
  const { page } = await editor.open('/pictures')
  await page.getByRole('button', { name: 'Show more pictures' }).click()
  const pictures = page.locator('.picture-card')
  await expect.poll(() => pictures.count(), soon).toBe(40)
  await page.getByRole('button', { name: 'Edit 40' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Alternative text (English)').fill('A poster')
  const answered = page.waitForResponse((response) => response.request().postData()?.includes('"Pictures"') ?? false)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('img', { name: 'A poster' }).waitFor()
  await answered
  await expect.poll(() => pictures.count(), soon).toBe(40)
})

test('a table of several blocks shows the titles on a phone, too', async () => {
  for (let number = 1; number <= 60; number++) await makeEvent(editor.app.db, { en: `Reading number ${number}` })
  const { page } = await editor.open('/', { viewport: { width: 390, height: 844 } })
  const title = page.getByRole('link', { name: 'Reading number', exact: false }).first()
  await title.waitFor()
  expect((await title.boundingBox())?.width).toBeGreaterThan(150)
})

test('a search that fails says so, in place of what the former search found', async () => {
  const { page } = await editor.open('/categories')
  await page.getByRole('link', { name: 'Subject 001' }).waitFor()
  await page.route('**/graphql', (route) => route.abort())
  await page.getByRole('searchbox', { name: 'Search' }).fill('250')
  await page.getByText('The service did not answer.').waitFor()
  expect(await page.getByRole('link', { name: 'Subject 001' }).count()).toBe(0)
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Subject 250' }).waitFor()
})
