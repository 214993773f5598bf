import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, findings } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { pictureFile } from '../../helpers/editor-pictures.ts'
import { makeEvent, makeVenue } from '../../helpers/make.ts'

let editor: Editor
beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor?.close())

test('uploads several pictures, finds those without a text, and describes one in two languages', async () => {
  const { page, complaints } = await editor.open('/pictures')
  await page
    .getByLabel('Upload pictures')
    .setInputFiles([
      await pictureFile('harbour.png', { background: '#246' }),
      await pictureFile('market.png', { background: '#642' }),
    ])
  await page.getByText('2 pictures are uploaded.').waitFor()
  await page.getByLabel('Show').selectOption('Without alternative text')
  await page.getByText('2 pictures', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit harbour' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Alternative text (English)').fill('Boats in the harbour')
  await dialog.getByText('French').click()
  await dialog.getByLabel('Alternative text (French)').fill('Bateaux au port')
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 picture', { exact: true }).waitFor()
  await page.getByLabel('Search').fill('bateaux')
  await page.getByText('No pictures match.').waitFor()
  await page.getByLabel('Show').selectOption('All pictures')
  await page.getByRole('img', { name: 'Boats in the harbour' }).waitFor()
  expect(complaints).toEqual([])
})

test('shows where a picture is used, replaces its file there, and keeps that it is decoration', async () => {
  const { page, complaints } = await editor.open('/pictures')
  await page.getByLabel('Upload pictures').setInputFiles(await pictureFile('stage.png', { background: '#264' }))
  await page.getByText('1 picture is uploaded.').waitFor()
  const { db } = editor.app
  const { id: imageId, url } = await db.image.findFirstOrThrow({ where: { slug: 'stage' } })
  for (const number of [1, 2, 3, 4]) await makeEvent(db, { en: `Play ${number}` }, { imageId })
  await makeVenue(db, 'Theatre', { imageId })
  await page.getByLabel('Search').fill('stage')
  const card = page.getByRole('listitem').filter({ has: page.getByText('stage', { exact: true }) })
  await card.getByText('1 more').waitFor()
  await card.getByRole('link', { name: 'Theatre' }).waitFor()
  await card.getByRole('button', { name: 'Edit stage' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('Replace the picture')
    .setInputFiles(await pictureFile('large-stage.png', { background: '#846' }))
  await dialog.getByRole('img', { name: 'large-stage.png' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'The picture is only decoration' }).check()
  expect(await dialog.getByLabel('Alternative text (English)').isDisabled()).toBe(true)
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The picture is replaced.').waitFor()
  await card.getByText('Only decoration').waitFor()
  const after = await db.image.findUniqueOrThrow({ where: { id: imageId } })
  expect([after.url === url, after.decorative]).toEqual([false, true])
  await page.getByLabel('Show').selectOption('Without alternative text')
  await page.getByText('No pictures match.').waitFor()
  expect(complaints).toEqual([])
})

test('crops a new file by keyboard before it replaces the picture', async () => {
  const { page, complaints } = await editor.open('/pictures')
  await page.getByLabel('Upload pictures').setInputFiles(await pictureFile('quay.png', { background: '#264' }))
  await page.getByText('1 picture is uploaded.').waitFor()
  await page.getByRole('button', { name: 'Edit quay' }).click()
  await page.getByLabel('Replace the picture').setInputFiles(await pictureFile('long-quay.png', { background: '#846' }))
  await page.getByRole('button', { name: 'Crop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Crop the picture' })
  await dialog.getByRole('button', { name: 'Right edge' }).focus()
  for (let step = 0; step < 5; step++) await page.keyboard.press('Shift+ArrowLeft')
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Crop' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The picture is replaced.').waitFor()
  const { width, height } = await editor.app.db.image.findFirstOrThrow({ where: { slug: 'quay' } })
  expect(height).toBe(320)
  expect(width).toBeLessThan(450)
  expect(complaints).toEqual([])
})

test('deletes a picture, unless something uses it', async () => {
  const { page } = await editor.open('/pictures')
  await page.getByLabel('Upload pictures').setInputFiles(await pictureFile('poster.png', { background: '#444' }))
  await page.getByText('1 picture is uploaded.').waitFor()
  const { db } = editor.app
  const image = await db.image.findFirstOrThrow({ where: { slug: 'poster' } })
  const event = await makeEvent(db, { en: 'Puppet theatre' }, { imageId: image.id })
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete poster' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  }
  await remove()
  const asked = page.getByRole('dialog', { name: '“poster” is used' })
  await asked.getByRole('link', { name: 'Puppet theatre' }).waitFor()
  expect(await findings(page)).toEqual([])
  await asked.getByRole('button', { name: 'Cancel' }).click()
  expect(await db.image.count({ where: { id: image.id } })).toBe(1)
  const card = page.getByRole('listitem').filter({ has: page.getByText('poster', { exact: true }) })
  for (const [data, link] of [
    [{ hideFromListings: true }, 'Puppet theatre'],
    [{ status: 'trash', trashedFrom: 'publish' }, '(In the trash)'],
  ] as const) {
    await db.event.update({ where: { id: event }, data })
    await page.reload()
    await card.getByRole('link', { name: link }).waitFor()
    await page.getByLabel('Show').selectOption('Not used')
    await card.waitFor({ state: 'detached' })
  }
  await page.reload()
  await db.event.update({ where: { id: event }, data: { imageId: null } })
  await remove()
  await page.getByText('The picture is deleted.').waitFor()
  expect(await db.image.count({ where: { id: image.id } })).toBe(0)
})

test('deletes a picture that is used, after a question in the language of the interface', async () => {
  const { db } = editor.app
  const { page } = await editor.open('/pictures', { locale: 'fr-FR' })
  await page.getByLabel('Téléverser des images').setInputFiles(await pictureFile('banner.png', { background: '#454' }))
  await page.getByText('1 image téléversée.').waitFor()
  const { id: imageId } = await db.image.findFirstOrThrow({ where: { slug: 'banner' } })
  const event = await makeEvent(db, { fr: 'Marionnettes' }, { imageId })
  await page.getByRole('button', { name: 'Supprimer banner' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /est utilisée$/ })
  await dialog.getByRole('link', { name: 'Marionnettes' }).waitFor()
  expect(await dialog.innerText()).not.toContain('force')
  await dialog.getByRole('button', { name: 'Supprimer quand même' }).click()
  await page.getByText('L’image est supprimée.').waitFor()
  expect(await db.event.findUniqueOrThrow({ where: { id: event } })).toMatchObject({ imageId: null })
})

test('has no findings of axe, and no sideways scrolling', async () => {
  const { page } = await editor.open('/pictures')
  await page.getByText(/^\d+ pictures?$/).waitFor()
  await expectAccessible(page)
})
