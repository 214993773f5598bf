import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeEvent } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEditor()
  const { db } = editor.app
  await makeEvent(db, { en: 'Choir', fr: 'Chorale' }, { start: '2027-01-13T19:00:00' })
  await makeEvent(db, { en: 'Open day' }, { start: '2027-01-20T00:00:00', allDay: true })
  await makeEvent(db, { en: 'Jam session' }, { start: '2027-03-10T10:00:00' })
  const { graphql } = await editor.app.signIn('administrator')
  for (const [title, month] of [
    ['Chess', '02'],
    ['Yoga', '04'],
  ])
    await graphql(
      `mutation ($input: CreateEventSeriesInput!) { createEventSeries(input: $input) { userErrors { message } } }`,
      {
        input: {
          title,
          status: 'PUBLISHED',
          schedule: {
            timeZone: 'Europe/Rome',
            recurrences: [
              {
                startsLocal: `2027-${month}-02T18:00:00`,
                endsLocal: `2027-${month}-02T20:00:00`,
                rule: 'FREQ=WEEKLY;COUNT=4',
              },
            ],
          },
        },
      },
    )
})
afterAll(() => editor?.close())

/** Starts of the events with this title, by the API. */
async function starts(title: string): Promise<string[]> {
  const { graphql } = await editor.app.signIn('administrator')
  const { body } = await graphql(
    `query ($search: String) { events(first: 20, filter: { search: $search }, orderBy: { field: START }) { nodes { startsLocal endsLocal } } }`,
    { search: title },
  )
  return body.data.events.nodes.map(({ startsLocal }: { startsLocal: string }) => startsLocal)
}

const day = (page: Page, date: string): Locator =>
  page.locator('.ec-day', { has: page.locator(`time[datetime="${date}"]`) })

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await from.boundingBox()
  const end = await to.boundingBox()
  if (!start || !end) throw new Error('The places to drag from and to are not on the screen.')
  await page.mouse.move(start.x + 10, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + 30, start.y + start.height / 2 + 10, { steps: 4 })
  await page.mouse.move(end.x + 10, end.y + end.height / 2, { steps: 8 })
  await page.mouse.up()
}

describe('the calendar', () => {
  test('has no findings of axe, and no sideways scrolling', async () => {
    const { page, complaints } = await editor.open('/calendar?date=2027-01-13')
    await page.getByRole('link', { name: 'Choir' }).waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('moves an event to the day that it is dragged to, and back', async () => {
    const { page } = await editor.open('/calendar?date=2027-01-13', { viewport: { width: 1440, height: 1100 } })
    const choir = page.getByRole('link', { name: 'Choir' })
    await choir.waitFor()
    await drag(page, choir, day(page, '2027-01-15'))
    await page.getByText('“Choir” is now: Fri, 15 Jan 2027, 19:00').waitFor()
    expect(await starts('Choir')).toEqual(['2027-01-15T19:00:00'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Choir” is now: Wed, 13 Jan 2027, 19:00').waitFor()
    expect(await starts('Choir')).toEqual(['2027-01-13T19:00:00'])
  })

  test('keeps whole days whole', async () => {
    const { page } = await editor.open('/calendar?date=2027-01-13', { viewport: { width: 1440, height: 1100 } })
    const open = page.getByRole('link', { name: 'Open day' })
    await open.waitFor()
    await drag(page, open, day(page, '2027-01-21'))
    await page.getByText('“Open day” is now: Thu, 21 Jan 2027.').waitFor()
  })

  test('moves an event to another hour in the week', async () => {
    const { page } = await editor.open('/calendar?date=2027-03-10&view=week', {
      viewport: { width: 1440, height: 1100 },
    })
    const jam = page.getByRole('link', { name: 'Jam session' })
    await jam.waitFor()
    const box = await jam.boundingBox()
    if (!box) throw new Error('The event is not on the screen.')
    await page.mouse.move(box.x + 10, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 10, box.y + 30, { steps: 4 })
    await page.mouse.move(box.x + 10, box.y + 106, { steps: 8 })
    await page.mouse.up()
    await page.getByText(/“Jam session” is now: Wed, 10 Mar 2027, 1[1-3]:/).waitFor()
  })

  test('asks which dates of a repeated event move', async () => {
    const { page } = await editor.open('/calendar?date=2027-02-09', { viewport: { width: 1440, height: 1100 } })
    const second = () => day(page, '2027-02-09').or(page.locator('main')).getByRole('link', { name: 'Chess' }).nth(1)
    await second().waitFor()
    await drag(page, second(), day(page, '2027-02-10'))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await starts('Chess')).map((start) => start.slice(5, 10))).toEqual(['02-02', '02-09', '02-16', '02-23'])
    await drag(page, second(), day(page, '2027-02-10'))
    await page.getByRole('dialog').getByRole('radio', { name: 'Only this date' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
    await page.getByText('“Chess” is now: Wed, 10 Feb 2027').waitFor()
    expect((await starts('Chess')).map((start) => start.slice(5, 10))).toEqual(['02-02', '02-10', '02-16', '02-23'])
  })

  test('moves all dates of a repeated event', async () => {
    const { page } = await editor.open('/calendar?date=2027-04-09', { viewport: { width: 1440, height: 1100 } })
    const yoga = page.getByRole('link', { name: 'Yoga' }).first()
    await yoga.waitFor()
    await drag(page, yoga, day(page, '2027-04-03'))
    await page.getByRole('dialog').getByRole('radio', { name: 'All dates' }).check()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
    await page.getByText('“Yoga” is now: Sat, 3 Apr 2027').waitFor()
    expect((await starts('Yoga')).map((start) => start.slice(5, 10))).toEqual(['04-03', '04-10', '04-17', '04-24'])
  })

  test('opens events and other months by keyboard', async () => {
    const { page } = await editor.open('/calendar?date=2026-12-15', { locale: 'fr-FR' })
    await page.getByRole('button', { name: 'Suivant' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'janvier 2027' }).waitFor()
    await page.getByRole('link', { name: 'Chorale' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url(), soon).toMatch(/\/edit\/events\/\d+$/)
  })

  test('goes to the next months, also west of Greenwich', async () => {
    const { page } = await editor.open('/calendar?date=2026-12-15', { timezoneId: 'America/New_York' })
    for (const month of ['January 2027', 'February 2027', 'March 2027']) {
      await page.getByRole('button', { name: 'Forward' }).click()
      await page.getByRole('heading', { name: month }).waitFor()
    }
  })
})
