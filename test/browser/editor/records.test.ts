import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, holdOperation, openEditor } from '../../helpers/editor.ts'
import { holdPicture, pictureFile } from '../../helpers/editor-pictures.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor
let venue: number

beforeAll(async () => {
  editor = await openEditor()
  const { db } = editor.app
  venue = await makeVenue(db, 'Public library', { city: 'Turin' })
  const double = await makeVenue(db, 'Public Library', { city: 'Turin' })
  await makeVenue(db, 'Town hall', { city: 'Turin' })
  await makeOrganizer(db, 'Chess club')
  await makeCategory(db, { en: 'Readings', fr: 'Lectures' })
  await makeTag(db, 'Free entry')
  await makeEvent(db, { en: 'Choir' }, { start: '2027-01-13T19:00:00', venueIds: [venue] })
  await makeEvent(db, { en: 'Chess' }, { start: '2027-01-14T19:00:00', venueIds: [double] })
})
afterAll(() => editor?.close())

async function read(query: string) {
  const { graphql } = await editor.app.signIn('administrator')
  const { body } = await graphql(query)
  return body.data
}

describe('venues', () => {
  test('have no findings of axe, and no sideways scrolling', async () => {
    const { page, complaints } = await editor.open('/venues')
    await page.getByRole('link', { name: 'Town hall' }).waitFor()
    await page.getByRole('heading', { name: 'Possible duplicates' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Town hall' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('are found, and changed', async () => {
    const { page } = await editor.open('/venues')
    await page.getByRole('searchbox', { name: 'Search' }).fill('hall')
    await page.getByText('Found: 1').waitFor()
    await page.getByRole('link', { name: 'Town hall' }).click()
    await page.getByRole('textbox', { name: 'Website' }).fill('not an address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write a web address such as https://example.org').waitFor()
    expect(await page.locator(':focus').getAttribute('name')).toBe('website')
    await page.getByRole('textbox', { name: 'Website' }).fill('https://hall.example')
    await page.getByRole('textbox', { name: 'Town' }).fill('Milan')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Town hall” is saved.').waitFor()
    const { venues } = await read('{ venues(filter: { search: "hall" }) { nodes { city website } } }')
    expect(venues.nodes).toEqual([{ city: 'Milan', website: 'https://hall.example' }])
  })

  test('are not overwritten if somebody else changed them', async () => {
    const { page } = await editor.open(`/venues/${venue}`)
    const town = page.getByRole('textbox', { name: 'Town' })
    await town.waitFor()
    const { graphql } = await editor.app.signIn('administrator')
    editor.app.clock.now = new Date(editor.app.clock.now.getTime() + 1000)
    await graphql(`mutation ($id: ID!) { updateVenue(input: { id: $id, phone: "12" }) { userErrors { message } } }`, {
      id: venue,
    })
    await town.fill('Milan')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Load the current version' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Telephone' }).inputValue(), soon).toBe('12')
    expect(await town.inputValue()).toBe('Turin')
  })

  test('keep what is typed while another version arrives', async () => {
    const park = await makeVenue(editor.app.db, 'Old park', { city: 'Turin' })
    const { page } = await editor.open(`/venues/${park}`)
    const town = page.getByRole('textbox', { name: 'Town' })
    await town.waitFor()
    await page.getByRole('link', { name: 'Venues' }).click()
    const link = page.getByRole('link', { name: 'Old park' })
    await link.waitFor()
    const { graphql } = await editor.app.signIn('administrator')
    editor.app.clock.now = new Date(editor.app.clock.now.getTime() + 1000)
    await graphql(`mutation { updateVenue(input: { id: ${park}, name: "New park" }) { userErrors { message } } }`)
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch()
      // Time to type.
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.fulfill({ response })
    })
    await link.click()
    await town.fill('Milan')
    await page.getByRole('heading', { name: 'New park' }).waitFor()
    expect(await town.inputValue()).toBe('Milan')
  })

  test('ask before a link leaves unsaved changes', async () => {
    const park = await makeVenue(editor.app.db, 'Riverside', { city: 'Turin' })
    const { page } = await editor.open(`/venues/${park}`)
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    const website = page.getByRole('textbox', { name: 'Website' })
    await website.fill('https://river.example')
    await page.getByRole('link', { name: 'Organizers' }).click()
    expect(questions).toEqual(['There are unsaved changes. Leave the form?'])
    expect(await website.inputValue()).toBe('https://river.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Riverside” is saved.').waitFor()
    // The form now changes the version that it saved.
    editor.app.clock.now = new Date(editor.app.clock.now.getTime() + 1000)
    await website.fill('https://riverside.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => read(`{ venue(id: "${park}") { website } }`), soon)
      .toEqual({ venue: { website: 'https://riverside.example' } })
    await page.getByRole('link', { name: 'Organizers' }).click()
    await page.getByRole('heading', { name: 'Organizers' }).waitFor()
    expect(questions).toHaveLength(1)
  })

  test('ask before the Back button leaves unsaved changes', async () => {
    await makeVenue(editor.app.db, 'Old mill', { city: 'Turin' })
    const { page } = await editor.open('/venues')
    await page.getByRole('link', { name: 'Old mill' }).click()
    const town = page.getByRole('textbox', { name: 'Town' })
    await town.fill('Milan')
    const [stay, leave] = [false, true]
    const goBack = async (answer: boolean) => {
      const asked = page.waitForEvent('dialog')
      const going = page.evaluate(() => history.back())
      const dialog = await asked
      await (answer ? dialog.accept() : dialog.dismiss())
      await going
    }
    await goBack(stay)
    expect(await town.inputValue()).toBe('Milan')
    expect(page.url()).toMatch(/\/venues\/\d+$/)
    await goBack(leave)
    await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    expect(page.url()).toMatch(/\/venues$/)
  })

  test('say why they do not come back from the trash', async () => {
    const barn = await makeVenue(editor.app.db, 'Barn')
    const { page } = await editor.open(`/venues/${barn}`)
    await page.getByRole('button', { name: 'Move to trash' }).click()
    await page.getByText('“Barn” is in the trash.').waitFor()
    const { graphql } = await editor.app.signIn('administrator')
    await graphql(`mutation { deleteVenue(input: { id: ${barn} }) { userErrors { message } } }`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.toast.error').waitFor()
  })

  test('are merged by keyboard', async () => {
    const { page } = await editor.open('/venues')
    await page.getByRole('button', { name: /^Compare/ }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Are these the same?' })
    await dialog.getByRole('radio', { name: /^Public library/ }).focus()
    await page.keyboard.press('Space')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Merge' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Merged into “Public library”.').waitFor()
    await expect.poll(() => page.getByText('Possible duplicates').count(), soon).toBe(0)
    const { events } = await read('{ events(orderBy: { field: START }) { nodes { venues { name } } } }')
    expect(events.nodes.map(({ venues }: { venues: object[] }) => venues)).toEqual([
      [{ name: 'Public library' }],
      [{ name: 'Public library' }],
    ])
  })

  test('go to the trash, and come back', async () => {
    const { page } = await editor.open('/venues')
    await page.getByRole('link', { name: 'Town hall' }).click()
    await page.getByRole('button', { name: 'Move to trash' }).click()
    await page.getByText('“Town hall” is in the trash.').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Town hall' }).count(), soon).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Town hall' }).waitFor()
  })
})

test('a venue has a picture and coordinates', async () => {
  const id = await makeVenue(editor.app.db, 'Lighthouse')
  const { page, complaints } = await editor.open(`/venues/${id}`)
  await page.getByRole('textbox', { name: 'Latitude' }).fill('north')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await page.getByText('Write a number of degrees').count()).toBe(2)
  await page.getByRole('textbox', { name: 'Latitude' }).fill('44,4')
  await page.getByRole('textbox', { name: 'Longitude' }).fill('200')
  await page.getByLabel('Upload a picture').setInputFiles(await pictureFile('tower.png', { width: 400, height: 600 }))
  await page.getByRole('button', { name: 'Crop' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Crop', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByLabel('Alternative text').fill('A white tower')
  const cropped = { width: 320, height: 480 }
  await expect
    .poll(() => editor.app.db.image.findFirst({ select: { width: true, height: true } }), soon)
    .toEqual(cropped)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('from −90 to 90').waitFor({ state: 'hidden' })
  await page.locator('[name="longitude"]:focus').waitFor()
  await page.getByText('from −180 to 180').waitFor()
  await page.getByRole('textbox', { name: 'Longitude' }).fill('8.9')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Lighthouse” is saved.').waitFor()
  const stored = () => read(`{ venue(id: ${id}) { coordinates { latitude longitude } image { altText } } }`)
  const coordinates = { latitude: 44.4, longitude: 8.9 }
  expect((await stored()).venue).toEqual({ coordinates, image: { altText: 'A white tower' } })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await page.getByRole('button', { name: 'Choose from the library' }).click()
  await page.getByLabel('Search pictures').press('Enter')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await stored()).venue, soon).toEqual({ coordinates, image: null })
  expect(complaints).toEqual([])
})

test('a new venue waits for its picture, and leads nobody back who has left', async () => {
  const { page } = await editor.open('/venues/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Greenhouse')
  const upload = await holdPicture(page, 'glass.png')
  await page.getByRole('button', { name: 'Save' }).click()
  const creation = await holdOperation(page, 'CreateVenue')
  upload.release()
  await creation.started
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true)
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('link', { name: 'Tags' }).click()
  await page.getByRole('heading', { name: 'Tags' }).waitFor()
  creation.release()
  await page.getByText('“Greenhouse” is saved.').waitFor()
  expect(page.url()).toMatch(/\/tags$/)
  const { venues } = await read('{ venues(filter: { search: "greenhouse" }) { nodes { image { title } } } }')
  expect(venues.nodes).toEqual([{ image: { title: 'glass' } }])
})

test('what goes to the trash or is deleted leads nobody back who has left', async () => {
  const { db } = editor.app
  const [venue, category] = [await makeVenue(db, 'Boathouse'), await makeCategory(db, { en: 'Rowing' })]
  const { page } = await editor.open(`/venues/${venue}`)
  const leave = async (operation: string, remove: () => Promise<void>, done: string) => {
    const { started, release } = await holdOperation(page, operation)
    await remove()
    await started
    await page.getByRole('link', { name: 'Pictures' }).click()
    await page.getByRole('heading', { name: 'Pictures' }).waitFor()
    release()
    await page.getByText(done).waitFor()
    expect(page.url()).toMatch(/\/pictures$/)
  }
  await leave('TrashVenue', () => page.getByRole('button', { name: 'Move to trash' }).click(), 'is in the trash.')
  await page.goto(page.url().replace('/pictures', `/categories/${category}`))
  await page.getByRole('button', { name: 'Delete' }).click()
  await leave(
    'DeleteCategory',
    () => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click(),
    '“Rowing” is deleted.',
  )
})

test('creates an organizer, in French', async () => {
  const { page } = await editor.open('/organizers', { locale: 'fr-FR' })
  await page.getByRole('link', { name: 'Nouvel organisateur' }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Ce champ ne peut pas être vide').waitFor()
  await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('Les amis du livre')
  await page.getByRole('textbox', { name: 'Adresse électronique' }).fill('amis@example.org')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('« Les amis du livre » est enregistré.').waitFor()
  await expect.poll(() => page.url(), soon).toMatch(/\/organizers\/\d+$/)
  await page.getByRole('button', { name: 'Choisir dans la bibliothèque' }).waitFor()
})

test('gives a category a parent, and deletes it after a question', async () => {
  const { page } = await editor.open('/categories/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Poetry')
  await page.getByLabel('Belongs to').selectOption({ label: 'Readings' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Poetry” is saved.').waitFor()
  const { categories } = await read('{ categories(filter: { search: "poetry" }) { nodes { parent { name } } } }')
  expect(categories.nodes).toEqual([{ parent: { name: 'Readings' } }])
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('“Poetry” is deleted.').waitFor()
  await page.getByRole('link', { name: 'Readings' }).waitFor()
})

test('categories and tags are not overwritten if somebody else changed them', async () => {
  const { db, clock } = editor.app
  const { graphql } = await editor.app.signIn('administrator')
  const records = [
    ['categories', 'updateCategory', await makeCategory(db, 'Opera')],
    ['tags', 'updateTag', await makeTag(db, 'Indoors')],
  ] as const
  for (const [screen, mutation, id] of records) {
    const { page } = await editor.open(`/${screen}/${id}`)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.waitFor()
    clock.now = new Date(clock.now.getTime() + 1000)
    await graphql(`mutation { ${mutation}(input: { id: ${id}, name: "Theirs" }) { userErrors { message } } }`)
    await name.fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Load the current version' }).click()
    await expect.poll(() => name.inputValue(), soon).toBe('Theirs')
  }
})

test('a category keeps its new parent on the screen', async () => {
  const { db } = editor.app
  await makeCategory(db, { en: 'Music' })
  const id = await makeCategory(db, { en: 'Concerts' })
  const { page } = await editor.open(`/categories/${id}`)
  const parent = page.getByLabel('Belongs to')
  for (const label of ['Readings', 'Music']) {
    await parent.selectOption({ label })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Concerts” is saved.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await parent.locator('option:checked').innerText()).toBe(label)
  }
  await page.getByLabel('Description').fill('With and without singing.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Concerts” is saved.').waitFor()
  expect((await read(`{ category(id: ${id}) { parent { name } } }`)).category).toEqual({ parent: { name: 'Music' } })
})

test('a description with blank lines keeps its paragraphs', async () => {
  const input = '{ name: "Mill", description: "By the river.\\n\\nTwo halls.", status: PUBLISHED }'
  const { createVenue } = await read(`mutation { createVenue(input: ${input}) { venue { databaseId } } }`)
  const id = createVenue.venue.databaseId
  const { page } = await editor.open(`/venues/${id}`)
  const stored = async () => (await read(`{ venue(id: ${id}) { description } }`)).venue.description
  await page.getByRole('textbox', { name: 'Town' }).fill('Pisa')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Mill” is saved.').waitFor()
  expect(await stored()).toBe('By the river.\n\nTwo halls.')
  await page.getByRole('textbox', { name: 'Description' }).press('Control+End')
  await page.keyboard.type(' And a stage.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(stored, soon).toBe('<p>By the river.</p><p>Two halls. And a stage.</p>')
})

test('a contributor cannot change tags', async () => {
  const { page } = await editor.open('/tags', { role: 'contributor' })
  await page.getByRole('link', { name: 'Free entry' }).click()
  await page.getByText('You may read this, but not change it.').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
})
