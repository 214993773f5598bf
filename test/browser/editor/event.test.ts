import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../../src/calendar/rules/record-password.ts'
import { expectAccessible, findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, holdOperation, holdUpload, openEditor, tabTo } from '../../helpers/editor.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
  const { db } = editor.app
  await makeVenue(db, 'Public library', { city: 'Turin' })
  await makeCategory(db, { en: 'Courses', fr: 'Cours' })
})
afterAll(() => editor?.close())

/** The event on the screen, as the service has it. */
async function stored(page: Page, fields: string): Promise<Record<string, unknown>> {
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const administrator = await editor.app.signIn('administrator')
  const query = `query @inContext(forEditing: true) { event(id: "${id}") { ${fields} } }`
  const { body } = await administrator.graphql(query)
  return body.data.event
}

const saved = (page: Page) => page.getByText(/^(Saved|Enregistré à) /).waitFor()
const published = (page: Page) => page.getByText('The event is published.').waitFor()

async function choosePlace(page: Page, typed: string, option: string | RegExp) {
  const field = page.getByRole('combobox', { name: 'Place', exact: true })
  await field.click()
  await page.keyboard.type(typed)
  const focused = page.getByRole('option', { name: option }).and(page.locator('[data-focused]'))
  // By keyboard, because a preview that arrives moves what is under the mouse. Arrow keys open a list that closed when the page
  // scrolled. They stop at its ends, and suggestions that arrive may have moved the focus past this one.
  let key = 'ArrowUp'
  const reach = async () => {
    key = key === 'ArrowUp' ? 'ArrowDown' : 'ArrowUp'
    await page.keyboard.press(key)
    return focused.count()
  }
  await expect.poll(reach, soon).toBe(1)
  await page.keyboard.press('Enter')
}

async function fillOnce(page: Page, title: string) {
  await page.getByLabel('Title (English)').fill(title)
  await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
  await page.getByLabel('From', { exact: true }).fill('18:00')
}

/** A course on Tuesdays, which is published. */
async function publishCourse(page: Page, title: string, until: string) {
  await page.getByText('Repeats', { exact: true }).click()
  await page.getByLabel('Title (English)').fill(title)
  await page.getByLabel('Date', { exact: true }).fill('2027-01-12')
  await page.getByLabel('From', { exact: true }).fill('18:00')
  await page.getByLabel('To', { exact: true }).fill('20:00')
  await page.getByLabel('Last possible date').fill(until)
  await choosePlace(page, 'libr', /Public library/)
  await saved(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await published(page)
}

describe('a new event', () => {
  test('saves itself, and is published with a poster', async () => {
    const { page, complaints } = await editor.open('/events/new')
    await fillOnce(page, 'Harbour concert')
    await saved(page)
    expect(await stored(page, 'title status startsLocal endsLocal')).toEqual({
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
    const poster = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
    await page
      .getByLabel('Upload a picture')
      .setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer: poster })
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
      .poll(() => stored(page, 'website status'), soon)
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
    expect(await stored(page, 'title startsLocal venues { name }')).toEqual({
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
      .poll(() => stored(page, 'translations { language title }'), soon)
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
    expect(await stored(page, 'status')).toEqual({ status: 'PENDING' })
  })
})

describe('what is typed stays', () => {
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

  test('a password during which the draft saves itself', async () => {
    const id = await makeEvent(editor.app.db, { en: 'Members only' }, { status: 'draft' })
    const { page } = await editor.open(`/events/${id}`)
    const field = page.locator('[name="password"]')
    await page
      .locator('details')
      .filter({ has: field })
      .evaluate((details: HTMLDetailsElement) => {
        details.open = true
      })
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

  test('a venue is created once, however often Enter is pressed', async () => {
    const { page } = await editor.open('/events/new')
    await choosePlace(page, 'Quay seven', 'New: “Quay seven”')
    const creation = await holdOperation(page, 'CreateFormVenue')
    await page.getByLabel('Town').press('Enter')
    await creation.started
    await page.getByLabel('Town').press('Enter')
    creation.release()
    await page.getByRole('button', { name: 'Remove “Quay seven”' }).waitFor()
    const { body } = await editor.app.graphql('{ venues(filter: { search: "quay" }) { totalCount } }')
    expect(body.data.venues.totalCount).toBe(1)
  })
})

describe('on a slow network', () => {
  test('somebody who leaves a new event while it is created stays on the next screen', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByLabel('Title (English)').waitFor()
    const creation = await holdOperation(page, 'CreateFormEvent')
    await fillOnce(page, 'Night market')
    await creation.started
    page.once('dialog', (dialog) => dialog.accept())
    await page.getByRole('link', { name: 'Venues', exact: true }).click()
    await page.getByRole('link', { name: 'New venue' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Half a venue')
    const read = page.waitForResponse((response) => response.request().postData()?.includes('EventToEdit') ?? false)
    creation.release()
    await (await read).finished()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a venue')
  })

  test.each(['CreateFormEvent', 'EventToEdit'])(
    'an event is created once if the answer to %s is lost',
    async (name) => {
      const title = `Echo of ${name}`
      const { page } = await editor.open('/events/new')
      await page.getByLabel('Title (English)').waitFor()
      // As a site without TLS is seen by browsers.
      await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
      let isLost = false
      await page.route('**/graphql', async (route) => {
        if (isLost || route.request().postDataJSON()?.operationName !== name) return route.fallback()
        isLost = true
        await route.fetch()
        await route.abort()
      })
      await fillOnce(page, title)
      await page.getByText('Not saved.').waitFor()
      await page.getByLabel('Title (English)').fill(`${title}, again`)
      await page.waitForURL(/\/events\/\d+$/)
      await expect.poll(async () => (await stored(page, 'title')).title, soon).toBe(`${title}, again`)
      const administrator = await editor.app.signIn('administrator')
      const filter = `{ search: "${title}", status: [DRAFT] }`
      const { body } = await administrator.graphql(`{ events(filter: ${filter}) { totalCount } }`)
      expect(body.data.events.totalCount).toBe(1)
    },
  )

  test('a publication waits for the picture', async () => {
    const { page } = await editor.open('/events/new')
    await fillOnce(page, 'Slow poster')
    await choosePlace(page, 'libr', /Public library/)
    await saved(page)
    const upload = await holdUpload(page)
    const buffer = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
    await page.getByLabel('Upload a picture').setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer })
    await upload.started
    await page.getByRole('button', { name: 'Publish' }).click()
    upload.release()
    await page.locator('[name="image"]:focus').fill('A poster')
    await page.getByRole('button', { name: 'Publish' }).click()
    await published(page)
    expect(await stored(page, 'status image { altText }')).toEqual({
      status: 'PUBLISHED',
      image: { altText: 'A poster' },
    })
  })
})

describe('a series', () => {
  test('repeats weekly for a year, except excluded dates', async () => {
    const { page } = await editor.open('/events/new')
    await page.getByText('Repeats', { exact: true }).click()
    await page.getByLabel('Title (English)').fill('Chess for beginners')
    await page.getByLabel('Date', { exact: true }).fill('2027-01-12')
    await page.getByLabel('From', { exact: true }).fill('18:00')
    await page.getByLabel('Last possible date').fill('2027-12-31')
    await page.getByText('every Tuesday until 31 December 2027').waitFor()
    await page.getByText('(51 dates)').waitFor()
    await page.getByLabel('Last possible date').focus()
    await tabTo(page, 'Publish')
    await page.getByText('See the dates, and leave some out').click()
    await page.getByRole('checkbox', { name: 'Tue, 30 Mar 2027' }).uncheck()
    await page.getByText('(50 dates)').waitFor()
    await page.getByText('(1 left out)').waitFor()
    expect(await findings(page)).toEqual([])
    await saved(page)
    await expect
      .poll(() => stored(page, 'series { words recurrences { rule } excludedDates }'), soon)
      .toEqual({
        series: {
          words: 'every Tuesday until 31 December 2027, except 30 March',
          recurrences: [{ rule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20271231' }],
          excludedDates: ['2027-03-30'],
        },
      })
  })

  test('a draft of one date becomes a series of several dates, and one date again with its ID', async () => {
    const { page } = await editor.open('/events/new')
    await fillOnce(page, 'Repair café')
    await saved(page)
    await page.getByText('On several dates', { exact: true }).click()
    await page.getByRole('button', { name: 'Add a date' }).click()
    await page.getByRole('group', { name: 'Date 2' }).getByLabel('Date', { exact: true }).fill('2027-03-19')
    await expect
      .poll(() => stored(page, 'series { extraDates { startsLocal } }'), soon)
      .toEqual({
        series: { extraDates: [{ startsLocal: '2027-03-12T18:00:00' }, { startsLocal: '2027-03-19T18:00:00' }] },
      })
    const administrator = await editor.app.signIn('administrator')
    const events = async () => {
      const { body } = await administrator.graphql(
        '{ events(filter: { search: "repair café", status: [DRAFT, TRASH] }) { nodes { databaseId status startsLocal } } }',
      )
      return body.data.events.nodes
    }
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const first = { databaseId: id, status: 'DRAFT', startsLocal: '2027-03-12T18:00:00' }
    expect(await events()).toEqual([
      first,
      { databaseId: expect.any(Number), status: 'DRAFT', startsLocal: '2027-03-19T18:00:00' },
    ])
    await page.getByText('On one date', { exact: true }).click()
    await expect.poll(events, soon).toEqual([first])
    expect(await stored(page, 'title series { databaseId }')).toEqual({ title: 'Repair café', series: null })
  })

  test('is made of a published single event, and becomes a single event again', async () => {
    const id = await makeEvent(
      editor.app.db,
      { en: 'Book club', fr: 'Club de lecture' },
      { start: '2027-03-12T18:00:00' },
    )
    const { page } = await editor.open(`/events/${id}`)
    const save = async () => {
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('The changes are saved.').waitFor()
    }
    const fields = 'databaseId title translations { title } series { words events(first: 2) { totalCount } }'
    const texts = { title: 'Book club', translations: [{ title: 'Book club' }, { title: 'Club de lecture' }] }
    await page.getByText('On several dates', { exact: true }).click()
    await page.getByRole('button', { name: 'Add a date' }).click()
    await page.getByRole('group', { name: 'Date 2' }).getByLabel('Date', { exact: true }).fill('2027-03-19')
    await save()
    const series = { words: 'on 2 dates', events: { totalCount: 2 } }
    expect(await stored(page, fields)).toEqual({ databaseId: id, ...texts, series })
    await page.getByText('To make it a single event, first remove its other dates, or make it a draft.').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Remove “Date 2”' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
    await page.getByText('The changes are saved.').waitFor()
    await page.getByText('On one date', { exact: true }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await save()
    expect(await stored(page, fields)).toEqual({ databaseId: id, ...texts, series: null })
  })

  test('one date is cancelled, and another one moved', async () => {
    const { page } = await editor.open('/events/new')
    await publishCourse(page, 'Pottery', '2027-02-02')
    await page.getByRole('button', { name: 'Cancel this date' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The potter is ill')
    await dialog.getByLabel('Reason').press('Enter')
    await page.getByText('This date is cancelled.').waitFor()
    expect(await stored(page, 'eventStatus dateLabel occurrence')).toEqual({
      eventStatus: 'CANCELLED',
      dateLabel: 'The potter is ill',
      occurrence: 'CHANGED',
    })
    await page.getByRole('button', { name: 'Let it take place after all' }).click()
    await page.getByText('This date takes place again.').waitFor()
    await page.getByRole('button', { name: 'Move this date' }).click()
    await dialog.getByLabel('Date', { exact: true }).fill('2027-01-13')
    await dialog.getByRole('button', { name: 'Move this date' }).click()
    await page.getByText('The date is moved.').waitFor()
    expect(await stored(page, 'startsLocal series { events(first: 3) { nodes { startsLocal } } }')).toEqual({
      startsLocal: '2027-01-13T18:00:00',
      series: {
        events: {
          nodes: [
            { startsLocal: '2027-01-13T18:00:00' },
            { startsLocal: '2027-01-19T18:00:00' },
            { startsLocal: '2027-01-26T18:00:00' },
          ],
        },
      },
    })
  })

  test('a change asks which dates it is for', async () => {
    const { page } = await editor.open('/events/new')
    await publishCourse(page, 'Sewing', '2027-02-02')
    await page.getByLabel('Title (English)').fill('Sewing for everybody')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Only this date').waitFor()
    expect(await findings(page)).toEqual([])
    await dialog.getByLabel('All dates').check()
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('The changes are saved.').waitFor()
    expect(await stored(page, 'series { title events { totalCount } }')).toEqual({
      series: { title: 'Sewing for everybody', events: { totalCount: 4 } },
    })
  })
})

describe('two people at once', () => {
  /** Saves as somebody else, a second later. */
  async function saveElsewhere(page: Page, input: string) {
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { clock } = editor.app
    clock.now = new Date(clock.now.getTime() + 1000)
    const other = await editor.app.signIn('administrator')
    const { body } = await other.graphql(
      `mutation { updateEvent(input: { id: "${id}", ${input} }) { userErrors { message } } }`,
    )
    expect(body.data.updateEvent.userErrors).toEqual([])
  }

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
    await saveElsewhere(page, 'onlineUrl: "https://example.org/stream", attendanceMode: MIXED')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(/^Somebody else changed this at the same time: /).waitFor()
    await page.getByText('The changes are saved.').waitFor()
    expect(await stored(page, 'title onlineUrl attendanceMode')).toEqual({
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
    await saveElsewhere(page, 'title: "Spring market"')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two people changed the same thing' })
    await dialog.getByText('Spring market').waitFor()
    await dialog.getByText('Flower market').waitFor()
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Take the other one' }).click()
    await saved(page)
    expect(await stored(page, 'title excerpt')).toEqual({ title: 'Spring market', excerpt: 'Tulips and more' })
  })

  test('a version that is kept is not announced as taken over from somebody else', async () => {
    const id = await makeEvent(editor.app.db, { en: 'Auction' }, { start: '2027-04-07T10:00:00' })
    const { page } = await editor.open(`/events/${id}`)
    const taken = page.getByText(/^Somebody else changed this at the same time: Title/)
    await page.getByLabel('Short description (English)').fill('Old toys')
    await saveElsewhere(page, 'title: "Auction of toys"')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await taken.waitFor()
    await page.getByLabel('Title (English)').fill('Toy auction')
    await saveElsewhere(page, 'title: "Auction for children"')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep yours' }).click()
    await taken.waitFor({ state: 'hidden' })
    await saved(page)
    expect(await stored(page, 'title')).toEqual({ title: 'Toy auction' })
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
    expect(await stored(page, 'title')).toEqual({ title: 'Quiet room' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes are saved.').waitFor()
    expect(await stored(page, 'title')).toEqual({ title: 'Quiet room, half a sen' })
  })

  test('closing the question decides nothing', async () => {
    const id = await makeEvent(editor.app.db, { en: 'Flea market' }, { start: '2027-04-06T10:00:00' })
    const { page } = await editor.open(`/events/${id}`)
    await page.getByLabel('Title (English)').fill('Flea market in the hall')
    await page.getByLabel('Short description (English)').fill('Old books')
    await saveElsewhere(page, 'title: "Flea market by the river", excerpt: "Old bikes"')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two people changed the same thing' })
    await dialog.getByText('Flea market by the river').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await stored(page, 'title excerpt')).toEqual({ title: 'Flea market by the river', excerpt: 'Old bikes' })
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
    expect(await stored(page, 'title excerpt')).toEqual({ title: 'Flea market in the hall', excerpt: 'Old bikes' })
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
    await saveElsewhere(page, `description: "${theirs}"`)
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
    const page = await mergeDescription(
      '<p>Bring a chair.</p><p>See you!</p>',
      '<p>Bring two chairs.</p><p>See you!</p>',
    )
    await page.keyboard.type(' Soon')
    await expect
      .poll(() => stored(page, 'title description'), soon)
      .toEqual({ title: 'Rehearsal for all', description: '<p>Bring two chairs.</p><p>See you! Soon</p>' })
    // Undo takes back what this person wrote, not what somebody else did.
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z')
    await expect
      .poll(async () => (await stored(page, 'description')).description, soon)
      .toBe('<p>Bring two chairs.</p><p>See you!</p>')
  })

  test('a description that has the focus loses nothing of what the editor cannot format', async () => {
    const table = '<table><tbody><tr><td>10:00</td></tr></tbody></table>'
    const page = await mergeDescription('<p>Morning</p>', table)
    const source = page.locator('textarea[name="description.EN"]')
    expect(await source.inputValue()).toBe(table)
    await source.press('Control+End')
    await page.keyboard.type('<p>End</p>')
    await expect.poll(async () => (await stored(page, 'description')).description, soon).toBe(`${table}<p>End</p>`)
  })

  test('a change to one date of a series does not hide what somebody else changed', async () => {
    const { page } = await editor.open('/events/new')
    await publishCourse(page, 'Juggling', '2027-02-02')
    await page.getByLabel('Title (English)').fill('Juggling for everybody')
    await saveElsewhere(page, 'title: "Juggling with fire", scope: ALL')
    await page.getByRole('button', { name: 'Cancel this date' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel this date' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two people changed the same thing' })
    await dialog.getByText('Juggling with fire').waitFor(soon)
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
  expect((await stored(page, 'description')).description).toBe('<p>Soup.</p><h2>Bread</h2><p>And salt.</p>')
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
