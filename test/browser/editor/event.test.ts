import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, tabTo } from '../../helpers/editor.ts'
import { choosePlace, fillOnce, openEventEditor, published, saved, stored } from '../../helpers/editor-event.ts'
import { pictureFile } from '../../helpers/editor-pictures.ts'
import { makeEvent } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEventEditor()
})
afterAll(() => editor?.close())

describe('a new event', () => {
  test('saves itself, and is published with a poster', async () => {
    const { page, complaints } = await editor.open('/events/new')
    await fillOnce(page, 'Harbour concert')
    await saved(page)
    expect(await stored(editor, page, 'title status startsLocal endsLocal')).toEqual({
      title: 'Harbour concert',
      status: 'DRAFT',
      startsLocal: '2027-03-12T18:00:00',
      endsLocal: '2027-03-12T19:00:00',
    })
    await page.getByText('Missing for publication: place').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Choose a place, or say that people take part online.').waitFor()
    await choosePlace(page, 'Harbour stage', 'New: “Harbour stage”')
    await page.getByLabel('Town').fill('Genoa')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove “Harbour stage”' }).waitFor()
    await page.getByLabel('Upload a picture').setInputFiles(await pictureFile('poster.png'))
    await page.getByText('Missing for publication: alternative text of the picture').waitFor()
    await page.getByLabel('Alternative text').fill('A stage by the sea')
    await page.getByRole('textbox', { name: 'Description (English)', exact: true }).click()
    await page.keyboard.type('With a band from ')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('Nice')
    await page.getByText('Free', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Courses' }).check()
    await page.getByRole('button', { name: 'Publish' }).click()
    await published(page)
    expect(
      await stored(
        editor,
        page,
        'status descriptionHtml costEntries image { altText } venues { name city } categories { name }',
      ),
    ).toEqual({
      status: 'PUBLISHED',
      descriptionHtml: '<p>With a band from <strong>Nice</strong></p>',
      costEntries: ['Free'],
      image: { altText: 'A stage by the sea' },
      venues: [{ name: 'Harbour stage', city: 'Genoa' }],
      categories: [{ name: 'Courses' }],
    })
    expect(complaints).toEqual([])
  })

  test('says that a publication was refused although the draft saves itself', async () => {
    const { page } = await editor.open('/events/new')
    await fillOnce(page, 'Open stage')
    await choosePlace(page, 'libr', /Public library/)
    await saved(page)
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('"status":"PUBLISHED"') ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Not saved. ').waitFor()
    await page.getByLabel('Website with more information').fill('https://stage.example')
    await saved(page)
    await expect
      .poll(() => stored(editor, page, 'website status'), soon)
      .toEqual({
        website: 'https://stage.example',
        status: 'DRAFT',
      })
    await page.getByText('Not published. ').waitFor(soon)
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Publish' }).click()
    await published(page)
    expect(await page.getByText('Not published. ').count()).toBe(0)
  })

  test('is written and published by keyboard alone', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByRole('heading', { name: 'New event' }).waitFor()
    await tabTo(page, 'Title (English)')
    await page.keyboard.type('Night of reading')
    await tabTo(page, 'Date')
    await page.keyboard.type('03032027')
    await tabTo(page, 'From')
    await page.keyboard.type('0730AM')
    await tabTo(page, 'Place')
    await page.keyboard.type('libr')
    await expect.poll(() => page.getByRole('option').first().innerText(), soon).toContain('Public library')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove “Public library”' }).waitFor()
    await saved(page)
    await tabTo(page, 'Publish')
    await page.keyboard.press('Enter')
    await published(page)
    expect(await stored(editor, page, 'title startsLocal venues { name }')).toEqual({
      title: 'Night of reading',
      startsLocal: '2027-03-03T07:30:00',
      venues: [{ name: 'Public library' }],
    })
  })

  test('is written in French, with the English text as its fallback', async () => {
    const { page } = await editor.open('/events/new', { locale: 'fr-FR' })
    await page.getByLabel('Titre (français)').fill('Concert au port')
    await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
    await page.getByLabel('De', { exact: true }).fill('18:00')
    await page.getByText('anglais').click()
    await page.getByText('Vide : les visiteurs voient le texte en français.').first().waitFor()
    expect(await page.getByLabel('Titre (anglais)').getAttribute('placeholder')).toBe('Concert au port')
    await page.getByLabel('Titre (anglais)').fill('Harbour concert')
    await saved(page)
    await expect
      .poll(() => stored(editor, page, 'translations { language title }'), soon)
      .toEqual({
        translations: expect.arrayContaining([
          { language: 'FR', title: 'Concert au port' },
          { language: 'EN', title: 'Harbour concert' },
        ]),
      })
  })

  test('is submitted by a contributor', async () => {
    const { page } = await editor.open('/events/new', { role: 'contributor' })
    await fillOnce(page, 'Swap meet')
    await choosePlace(page, 'libr', /Public library/)
    await saved(page)
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await page.getByText('The event awaits approval.').waitFor()
    expect(await stored(editor, page, 'status')).toEqual({ status: 'PENDING' })
  })
})

test('the form has no findings of axe, and no sideways scrolling', async () => {
  const { page, complaints } = await editor.open('/events/new')
  await page.getByRole('toolbar').waitFor()
  await expectAccessible(page)
  await page.getByText('Repeats', { exact: true }).click()
  await page.getByLabel('Date', { exact: true }).fill('2027-01-12')
  await page.getByLabel('From', { exact: true }).fill('18:00')
  await page.getByLabel('Unit').selectOption('months')
  await page.getByLabel('On the second Tuesday').check()
  await page.getByLabel('After a number of dates').check()
  await page.getByText('(10 dates)').waitFor()
  await page.getByText('On site and online', { exact: true }).click()
  await page.getByText('With a price', { exact: true }).click()
  for (const summary of await page.locator('summary').all()) await summary.click()
  await page.getByRole('button', { name: 'Add a kind of ticket' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Visitors need a title.').waitFor()
  await expect.poll(() => page.locator(':focus').getAttribute('name'), soon).toBe('title.EN')
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('the fields have names, in the order in which people think', async () => {
  const { page } = await editor.open('/events/new')
  await page.getByRole('toolbar').waitFor()
  const names = await page
    .locator('form.event-form')
    .evaluate((form) =>
      [...form.querySelectorAll('input, select, textarea, [role=textbox]')]
        .filter((field) => (field as HTMLElement).checkVisibility({ contentVisibilityAuto: true }))
        .map((field) => field.getAttribute('aria-label') ?? (field as HTMLInputElement).labels?.[0]?.textContent ?? ''),
    )
  expect(names.every((name) => name !== '')).toBe(true)
  expect(
    names.filter((name) => /^(Title|Date|Place|Description|Upload|Website|Tag|Does it|Publish)/.test(name)),
  ).toEqual([
    'Title (English)',
    'Date',
    'Place',
    'Description (English)',
    'Upload a picture',
    'Website with more information',
    'Tag',
    'Does it take place?',
    'Publish at',
  ])
})

test('the form says of which time zone the times are, if it is not that of the device', async () => {
  const { page } = await editor.open('/events/new', { timezoneId: 'America/New_York' })
  const note = page.getByText('Times are in the time zone UTC')
  await note.waitFor()
  await page.getByText('More', { exact: true }).first().click()
  await page.getByLabel('Time zone', { exact: true }).fill('America/New_York')
  await note.waitFor({ state: 'detached' })
  const { page: there } = await editor.open('/events/new', { timezoneId: 'UTC' })
  await there.getByRole('toolbar').waitFor()
  expect(await there.getByText('Times are in the time zone').count()).toBe(0)
})

test('errors of the service are at their fields', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Walk' }, { start: '2027-04-03T10:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  await page.getByLabel('Website with more information').fill('not an address')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => page.locator(':focus').getAttribute('name'), soon).toBe('website')
  expect(await page.getByLabel('Website with more information').getAttribute('aria-invalid')).toBe('true')
})

test('says what a contributor may not do', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Fair' }, { start: '2027-04-04T10:00:00' })
  const { page } = await editor.open(`/events/${id}`, { role: 'contributor' })
  await page.getByText('You may read this event, but not change it.').waitFor()
  expect(await page.getByLabel('Title (English)').isDisabled()).toBe(true)
})

test('a website needs no scheme', async () => {
  const id = await makeEvent(editor.app.db, { en: 'Reading' }, { start: '2027-01-13T19:00:00' })
  const { page } = await editor.open(`/events/${id}`)
  await page.getByLabel('Website with more information').fill('www.example.org/reading')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The changes are saved.').waitFor()
  const { body } = await editor.app.graphql(`{ event(id: ${id}) { website } }`)
  expect(body.data.event.website).toBe('https://www.example.org/reading')
})

test('an event that does not exist is a screen with a heading', async () => {
  const { page } = await editor.open('/events/999999')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await findings(page)).toEqual([])
})
