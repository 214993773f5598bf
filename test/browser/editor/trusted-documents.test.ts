// The editor of a service that runs only trusted documents.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFirstLink } from '../../../src/service/auth/sign-in-links.ts'
import { visit } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeEvent, makeVenue } from '../../helpers/make.ts'
import { makeUser } from '../../helpers/users.ts'

const folder = mkdtempSync(join(tmpdir(), 'trusted-documents-'))
let editor: Editor
let event: number

beforeAll(async () => {
  const file = join(folder, 'trusted.json')
  writeFileSync(file, JSON.stringify({ abc: '{ __typename }' }))
  editor = await openEditor({ TRUSTED_OPERATIONS: file })
  const { db } = editor.app
  event = await makeEvent(
    db,
    { en: 'Choir' },
    { venueIds: [await makeVenue(db, 'Hall')], start: '2027-01-13T19:00:00' },
  )
})
afterAll(async () => {
  await editor?.close()
  rmSync(folder, { recursive: true })
})

test('reads and writes by its own documents, after a sign-in, and no other document runs', async () => {
  const { app, browser } = editor
  await makeUser(app.db, 'administrator', { login: 'ada' })
  const link = await createFirstLink(app.db, app.settings, app.clock.now)
  const { page, complaints } = await visit(browser, link?.url ?? '', {}, app.clock.now)
  await page.getByLabel('New password', { exact: true }).fill('four words in a row')
  await page.getByLabel('Repeat the new password').fill('four words in a row')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('link', { name: 'Choir' }).click()
  await page.waitForURL(`**/edit/events/${event}`)
  await page.getByLabel('Title').fill('Choir rehearsal')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  expect((await app.get(`/cal/events/v1/events/${event}`)).body.title).toBe('Choir rehearsal')
  const { origin } = new URL(page.url())
  for (const path of ['calendar', 'translations', 'trash', 'venues', 'organizers', 'categories', 'tags', 'pictures'])
    await open(path)
  for (const path of ['queue', 'import', 'users', 'webhooks', 'credentials', `events/${event}/history`])
    await open(path)
  for (const [path, name] of [
    ['/event/choir/', 'Edit'],
    ['/venue/hall/', 'Edit'],
    ['/', 'Open the editor'],
  ] as const) {
    await page.goto(origin + path)
    await page.getByRole('link', { name, exact: true }).waitFor()
  }
  expect(complaints).toEqual([])
  expect((await app.graphql('{ events { totalCount } }')).body.errors[0].extensions.code).toBe('OPERATION_NOT_TRUSTED')

  async function open(path: string) {
    await page.goto(`${origin}/edit/${path}`, { waitUntil: 'networkidle' })
  }
})
