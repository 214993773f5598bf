import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, holdRichText, openEditor, tabTo } from '../../helpers/editor.ts'

const soon = { timeout: waitTimeout }
let editor: Editor
const ids: Record<string, string> = {}

beforeAll(async () => {
  editor = await openEditor()
  const { graphql } = await editor.app.signIn('administrator')
  for (const [title, day] of [
    ['Chess evening', '13'],
    ['Reading', '14'],
    ['Choir', '15'],
  ] as const) {
    const { body } = await graphql(
      `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } userErrors { message } } }`,
      {
        input: {
          title,
          excerpt: `${title} for everybody.`,
          description: `<p>${title}: first paragraph.</p><p>Second.</p>`,
          status: 'PUBLISHED',
          startsLocal: `2027-01-${day}T19:00:00`,
          endsLocal: `2027-01-${day}T21:00:00`,
        },
      },
    )
    ids[title] = body.data.createEvent.event.id
  }
})
afterAll(() => editor?.close())

async function translationOf(title: string, language = 'FR') {
  const { graphql } = await editor.app.signIn('administrator')
  const { body } = await graphql(
    `query ($id: ID!, $language: LanguageCode!) {
      event(id: $id) { translation(language: $language) { name excerpt description } }
    }`,
    { id: ids[title], language },
  )
  return body.data.event.translation
}

describe('translations', () => {
  test('have no findings of axe, and no sideways scrolling', async () => {
    const { page, complaints } = await editor.open('/translations?language=es')
    await page.getByRole('link', { name: 'Choir' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Choir' }).click()
    await page.getByRole('textbox', { name: 'Name or title (Spanish)' }).waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('are written by keyboard, one after the other', async () => {
    const { page } = await editor.open('/translations?language=fr')
    await page.getByRole('link', { name: 'French (3)' }).waitFor()
    await tabTo(page, 'Chess evening')
    await page.keyboard.press('Enter')
    const name = page.getByRole('textbox', { name: 'Name or title (French)' })
    await name.waitFor()
    // What visitors see without a translation.
    expect(await name.getAttribute('placeholder')).toBe('Chess evening')
    await tabTo(page, 'Name or title (French)')
    await page.keyboard.type('Soirée d’échecs')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Pour tout le monde.')
    await tabTo(page, 'Description (French)')
    await page.keyboard.type('Premier paragraphe.')
    await tabTo(page, 'Save')
    await page.keyboard.press('Enter')
    await page.getByText('“Chess evening” is saved in French.').waitFor()
    await page.getByRole('heading', { name: 'Translate “Reading”' }).waitFor()
    expect(await translationOf('Chess evening')).toEqual({
      name: 'Soirée d’échecs',
      excerpt: 'Pour tout le monde.',
      description: '<p>Premier paragraphe.</p>',
    })
    await page.getByRole('link', { name: 'All translations' }).click()
    await page.getByRole('link', { name: 'French (2)' }).waitFor()
  })

  test('are marked for somebody to check, and outdated after the original changed', async () => {
    const { page } = await editor.open('/translations?language=fr')
    await page.getByRole('link', { name: 'Choir' }).click()
    await page.getByRole('textbox', { name: 'Name or title (French)' }).fill('Chorale')
    await page.getByRole('textbox', { name: 'Summary (French)' }).fill('Pour tous.')
    await page.getByRole('textbox', { name: 'Description (French)' }).fill('Un paragraphe.')
    await page.getByRole('button', { name: 'Save, to be checked' }).click()
    await page.getByText('“Choir” is saved in French.').waitFor()
    await page.getByLabel('To do').selectOption({ label: 'To be checked' })
    await page.getByText('To do: 1').waitFor()
    await page.getByRole('link', { name: 'Choir' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Choir” is saved in French.').waitFor()
    const { graphql } = await editor.app.signIn('administrator')
    editor.app.clock.now = new Date(editor.app.clock.now.getTime() + 60_000)
    await graphql(
      `mutation ($id: ID!) { updateEvent(input: { id: $id, title: "Choir of the town" }) { userErrors { message } } }`,
      { id: ids.Choir },
    )
    await page.goto(page.url().replace(/\?.*/, '?language=fr&state=OUTDATED'))
    await page.getByRole('link', { name: 'Choir of the town' }).waitFor()
  })

  test('say so if the record was changed by somebody else', async () => {
    const { page } = await editor.open(`/translations?record=${encodeURIComponent(ids.Reading ?? '')}&language=es`)
    const name = page.getByRole('textbox', { name: 'Name or title (Spanish)' })
    await name.waitFor()
    const { graphql } = await editor.app.signIn('administrator')
    editor.app.clock.now = new Date(editor.app.clock.now.getTime() + 60_000)
    await graphql(
      `mutation ($id: ID!) { updateEvent(input: { id: $id, translations: [{ language: ES, name: "Lectura pública" }] }) { userErrors { message } } }`,
      { id: ids.Reading },
    )
    await name.fill('Lectura')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Load the current version' }).click()
    await expect.poll(() => name.inputValue(), soon).toBe('Lectura pública')
  })

  test('begin with what somebody else saved since the last visit', async () => {
    const { page } = await editor.open(`/translations?record=${encodeURIComponent(ids.Reading ?? '')}&language=es`)
    const summary = page.getByRole('textbox', { name: 'Summary (Spanish)' })
    await summary.waitFor()
    await page.getByRole('link', { name: 'All translations' }).click()
    const { graphql } = await editor.app.signIn('administrator')
    editor.app.clock.now = new Date(editor.app.clock.now.getTime() + 60_000)
    await graphql(
      `mutation ($id: ID!) { updateEvent(input: { id: $id, translations: [{ language: ES, description: "<p>De otra persona.</p>" }] }) { userErrors { message } } }`,
      { id: ids.Reading },
    )
    await page.getByRole('link', { name: 'Reading' }).click()
    await summary.fill('Para todos.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Reading” is saved in Spanish.').waitFor()
    const { body } = await graphql(
      `query ($id: ID!) { event(id: $id) { translation(language: ES) { excerpt description } } }`,
      { id: ids.Reading },
    )
    expect(body.data.event.translation).toEqual({ excerpt: 'Para todos.', description: '<p>De otra persona.</p>' })
  })

  test('keep a description that is not loaded yet, and do not move the button that saves them', async () => {
    const { page } = await editor.open('/translations?language=es')
    const { graphql } = await editor.app.signIn('administrator')
    const before = { name: 'Lectura', excerpt: null, description: '<p>Uno.</p><p>Dos.</p>' }
    await graphql(
      `mutation ($id: ID!, $texts: [TranslationInput!]!) {
        updateEvent(input: { id: $id, translations: $texts }) { userErrors { message } }
      }`,
      { id: ids.Reading, texts: [{ language: 'ES', ...before }] },
    )
    const richText = await holdRichText(page)
    const form = page.url().replace(/\?.*/, `?record=${encodeURIComponent(ids.Reading ?? '')}&language=es`)
    await page.goto(form, { waitUntil: 'commit' })
    await page.getByRole('textbox', { name: 'Summary (Spanish)' }).fill('Antes del texto.')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const place = await save.boundingBox()
    const description = page.getByRole('textbox', { name: 'Description (Spanish)' })
    expect(await description.count()).toBe(0)
    await save.click()
    await page.getByText('“Reading” is saved in Spanish.').waitFor()
    expect(await translationOf('Reading', 'ES')).toEqual({ ...before, excerpt: 'Antes del texto.' })
    await page.goto(form, { waitUntil: 'commit' })
    await save.waitFor()
    richText.load()
    await description.waitFor()
    expect(await save.boundingBox()).toEqual(place)
  })

  test('keep the paragraphs of a text with blank lines', async () => {
    const { graphql } = await editor.app.signIn('administrator')
    await graphql(
      `mutation ($id: ID!, $texts: [TranslationInput!]!) {
        updateEvent(input: { id: $id, translations: $texts }) { userErrors { message } }
      }`,
      { id: ids.Choir, texts: [{ language: 'ES', name: 'Coro', description: 'Uno.\n\nDos.' }] },
    )
    const form = `/translations?record=${encodeURIComponent(ids.Choir ?? '')}&language=es`
    const { page } = await editor.open(form)
    const description = page.getByRole('textbox', { name: 'Description (Spanish)' })
    await description.press('Control+End')
    await page.keyboard.type(' Tres.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is saved in Spanish.').waitFor()
    expect((await translationOf('Choir', 'ES')).description).toBe('<p>Uno.</p><p>Dos. Tres.</p>')
  })

  test('ask before a link leaves unsaved changes', async () => {
    const { page } = await editor.open(`/translations?record=${encodeURIComponent(ids.Reading ?? '')}&language=fr`)
    const description = page.getByRole('textbox', { name: 'Description (French)' })
    await description.click()
    await page.keyboard.type('Une phrase')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: 'All translations' }).click()
    expect(questions).toEqual(['There are unsaved changes. Leave the form?'])
    expect(await description.innerText()).toBe('Une phrase')
  })
})
