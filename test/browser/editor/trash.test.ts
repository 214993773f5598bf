import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor
let eventId: number

beforeAll(async () => {
  editor = await openEditor()
  const { db } = editor.app
  const trashed = await makeEvent(db, { en: 'Lost evening' }, { start: '2027-01-14T19:00:00' })
  const venue = await makeVenue(db, 'Old hall', { city: 'Turin' })
  const category = await makeCategory(db, 'Music')
  const { graphql } = await editor.app.signIn('administrator')
  const created = await graphql(
    `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { databaseId } } }`,
    {
      input: {
        title: 'Choir',
        translations: [{ language: 'FR', name: 'Chorale' }],
        startsLocal: '2027-01-13T19:00:00',
        endsLocal: '2027-01-13T21:00:00',
        status: 'PUBLISHED',
      },
    },
  )
  eventId = created.body.data.createEvent.event.databaseId
  await graphql(
    `mutation ($event: ID!, $trashed: ID!, $venue: ID!, $category: ID!) {
      a: trashEvent(input: { id: $trashed }) { userErrors { message } }
      b: trashVenue(input: { id: $venue }) { userErrors { message } }
      c: updateEvent(input: { id: $event, title: "Choir of the town", description: "<p>All voices.</p>" }) { userErrors { message } }
      d: updateEvent(input: { id: $event, translations: [{ language: FR, name: "Chorale de la ville" }], categories: [{ id: $category }] }) { userErrors { message } }
      e: updateEvent(input: { id: $event, title: "Choir of the city", eventStatus: POSTPONED }) { userErrors { message } }
    }`,
    { event: eventId, trashed, venue, category },
  )
})
afterAll(() => editor?.close())

const read = async (fields: string) => {
  const { graphql } = await editor.app.signIn('administrator')
  const { body } = await graphql(`query ($id: ID!) { event(id: $id) { ${fields} } }`, { id: eventId })
  return body.data.event
}

describe('the trash', () => {
  test('has no findings of axe, and no sideways scrolling', async () => {
    const { page, complaints } = await editor.open('/trash')
    await page.getByText('Lost evening').first().waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('gives an event back', async () => {
    const { page } = await editor.open('/trash')
    await page.getByRole('button', { name: 'Restore Lost evening' }).click()
    await page.getByText('“Lost evening” is back.').waitFor()
    await page.getByText('The trash is empty.').waitFor()
  })

  test('deletes for good after a question, by keyboard', async () => {
    const { page } = await editor.open('/trash')
    await page.getByRole('main').getByRole('link', { name: 'Venues' }).click()
    await page.getByRole('button', { name: 'Delete for good Old hall' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete “Old hall” for good' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count(), soon).toBe(0)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('“Old hall” is deleted.').waitFor()
    await page.getByText('The trash is empty.').waitFor()
  })
})

describe('the history of an event', () => {
  test('has no findings of axe, and no sideways scrolling', async () => {
    const { page, complaints } = await editor.open(`/events/${eventId}/history`)
    await page.getByRole('heading', { name: 'History of “Choir of the city”' }).waitFor()
    await page.getByText('Music').waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('has values as people read them, and takes back the first change of a date', async () => {
    const { graphql } = await editor.app.signIn('administrator')
    const { body } = await graphql(
      `mutation ($input: CreateEventSeriesInput!) {
        createEventSeries(input: $input) { series { events(first: 1) { nodes { databaseId } } } }
      }`,
      {
        input: {
          title: 'Writing course',
          attendanceMode: 'OFFLINE',
          status: 'PUBLISHED',
          schedule: {
            recurrences: [
              {
                rule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270302',
                startsLocal: '2027-01-12T18:00:00',
                endsLocal: '2027-01-12T20:00:00',
              },
            ],
            excludedDates: ['2027-02-09'],
          },
        },
      },
    )
    const [date] = body.data.createEventSeries.series.events.nodes
    const { page } = await editor.open(`/events/${date.databaseId}/history`)
    await page.getByText('except: Tue, 9 Feb 2027').waitFor()
    await page.getByText('every Tuesday until').waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('On site')
    expect(text).not.toMatch(/OFFLINE|FREQ=|\d{4}-\d\d-\d\d/)
    const cancel =
      'mutation ($id: ID!) { updateEvent(input: { id: $id, scope: THIS, eventStatus: CANCELLED }) { userErrors { code } } }'
    await graphql(cancel, { id: `${date.databaseId}` })
    await page.goto(page.url().replace(/\?.*|$/, '?part=date'))
    await page.getByRole('button', { name: /^Take back Takes place/ }).click()
    await page.getByText('The change is taken back: Takes place.').waitFor()
    await page.getByRole('button', { name: /^Go back to this version/ }).waitFor()
  })

  test('takes back one change, and keeps the others', async () => {
    const { page } = await editor.open(`/events/${eventId}/history`)
    await page
      .getByRole('button', { name: /^Take back Title/ })
      .first()
      .click()
    await page.getByText('The change is taken back: Title.').waitFor()
    expect(await read('title eventStatus')).toEqual({ title: 'Choir of the town', eventStatus: 'POSTPONED' })
    await page.getByRole('heading', { name: 'History of “Choir of the town”' }).waitFor()
    await page
      .getByRole('button', { name: /^Take back Categories/ })
      .first()
      .click()
    await page.getByText('The change is taken back: Categories.').waitFor()
    expect(await read('categories { name }')).toEqual({ categories: [] })
  })

  test('goes back to an earlier version', async () => {
    const { page } = await editor.open(`/events/${eventId}/history`)
    await page
      .getByRole('heading', { name: /^Changed/ })
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: /^Go back to this version/ })
      .last()
      .click()
    await page.getByText(/^It is as it was on/).waitFor()
    expect(await read('eventStatus fr: translation(language: FR) { name }')).toEqual({
      eventStatus: 'SCHEDULED',
      fr: { name: 'Chorale' },
    })
  })

  test('says in French which fields cannot come back', async () => {
    const { db } = editor.app
    const { graphql } = await editor.app.signIn('administrator')
    const venue = await makeVenue(db, 'Barn')
    const { body } = await graphql(
      `mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { databaseId } } }`,
      {
        input: {
          title: 'Yoga',
          startsLocal: '2027-01-13T19:00:00',
          endsLocal: '2027-01-13T21:00:00',
          venues: [{ id: `${venue}` }],
        },
      },
    )
    const id = body.data.createEvent.event.databaseId
    await graphql(`mutation ($id: ID!) { updateEvent(input: { id: $id, venues: [] }) { userErrors { code } } }`, { id })
    await db.venue.delete({ where: { id: venue } })
    const { page } = await editor.open(`/events/${id}/history`, { locale: 'fr-FR' })
    await page.getByRole('button', { name: /^Revenir à cette version/ }).click()
    const message = page.getByText('Impossible de revenir à cet état')
    await message.waitFor()
    expect(await message.innerText()).toMatch(/^Lieu — /)
  })
})
