// Two people with the form of the same event.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, holdOperation } from '../../helpers/editor.ts'
import { openEventEditor, publishCourse, saved, saveElsewhere, stored } from '../../helpers/editor-event.ts'
import { makeEvent } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEventEditor()
})
afterAll(() => editor?.close())

test('learn of each other', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Vernissage' }, { start: '2027-04-05T10:00:00' })
  await editor.open(`/events/${id}`, { role: 'editor' })
  const { page } = await editor.open(`/events/${id}`)
  await page.getByText(/ has this form open, too\. /).waitFor()
})

test('changes of different fields are merged', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Open day' }, { start: '2027-04-01T10:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  await page.getByLabel('Title (English)').fill('Open day of the library')
  await saveElsewhere(editor, page, 'onlineUrl: "https://example.org/stream", attendanceMode: MIXED')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^Somebody else changed this at the same time: /).waitFor()
  await page.getByText('The changes are saved.').waitFor()
  expect(await stored(editor, page, 'title onlineUrl attendanceMode')).toEqual({
    title: 'Open day of the library',
    onlineUrl: 'https://example.org/stream',
    attendanceMode: 'MIXED',
  })
})

test('of two versions of a field, a person chooses one', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Market' }, { start: '2027-04-02T10:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  await page.getByLabel('Title (English)').fill('Flower market')
  await page.getByLabel('Short description (English)').fill('Tulips and more')
  await saveElsewhere(editor, page, 'title: "Spring market"')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Two people changed the same thing' })
  await dialog.getByText('Spring market').waitFor()
  await dialog.getByText('Flower market').waitFor()
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Take the other one' }).click()
  await saved(page)
  expect(await stored(editor, page, 'title excerpt')).toEqual({ title: 'Spring market', excerpt: 'Tulips and more' })
})

test('a version that is kept is not announced as taken over from somebody else', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Auction' }, { start: '2027-04-07T10:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  const taken = page.getByText(/^Somebody else changed this at the same time: Title/)
  await page.getByLabel('Short description (English)').fill('Old toys')
  await saveElsewhere(editor, page, 'title: "Auction of toys"')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await taken.waitFor()
  await page.getByLabel('Title (English)').fill('Toy auction')
  await saveElsewhere(editor, page, 'title: "Auction for children"')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep yours' }).click()
  await taken.waitFor({ state: 'hidden' })
  await saved(page)
  expect(await stored(editor, page, 'title')).toEqual({ title: 'Toy auction' })
})

test('a draft that somebody else has published does not save itself any more', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Quiet room' }, { status: 'draft' })
  const { page } = await editor.open(`/events/${id}`)
  const title = page.getByLabel('Title (English)')
  await title.waitFor()
  const administrator = await editor.app.signIn('administrator')
  await administrator.graphql(
    `mutation { updateEvent(input: { id: "${id}", status: PUBLISHED }) { userErrors { message } } }`,
  )
  await title.fill('Quiet room, half a sen')
  await page.getByRole('button', { name: 'Save changes' }).waitFor()
  await page.getByText('Not saved yet').waitFor()
  expect(await stored(editor, page, 'title')).toEqual({ title: 'Quiet room' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  expect(await stored(editor, page, 'title')).toEqual({ title: 'Quiet room, half a sen' })
})

test('closing the question decides nothing', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Flea market' }, { start: '2027-04-06T10:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  await page.getByLabel('Title (English)').fill('Flea market in the hall')
  await page.getByLabel('Short description (English)').fill('Old books')
  await saveElsewhere(editor, page, 'title: "Flea market by the river", excerpt: "Old bikes"')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Two people changed the same thing' })
  await dialog.getByText('Flea market by the river').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await stored(editor, page, 'title excerpt')).toEqual({
    title: 'Flea market by the river',
    excerpt: 'Old bikes',
  })
  const open = page.getByRole('button', { name: 'Choose a version' })
  await open.click(soon)
  await dialog.getByRole('button', { name: 'Keep yours' }).click()
  await dialog.getByText('Old bikes').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // Neither does saving.
  await page.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByRole('button', { name: 'Take the other one' }).click()
  await saved(page)
  expect(await open.count()).toBe(0)
  expect(await stored(editor, page, 'title excerpt')).toEqual({
    title: 'Flea market in the hall',
    excerpt: 'Old bikes',
  })
})

/** Merges another description of a draft into the form while the editor of the description has the focus. */
async function mergeDescription(before: string, theirs: string) {
  const id = await makeEvent(
    editor.app.db,
    { en: { name: 'Rehearsal', description: before } },
    { status: 'draft', start: '2027-04-08T10:00:00' },
  )
  const { page } = await editor.open(`/events/${id}`)
  const description = page.getByRole('textbox', { name: 'Description (English)', exact: true })
  await description.waitFor()
  await saveElsewhere(editor, page, `description: "${theirs}"`)
  const update = await holdOperation(page, 'UpdateFormEvent')
  await page.getByLabel('Title (English)').fill('Rehearsal for all')
  await update.started
  await description.click()
  await page.keyboard.press('Control+End')
  update.release()
  await page.getByText(/^Somebody else changed this at the same time: Description/).waitFor()
  await saved(page)
  return page
}

test('a description that has the focus shows what somebody else wrote, and keeps the cursor', async () => {
  const page = await mergeDescription('<p>Bring a chair.</p><p>See you!</p>', '<p>Bring two chairs.</p><p>See you!</p>')
  await page.keyboard.type(' Soon')
  await expect
    .poll(() => stored(editor, page, 'title description'), soon)
    .toEqual({ title: 'Rehearsal for all', description: '<p>Bring two chairs.</p><p>See you! Soon</p>' })
  // Undo takes back what this person wrote, not what somebody else did.
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
  await expect
    .poll(async () => (await stored(editor, page, 'description')).description, soon)
    .toBe('<p>Bring two chairs.</p><p>See you!</p>')
})

test('a description that has the focus loses nothing of what the editor cannot format', async () => {
  const table = '<table><tbody><tr><td>10:00</td></tr></tbody></table>'
  const page = await mergeDescription('<p>Morning</p>', table)
  const source = page.locator('textarea[name="description.EN"]')
  expect(await source.inputValue()).toBe(table)
  await source.press('Control+End')
  await page.keyboard.type('<p>End</p>')
  await expect
    .poll(async () => (await stored(editor, page, 'description')).description, soon)
    .toBe(`${table}<p>End</p>`)
})

test('a change to one date of a series does not hide what somebody else changed', async () => {
  const { page } = await editor.open('/events/new')
  await publishCourse(page, 'Juggling', '2027-02-02')
  await page.getByLabel('Title (English)').fill('Juggling for everybody')
  await saveElsewhere(editor, page, 'title: "Juggling with fire", scope: ALL')
  await page.getByRole('button', { name: 'Cancel this date' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel this date' }).click()
  const dialog = page.getByRole('dialog', { name: 'Two people changed the same thing' })
  await dialog.getByText('Juggling with fire').waitFor(soon)
})
