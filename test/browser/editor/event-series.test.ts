// The form of an event that repeats.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, tabTo } from '../../helpers/editor.ts'
import { fillOnce, openEventEditor, publishCourse, saved, stored } from '../../helpers/editor-event.ts'
import { makeEvent } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEventEditor()
})
afterAll(() => editor?.close())

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
    .poll(() => stored(editor, page, 'series { words recurrences { rule } excludedDates }'), soon)
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
    .poll(() => stored(editor, page, 'series { extraDates { startsLocal } }'), soon)
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
  expect(await stored(editor, page, 'title series { databaseId }')).toEqual({ title: 'Repair café', series: null })
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
  expect(await stored(editor, page, fields)).toEqual({ databaseId: id, ...texts, series })
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
  expect(await stored(editor, page, fields)).toEqual({ databaseId: id, ...texts, series: null })
})

test('one date is cancelled, and another one moved', async () => {
  const { page } = await editor.open('/events/new')
  await publishCourse(page, 'Pottery', '2027-02-02')
  await page.getByRole('button', { name: 'Cancel this date' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The potter is ill')
  await dialog.getByLabel('Reason').press('Enter')
  await page.getByText('This date is cancelled.').waitFor()
  expect(await stored(editor, page, 'eventStatus dateLabel occurrence')).toEqual({
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
  expect(await stored(editor, page, 'startsLocal series { events(first: 3) { nodes { startsLocal } } }')).toEqual({
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
  expect(await stored(editor, page, 'series { title events { totalCount } }')).toEqual({
    series: { title: 'Sewing for everybody', events: { totalCount: 4 } },
  })
})
