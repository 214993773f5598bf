// What is typed stays: in its field, and in the browser until it is saved.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../../src/calendar/rules/record-password.ts'
import { waitTimeout } from '../../helpers/browser.ts'
import type { Editor } from '../../helpers/editor.ts'
import { fillOnce, openEventEditor, saved, stored } from '../../helpers/editor-event.ts'
import { makeEvent } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEventEditor()
})
afterAll(() => editor?.close())

describe('a new event', () => {
  test('is kept by the browser until it can be saved', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByLabel('Title (English)').fill('Half an idea')
    page.once('dialog', (dialog) => dialog.accept())
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByText('These are your unsaved changes from last time.').waitFor()
    expect(await page.getByLabel('Title (English)').inputValue()).toBe('Half an idea')
    await page.getByRole('button', { name: 'Discard them' }).click()
    expect(await page.getByLabel('Title (English)').inputValue()).toBe('')
  })

  test('is kept apart from one in another tab, and offered when that tab is closed', async () => {
    const { page: first } = await editor.open('/events/new')
    const context = first.context()
    const address = first.url()
    const another = async () => {
      const page = await context.newPage()
      await page.goto(address)
      return page
    }
    const isRestored = async (page: Page, title: string) => {
      await page.getByText('These are your unsaved changes from last time.').waitFor()
      expect(await page.getByLabel('Title (English)').inputValue()).toBe(title)
    }
    await first.getByLabel('Title (English)').fill('Half an idea')
    const second = await another()
    await second.getByRole('toolbar').waitFor()
    expect(await second.getByLabel('Title (English)').inputValue()).toBe('')
    await second.getByLabel('Title (English)').fill('Another idea')
    for (const page of [first, second]) page.on('dialog', (dialog) => dialog.accept())
    await first.reload()
    await isRestored(first, 'Half an idea')
    await second.reload()
    await isRestored(second, 'Another idea')
    await first.close()
    await second.close()
    const third = await another()
    await isRestored(third, 'Another idea')
    const fourth = await another()
    await isRestored(fourth, 'Half an idea')
    await fourth.getByRole('button', { name: 'Discard them' }).click()
    await fourth.reload()
    await fourth.getByRole('toolbar').waitFor()
    expect(await fourth.getByLabel('Title (English)').inputValue()).toBe('')
  })

  test('is forgotten if nobody comes back to it for a month', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByLabel('Title (English)').fill('Half an idea')
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('editor-event')))
    expect(await kept()).toHaveLength(1)
    await page.evaluate(() => {
      const later = Date.now() + 31 * 24 * 60 * 60 * 1000
      Date.now = () => later
    })
    await page.getByRole('link', { name: 'New event' }).click()
    await page.getByRole('toolbar').waitFor()
    expect(await page.getByLabel('Title (English)').inputValue()).toBe('')
    expect(await kept()).toEqual([])
  })

  test('is not kept for the next person at the computer', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByLabel('Title (English)').fill('Surprise party')
    const { authorization } = await editor.app.signIn('editor')
    await page.context().setExtraHTTPHeaders({ authorization })
    page.once('dialog', (dialog) => dialog.accept())
    await page.reload()
    await page.getByRole('toolbar').waitFor()
    expect(await page.getByLabel('Title (English)').inputValue()).toBe('')
  })

  test('is kept until the site has other languages', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByLabel('Title (English)').fill('Half an idea')
    page.once('dialog', (dialog) => dialog.accept())
    await page.route('**/edit/events/new', async (route) => {
      const response = await route.fetch()
      const body = await response.text()
      await route.fulfill({ response, body: body.replace(/data-languages="([^"]*)"/, 'data-languages="$1 de"') })
    })
    await page.reload()
    await page.getByText('German').click(soon)
    expect(await page.getByLabel('Title (German)').inputValue()).toBe('')
  })

  test('is saved although the browser cannot keep it', async () => {
    const { page, complaints } = await editor.open('/')
    await page.addInitScript(() => {
      localStorage.clear()
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('The storage is blocked.', 'SecurityError')
        },
      })
    })
    await page.goto(page.url().replace(/\/edit\/.*/, '/edit/events/new'))
    await fillOnce(page, 'Garage sale')
    await saved(page)
    expect(complaints).toEqual([])
  })

  test('asks before a link leaves it with unsaved changes, but not before one opens beside it', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByLabel('Title (English)').fill('Half a sentence')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.type())
      void dialog.dismiss()
    })
    const link = page.getByRole('link', { name: 'Venues' })
    const [beside] = await Promise.all([
      page.context().waitForEvent('page', soon),
      link.click({ modifiers: ['ControlOrMeta'] }),
    ])
    await beside.close()
    expect(questions).toEqual([])
    await link.click()
    expect(questions).toEqual(['confirm'])
    expect(await page.getByLabel('Title (English)').inputValue()).toBe('Half a sentence')
  })
})

test('the end of a night, and the end on another day, when the start changes', async () => {
  const { page } = await editor.open('/events/new')
  const [from, to] = ['From', 'To'].map((label) => page.getByLabel(label, { exact: true }))
  await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
  await from?.fill('22:00')
  expect(await to?.inputValue()).toBe('23:00')
  await to?.fill('02:00')
  await from?.fill('21:30')
  expect(await to?.inputValue()).toBe('01:30')
  await from?.fill('00:30')
  expect(await to?.inputValue()).toBe('04:30')
  await page.getByLabel('Lasts several days').check()
  await to?.fill('12:00')
  await from?.fill('18:00')
  expect(await to?.inputValue()).toBe('12:00')
})

test('the field of the last day, while it is written anew', async () => {
  const { page } = await editor.open('/events/new')
  await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
  await page.getByLabel('Lasts several days').check()
  const last = page.getByLabel('Last day')
  await last.focus()
  await page.keyboard.press('Backspace')
  expect(await last.inputValue()).toBe('')
  await last.fill('2027-03-14')
  expect(await last.inputValue()).toBe('2027-03-14')
  await page.getByLabel('Lasts several days').uncheck()
  expect(await last.count()).toBe(0)
})

test('a number whose only digit was deleted first', async () => {
  const { page } = await editor.open('/events/new')
  await page.getByText('Repeats', { exact: true }).click()
  const every = page.getByLabel('Every')
  await every.press('End')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('2')
  expect(await every.inputValue()).toBe('2')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  expect(await every.inputValue()).toBe('2')
})

/** The field of the password, which is folded away at first. */
async function passwordField(page: Page) {
  const field = page.locator('[name="password"]')
  await page
    .locator('details')
    .filter({ has: field })
    .evaluate((details: HTMLDetailsElement) => {
      details.open = true
    })
  return field
}

test('a password is not kept by the browser, which says so', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Annual meeting' }, { start: '2027-01-14T19:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  page.on('dialog', (dialog) => dialog.accept())
  const restored = page.getByText('These are your unsaved changes from last time.')
  const lost = page.getByText('The password that you typed is not kept by the browser.')
  await page.getByLabel('Title (English)').fill('Annual meeting of members')
  await (await passwordField(page)).fill('open sesame')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('Annual meeting of members')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('open sesame')
  await page.reload()
  await lost.waitFor()
  await restored.waitFor()
  const field = await passwordField(page)
  expect(await field.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Discard them' }).click()
  expect(await lost.count()).toBe(0)
  await field.fill('open sesame')
  await page.reload()
  await lost.waitFor()
  expect(await restored.count()).toBe(0)
  await (await passwordField(page)).fill('sesame')
  expect(await lost.count()).toBe(0)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  await page.reload()
  await page.getByRole('toolbar').waitFor()
  expect(await lost.count()).toBe(0)
})

test('the question before an event with a typed password is left says that the password is not kept', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Board meeting' })
  const { page } = await editor.open(`/events/${id}`)
  /** The question that a link asks. */
  const ask = async () => {
    const [question] = await Promise.all([
      page.waitForEvent('dialog').then(async (dialog) => {
        await dialog.dismiss()
        return dialog.message()
      }),
      page.getByRole('link', { name: 'Calendar', exact: true }).click(),
    ])
    return question
  }
  await page.getByLabel('Title (English)').fill('Board meeting in spring')
  expect(await ask()).toContain('This browser keeps them until you open the event again. Leave')
  await (await passwordField(page)).fill('open sesame')
  expect(await ask()).toContain(
    'This browser keeps them until you open the event again, except for the password. Leave',
  )
})

test('a password during which the draft saves itself', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Members only' }, { status: 'draft' })
  const { page } = await editor.open(`/events/${id}`)
  const field = await passwordField(page)
  await field.click()
  await page.keyboard.type('open')
  await saved(page)
  await page.keyboard.type(' sesame')
  await expect.poll(() => page.getByText(/^(Saving|Not saved yet)/).count(), soon).toBe(0)
  await saved(page)
  expect(await field.inputValue()).toBe('open sesame')
  const { db, site } = editor.app
  const { passwordKey } = await db.event.findUniqueOrThrow({ where: { id }, select: { passwordKey: true } })
  expect(passwordKey).toBe(await hashRecordPassword('open sesame', site.passwordSalt))
  await page.getByLabel('Remove the password').check()
  await page.getByLabel('Remove the password').waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('')
  expect(await field.isEnabled()).toBe(true)
})

test('a description that ends with a heading is not changed by a click', async () => {
  const id = await makeEvent(editor.app.db, { en: { name: 'Menu', description: '<p>Soup.</p><h2>Bread</h2>' } })
  const { page } = await editor.open(`/events/${id}`)
  const description = page.getByRole('textbox', { name: 'Description (English)', exact: true })
  await description.click()
  await expect.poll(() => description.locator('p').count(), soon).toBe(2)
  expect(await page.getByText('Everything is saved').count()).toBe(1)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('And salt.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  expect((await stored(editor, page, 'description')).description).toBe('<p>Soup.</p><h2>Bread</h2><p>And salt.</p>')
})
