// Users: invite, change, delete.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, findings } from '../../helpers/browser.ts'
import { truncate } from '../../helpers/db.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeEvent } from '../../helpers/make.ts'
import { makeUser } from '../../helpers/users.ts'

let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
})
beforeEach(() => truncate(editor.app.db))
afterAll(() => editor?.close())

test('users have no findings of axe, and no sideways scrolling', async () => {
  await makeUser(editor.app.db, 'contributor', { name: 'Clara Contributor', email: 'clara.contributor@example.org' })
  const { page, complaints } = await editor.open('/users')
  await page.getByRole('heading', { name: 'Clara Contributor' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByRole('button', { name: 'Create and invite' }).click()
  await page.getByText('The name must have 1 to 200 characters.').waitFor()
  await page.getByText('The login must have 1 to 100 characters and no colon.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Clara Contributor' }).click()
  await page.getByLabel('Who becomes the author').waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('a new user gets a link, and chooses a password with it', async () => {
  const { page } = await editor.open('/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
  await page.getByLabel('Login').fill('grace')
  await page.getByLabel('Role').selectOption('Editor')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign-in link for Grace Hopper' }).waitFor()
  expect(await findings(page)).toEqual([])
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Invited, has not signed in yet').waitFor()
  await page.goto(link)
  await page.getByText('grace').first().waitFor()
  expect(new URL(link).origin).toBe(new URL(page.url()).origin)
})

test('errors say what is wrong: a login that is taken, and the last administrator', async () => {
  await makeUser(editor.app.db, 'author', { login: 'anna', name: 'Anna' })
  const { page } = await editor.open('/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Other Anna')
  await page.getByLabel('Login').fill('Anna')
  await page.getByRole('button', { name: 'Create and invite' }).click()
  await page.getByText('Another user has this login. Choose another one.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit The administrator' }).click()
  await page.getByLabel('Role').selectOption('Author')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('There must be another administrator first.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit Anna' }).click()
  await page.getByLabel('Role').selectOption('Administrator')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Anna is saved.').waitFor()
  expect(await editor.app.db.user.findUnique({ where: { login: 'anna' } })).toMatchObject({ role: 'administrator' })
})

test('the records of a deleted user get the author that the administrator chooses', async () => {
  const { id: authorId } = await makeUser(editor.app.db, 'author', { name: 'Anna' })
  const { id: heir } = await makeUser(editor.app.db, 'editor', { name: 'Bea' })
  const event = await makeEvent(editor.app.db, 'Reading', { authorId })
  const { page } = await editor.open('/users')
  await page.getByRole('button', { name: 'Delete Anna' }).click()
  await page.getByLabel('Who becomes the author').selectOption({ label: await optionOf('Bea') })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Anna is deleted. Records with a new author: 1.').waitFor()
  expect(await editor.app.db.event.findUnique({ where: { id: event } })).toMatchObject({ authorId: heir })

  async function optionOf(name: string) {
    return `${name} (${(await editor.app.db.user.findFirst({ where: { name } }))?.login})`
  }
})

test('users are for administrators, and the screen speaks French', async () => {
  const { page } = await editor.open('/users', { role: 'editor' })
  await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
  expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
  const { page: french } = await editor.open('/users', { locale: 'fr-FR' })
  await french.getByRole('heading', { name: 'Utilisateurs' }).waitFor()
  await french.getByRole('button', { name: 'Nouvel utilisateur' }).click()
  await french.getByText('Rédige et publie ses propres événements.').waitFor()
})
