// The form of an event on a slow network, and on one that loses answers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitTimeout } from '../../helpers/browser.ts'
import { type Editor, holdOperation } from '../../helpers/editor.ts'
import { choosePlace, fillOnce, openEventEditor, published, saved, stored } from '../../helpers/editor-event.ts'
import { holdPicture } from '../../helpers/editor-pictures.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEventEditor()
})
afterAll(() => editor?.close())

test('somebody who leaves a new event while it is created stays on the next screen', async () => {
  const { page } = await editor.open('/events/new')
  await page.getByLabel('Title (English)').waitFor()
  const creation = await holdOperation(page, 'CreateFormEvent')
  await fillOnce(page, 'Night market')
  await creation.started
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('link', { name: 'Venues', exact: true }).click()
  await page.getByRole('link', { name: 'New venue' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Half a venue')
  const read = page.waitForResponse((response) => response.request().postData()?.includes('EventToEdit') ?? false)
  creation.release()
  await (await read).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a venue')
})

test.each(['CreateFormEvent', 'EventToEdit'])('an event is created once if the answer to %s is lost', async (name) => {
  const title = `Echo of ${name}`
  const { page } = await editor.open('/events/new')
  await page.getByLabel('Title (English)').waitFor()
  // As a site without TLS is seen by browsers.
  await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
  let isLost = false
  await page.route('**/graphql', async (route) => {
    if (isLost || route.request().postDataJSON()?.operationName !== name) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  await fillOnce(page, title)
  await page.getByText('Not saved.').waitFor()
  await page.getByLabel('Title (English)').fill(`${title}, again`)
  await page.waitForURL(/\/events\/\d+$/)
  await expect.poll(async () => (await stored(editor, page, 'title')).title, soon).toBe(`${title}, again`)
  const administrator = await editor.app.signIn('administrator')
  const filter = `{ search: "${title}", status: [DRAFT] }`
  const { body } = await administrator.graphql(`{ events(filter: ${filter}) { totalCount } }`)
  expect(body.data.events.totalCount).toBe(1)
})

test('a publication waits for the picture', async () => {
  const { page } = await editor.open('/events/new')
  await fillOnce(page, 'Slow poster')
  await choosePlace(page, 'libr', /Public library/)
  await saved(page)
  const upload = await holdPicture(page, 'poster.png')
  await page.getByRole('button', { name: 'Publish' }).click()
  upload.release()
  await page.locator('[name="image"]:focus').fill('A poster')
  await page.getByRole('button', { name: 'Publish' }).click()
  await published(page)
  expect(await stored(editor, page, 'status image { altText }')).toEqual({
    status: 'PUBLISHED',
    image: { altText: 'A poster' },
  })
})

test('a venue is created once, however often Enter is pressed', async () => {
  const { page } = await editor.open('/events/new')
  await choosePlace(page, 'Quay seven', 'New: “Quay seven”')
  const creation = await holdOperation(page, 'CreateFormVenue')
  await page.getByLabel('Town').press('Enter')
  await creation.started
  await page.getByLabel('Town').press('Enter')
  creation.release()
  await page.getByRole('button', { name: 'Remove “Quay seven”' }).waitFor()
  const { body } = await editor.app.graphql('{ venues(filter: { search: "quay" }) { totalCount } }')
  expect(body.data.venues.totalCount).toBe(1)
})

test('a venue that was removed while another one is created stays removed', async () => {
  const { page } = await editor.open('/events/new')
  await choosePlace(page, 'libr', /Public library/)
  await choosePlace(page, 'Quay eight', 'New: “Quay eight”')
  const creation = await holdOperation(page, 'CreateFormVenue')
  await page.getByLabel('Town').press('Enter')
  await creation.started
  const library = page.getByRole('button', { name: 'Remove “Public library”' })
  await library.click()
  await library.waitFor({ state: 'detached' })
  creation.release()
  await page.getByRole('button', { name: 'Remove “Quay eight”' }).waitFor()
  expect(await library.count()).toBe(0)
})
