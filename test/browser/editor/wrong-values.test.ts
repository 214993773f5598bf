import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Editor, openEditor } from '../../helpers/editor.ts'

let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor?.close())

test('a form for a venue says in French what would be right', async () => {
  const { page } = await editor.open('/venues/new', { locale: 'fr-FR' })
  const fill = (name: string, value: string) => page.getByRole('textbox', { name, exact: true }).fill(value)
  await fill('Nom', 'x'.repeat(801))
  await fill('Site web', 'notre site')
  await fill('Latitude', '91')
  await fill('Longitude', '2')
  await fill('Téléphone', '1'.repeat(2001))
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Ce champ ne peut pas être vide et peut contenir au maximum 800 caractères.').waitFor()
  await page.getByText('Indiquez une adresse web comme https://example.org').waitFor()
  await page.getByText('Indiquez un nombre de degrés entre −90 et 90').waitFor()
  await page.getByText('Ce texte est trop long').waitFor()
  expect(await page.locator('.field-error').count()).toBe(4)
  expect(await page.locator('.field-error [lang="en"]').count()).toBe(0)
})

test('the form for an event says in French what would be right', async () => {
  const { page } = await editor.open('/events/new', { locale: 'fr-FR' })
  await page.getByLabel('Titre (français)').fill('Concert au port')
  await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
  await page.getByLabel('De', { exact: true }).fill('18:00')
  await page.getByLabel('Dure plusieurs jours').check()
  await page.getByLabel('Dernier jour').fill('2027-03-10')
  await page.getByLabel('Site web avec plus d’informations').fill('notre site')
  await page.getByText('Billets', { exact: true }).click()
  await page.getByRole('button', { name: 'Ajouter un type de billet' }).click()
  await page.getByLabel('Prix du billet').fill('douze euros')
  await page.getByText('La fin ne doit pas précéder le début.').waitFor()
  await page.getByText('Indiquez une adresse web comme https://example.org').waitFor()
  await page.getByText('Indiquez le prix du billet par un nombre, par exemple 12,50.').waitFor()
  await page.getByText('Se répète', { exact: true }).click()
  await page.getByLabel('Dernière date possible').fill('2027-05-12')
  await page.getByText('Cette répétition n’est pas possible.').first().waitFor()
  expect(await page.locator('.field-error [lang="en"]').count()).toBe(0)
})

test('a form for an organizer says in Spanish what would be right', async () => {
  const { page } = await editor.open('/organizers/new', { locale: 'es-ES' })
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Este campo no puede estar vacío').waitFor()
  await page.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Amigos del libro')
  await page.getByRole('textbox', { name: 'Correo electrónico' }).fill('amigos')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Escriba una dirección de correo como ada@example.org').waitFor()
  expect(await page.locator(':focus').getAttribute('name')).toBe('email')
})

test('what the editor does not know is said by the service, in English', async () => {
  const { page } = await editor.open('/tags/new', { locale: 'es-ES' })
  await page.route('**/graphql*', async (route) => {
    if (!route.request().postData()?.includes('createTag')) return route.continue()
    const userError = {
      __typename: 'UserError',
      code: 'BAD_INPUT',
      path: ['colour'],
      message: 'colour must be a colour.',
    }
    const rest = { existingId: null, modifiedAt: null }
    const written = { __typename: 'TagPayload', record: null, userErrors: [{ ...userError, ...rest }] }
    await route.fulfill({ json: { data: { written } } })
  })
  await page.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Azul')
  await page.getByRole('button', { name: 'Guardar' }).click()
  expect(await page.getByText('colour must be a colour.').getAttribute('lang')).toBe('en')
})
