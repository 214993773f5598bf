// Events from a spreadsheet, as drafts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../../helpers/browser.ts'
import { truncate } from '../../helpers/db.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeCategory, makeVenue } from '../../helpers/make.ts'

let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
})
beforeEach(() => truncate(editor.app.db))
afterAll(() => editor?.close())

const file = (name: string, text: string, encoding: BufferEncoding = 'utf8') => ({
  ...{ name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) },
})

const agenda = [
  'Titre;Date;Heure;Heure de fin;Lieu;Catégorie;Tarif',
  'Fête de l’été;12/06/2027;18h30;23h;Mairie;Fêtes;Gratuit',
  'Marché;13/06/2027;;;Place;;',
  '"Lecture ; poésie";lundi 14 juin 2027;20h;;Mairie;Poésie;',
  ';15/06/2027;;;;;',
  'Sans date;bientôt;;;;;',
].join('\r\n')

test('a file is previewed and becomes drafts', async () => {
  const { db } = editor.app
  const venue = await makeVenue(db, 'Mairie')
  const category = await makeCategory(db, { en: 'Parties', fr: 'Fêtes' })
  const { page, complaints } = await editor.open('/import', { locale: 'fr-FR', role: 'editor' })
  await page.getByText('Chaque ligne d’un tableau devient un brouillon').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Fichier CSV').setInputFiles(file('agenda.csv', agenda))
  await page.getByText('Lignes sans erreur : 2. Lignes avec erreurs, ignorées : 3.').waitFor()
  await page.getByText('Catégories : « Poésie » n’existe pas.').waitFor()
  await page.getByText('Titre : vide.').waitFor()
  await page.getByText('Début : « bientôt » n’est pas une date').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Créer 2 brouillons' }).click()
  await page.getByText('Brouillons créés : 2.').waitFor()
  await expectAccessible(page)
  const { body } = await (await editor.app.signIn('editor')).graphql(
    `{ events(orderBy: { field: START }) { nodes { title status startsLocal endsLocal allDay costEntries
       venues { name databaseId } categories { databaseId } languages { tag } } } }`,
    {},
    '/fr',
  )
  expect(body.data.events.nodes).toMatchObject([
    {
      ...{ title: 'Fête de l’été', status: 'DRAFT', allDay: false, costEntries: ['Gratuit'] },
      ...{ startsLocal: '2027-06-12T18:30:00', endsLocal: '2027-06-12T23:00:00' },
      ...{ venues: [{ databaseId: venue }], categories: [{ databaseId: category }] },
    },
    { title: 'Marché', startsLocal: '2027-06-13T00:00:00', allDay: true, venues: [{ name: 'Place' }] },
  ])
  expect(complaints).toEqual([])
})

test('cells that are pasted get their columns, and are not imported twice', async () => {
  const { page } = await editor.open('/import')
  const cells = 'What\tWhen\nChess\t2027-03-04 18:00\nYoga\t03/04/2027\n'
  await page.getByLabel('Or paste cells of a spreadsheet').fill(cells)
  await page.getByRole('button', { name: 'Show the preview' }).click()
  await page.getByText('Choose the columns: Title, Start.').waitFor()
  await page.getByLabel('Title (required)').selectOption('What')
  await page.getByLabel('Start (required)').selectOption('When')
  await page.getByText('Sat, 3 Apr 2027').waitFor()
  await page.getByLabel('Dates such as 03/04/2027').selectOption('month, day, year')
  await page.getByText('Thu, 4 Mar 2027', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create 2 drafts' }).click()
  await page.getByText('Drafts created: 2.').waitFor()
  await page.getByRole('link', { name: 'Go to the drafts' }).click()
  await page.getByRole('link', { name: 'Yoga' }).waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByLabel('Or paste').fill('Title\tDate\nChess\t2027-03-04 18:00\n')
  await page.getByRole('button', { name: 'Show the preview' }).click()
  await page.getByRole('button', { name: 'Create 1 draft' }).click()
  await page.getByText('An import has created this event before.').waitFor()
  expect(await editor.app.db.event.count()).toBe(2)
})

test('files in Windows-1252 are read, and workbooks are refused with advice', async () => {
  const { page } = await editor.open('/import', { role: 'contributor' })
  await page.getByLabel('CSV file').setInputFiles(file('latin.csv', 'title,date\nFête,2027-03-04\n', 'latin1'))
  await page.getByRole('rowheader', { name: 'Fête' }).waitFor()
  await page.getByRole('button', { name: 'Another file' }).click()
  await page.getByLabel('CSV file').setInputFiles(file('events.xlsx', 'PK\u0003\u0004'))
  await page.getByText('This is a workbook').waitFor()
  await page.getByLabel('CSV file').setInputFiles(file('empty.csv', 'title,date\n'))
  await page.getByText('There are no rows.').waitFor()
})

test('a long title leaves room for the date and the place', async () => {
  const { page } = await editor.open('/import', { viewport: { width: 390, height: 844 } })
  const cells = `Title\tStart\tVenue\n${'Readingaloud'.repeat(30)}\t2027-05-05 10:00\tTown library`
  await page.getByLabel('Or paste cells of a spreadsheet').fill(cells)
  await page.getByRole('button', { name: 'Show the preview' }).click()
  const place = page.getByRole('cell', { name: 'Town library' })
  await place.waitFor()
  expect((await place.boundingBox())?.width).toBeGreaterThan(60)
})
