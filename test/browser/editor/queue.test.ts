// What visitors propose and contributors write, and what editors make of it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, findings } from '../../helpers/browser.ts'
import { truncate } from '../../helpers/db.ts'
import { type Editor, holdOperation, openEditor, tabTo } from '../../helpers/editor.ts'
import { makeEvent, makeVenue } from '../../helpers/make.ts'
import { proposed, send, solve } from '../../helpers/proposals.ts'
import { makeUser } from '../../helpers/users.ts'

let editor: Editor

beforeAll(async () => {
  editor = await openEditor({ PROPOSALS: 'on' })
})
beforeEach(() => truncate(editor.app.db))
afterAll(() => editor?.close())

const sender = { contactName: 'Ada', contactEmail: 'ada@example.org', message: 'Every year.\nPlease add it.' }

async function propose(input: object = {}) {
  const { app } = editor
  const mutation = 'eventId' in input ? 'proposeChange' : 'proposeEvent'
  const event = 'eventId' in input ? {} : proposed
  const { proposal, userErrors } = await send(app, mutation, { ...event, ...sender, proof: await solve(app), ...input })
  expect(userErrors).toEqual([])
  return proposal?.id ?? ''
}

const pending = async () => {
  const { id: authorId } = await makeUser(editor.app.db, 'contributor', { name: 'Clara' })
  const event = { status: 'pending', authorId, start: '2026-12-06T15:00:00' } as const
  return makeEvent(editor.app.db, { en: { name: 'Storytime', description: '<p>For <b>children</b>.</p>' } }, event)
}

test('the queue has no findings of axe, and no sideways scrolling', async () => {
  const { db } = editor.app
  const event = await makeEvent(db, { en: { name: 'Choir', description: '<p>We sing.</p><p>All are welcome.</p>' } })
  await makeEvent(db, 'Village fair of the year', { start: '2026-12-05T09:00:00' })
  await pending()
  await propose({ description: 'Cakes, music and a long line. '.repeat(20) })
  await propose({ eventId: String(event), title: 'Choir rehearsal', description: 'We sing.', cost: 'Free' })
  const { page, complaints } = await editor.open('/queue', { role: 'editor' })
  await page.getByRole('heading', { name: 'Proposals of visitors (2)' }).waitFor()
  await page.getByRole('button', { name: 'Village fair' }).click()
  await page.getByText('The calendar may have this event already:').waitFor()
  await page.getByRole('link', { name: 'Village fair of the year' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Decline: Village fair' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await page.getByText('Write a sentence for the sender.').waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('an editor accepts an event, by keyboard alone', async () => {
  await propose()
  const { page } = await editor.open('/queue', { role: 'editor' })
  await page.getByText('Every year.').waitFor()
  await page.getByRole('link', { name: 'Write to ada@example.org' }).waitFor()
  await page.getByRole('link', { name: 'Proposals 1' }).waitFor()
  await tabTo(page, 'Accept and publish: Village fair')
  await page.keyboard.press('Enter')
  await page.getByText('“Village fair” is accepted.').waitFor()
  await page.getByText('Nothing is waiting for you.').waitFor()
  await page.getByRole('link', { name: 'Proposals', exact: true }).waitFor()
  const { body } = await editor.app.graphql('{ events { nodes { title venues { name } } } }')
  expect(body.data.events.nodes).toEqual([{ title: 'Village fair', venues: [{ name: 'Market square' }] }])
})

test('an editor takes over a part of a correction', async () => {
  const { db } = editor.app
  const event = await makeEvent(db, { en: { name: 'Choir', description: '<p>We sing.</p>' } }, { cost: ['5 €'] })
  await propose({ eventId: String(event), title: 'Choirs', cost: 'Free' })
  const { page } = await editor.open('/queue', { role: 'editor' })
  const changes = page.getByRole('list', { name: 'What changes' }).getByRole('listitem')
  await changes.first().waitFor()
  expect(await changes.allInnerTexts()).toEqual([
    expect.stringMatching(/^Title\s+Now\s+Choir\s+Proposed\s+Choirs$/),
    expect.stringMatching(/^Price\s+Now\s+\S.*\s+Proposed\s+Free$/),
  ])
  await page.getByRole('checkbox', { name: 'Take over: Title' }).uncheck()
  await page.getByRole('button', { name: 'Accept: Choir' }).click()
  await page.getByText('“Choir” is accepted.').waitFor()
  const { body } = await editor.app.graphql(`{ event(id: ${event}) { title costEntries } }`)
  expect(body.data.event).toEqual({ title: 'Choir', costEntries: ['Free'] })
})

test('a corrected city is written to the venue, as the queue says', async () => {
  const { db } = editor.app
  const hidden = await makeVenue(db, 'Backyard', { city: 'Turin', status: 'draft' })
  const venue = await makeVenue(db, 'Town library', { city: 'Turin' })
  const eventId = String(await makeEvent(db, 'Choir', { venueIds: [hidden, venue] }))
  await propose({ eventId, city: 'Torino' })
  const { page } = await editor.open('/queue', { role: 'editor' })
  await page.getByText('Address and city are changed at the venue, for all of its events.').waitFor()
  await page.getByText('Town library, Turin').waitFor()
  await page.getByRole('link', { name: 'Town library', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Accept: Choir' }).click()
  await page.getByText('“Choir” is accepted.').waitFor()
  expect((await db.venue.findUnique({ where: { id: venue } }))?.city).toBe('Torino')
})

test('an editor names the venue, asks, and declines with a reason', async () => {
  const { db } = editor.app
  const venue = await makeVenue(db, 'Town library', { city: 'Turin' })
  await propose({ title: 'Reading', venueName: 'the library' })
  const asked = await propose({ title: 'Party' })
  const declined = await propose({ title: 'Sale' })
  const { page } = await editor.open('/queue', { role: 'editor' })
  await page.getByRole('button', { name: 'Decline: Sale' }).click()
  await page.getByLabel('Reason').fill('We announce no sales.')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await page.getByText('“Sale” is declined.').waitFor()
  await page.getByRole('button', { name: 'Party', exact: false }).first().click()
  await page.getByRole('button', { name: 'Ask the sender: Party' }).click()
  await page.getByLabel('Question').fill('On which day?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Waiting for an answer').waitFor()
  await page.getByRole('button', { name: /^Reading/ }).click()
  await page.getByLabel('Place').selectOption('Town library, Turin')
  await page.getByRole('button', { name: 'Accept as a draft: Reading' }).click()
  await page.waitForURL(/\/edit\/events\/\d+$/)
  const { body } = await (await editor.app.signIn('editor')).graphql(
    `{ events { nodes { title status venues { databaseId } } }
       proposals(states: [ASKED, DECLINED]) { nodes { id state reply } } }`,
  )
  expect(body.data.events.nodes).toEqual([{ title: 'Reading', status: 'DRAFT', venues: [{ databaseId: venue }] }])
  expect(body.data.proposals.nodes).toEqual([
    { id: declined, state: 'DECLINED', reply: 'We announce no sales.' },
    { id: asked, state: 'ASKED', reply: 'On which day?' },
  ])
})

test('an event that is accepted as a draft leads nobody to it who has left', async () => {
  await propose()
  const { page } = await editor.open('/queue', { role: 'editor' })
  const acceptance = await holdOperation(page, 'AcceptProposal')
  await page.getByRole('button', { name: 'Accept as a draft: Village fair' }).click()
  await acceptance.started
  await page.getByRole('link', { name: 'Pictures' }).click()
  await page.getByRole('heading', { name: 'Pictures' }).waitFor()
  acceptance.release()
  await page.getByText('“Village fair” is accepted.').waitFor()
  expect(page.url()).toMatch(/\/pictures$/)
})

test('events of contributors are published, or are drafts again, and both can be undone', async () => {
  const event = await pending()
  const { page } = await editor.open('/queue', { role: 'editor' })
  const status = async () => (await editor.app.db.event.findUnique({ where: { id: event } }))?.status
  await page.getByText('For children.').waitFor()
  await page.getByRole('button', { name: 'Publish: Storytime' }).click()
  await page.getByText('“Storytime” is published.').waitFor()
  expect(await status()).toBe('publish')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Return as a draft: Storytime' }).click()
  await page.getByLabel('Message to the author').fill('Which age is it for?')
  expect(await findings(page)).toEqual([])
  await page.context().setOffline(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Return as a draft' }).click()
  await page.getByRole('dialog').getByText('The service did not answer.').waitFor()
  expect(await page.getByLabel('Message to the author').inputValue()).toBe('Which age is it for?')
  await page.context().setOffline(false)
  await page.getByRole('dialog').getByRole('button', { name: 'Return as a draft' }).click()
  await page.getByText('“Storytime” is a draft again.').waitFor()
  expect(await status()).toBe('draft')
  await page.goto(`${new URL(page.url()).origin}/edit/events/${event}`)
  await page.getByText('Which age is it for?').waitFor()
})

test('the queue speaks French, and is for editors', async () => {
  await propose()
  const { page } = await editor.open('/queue', { locale: 'fr-FR', role: 'editor' })
  await page.getByRole('button', { name: 'Accepter et publier : Village fair' }).waitFor()
  await page.getByText('De Ada, le').waitFor()
  const { page: other } = await editor.open('/queue', { role: 'author' })
  await other.getByRole('heading', { name: 'Nothing is here' }).waitFor()
})

test('a long queue has more pages and says how much is in it, also after a decision', async () => {
  const { db } = editor.app
  const { id: authorId } = await makeUser(db, 'contributor')
  for (let number = 1; number <= 52; number++) {
    const start = `2026-12-06T15:00:${String(number).padStart(2, '0')}`
    await makeEvent(db, { en: `Talk ${number}` }, { status: 'pending', authorId, start })
    await db.proposal.create({
      data: {
        ...{ kind: 'event', language: 'en', proposed: { ...proposed, title: `Fair ${number}` } },
        ...{ tokenHash: `${number}`, challenge: `${number}`, unproven: false },
        ...{ createdAt: editor.app.clock.now, modifiedAt: editor.app.clock.now },
      },
    })
  }
  const { page, complaints } = await editor.open('/queue', { role: 'editor' })
  await page.getByRole('heading', { name: 'Proposals of visitors (52)' }).waitFor()
  await page.getByRole('heading', { name: 'Events to approve (52)' }).waitFor()
  const count = (label: RegExp) => page.getByRole('button', { name: label }).count()
  expect([await count(/^Fair \d/), await count(/^Publish: Talk/)]).toEqual([50, 50])
  await page.getByRole('button', { name: 'Show more proposals' }).click()
  await page.getByRole('button', { name: /^Fair 1 New/ }).waitFor()
  await page.getByRole('button', { name: 'Show more events' }).click()
  await page.getByRole('button', { name: 'Publish: Talk 52' }).click()
  await page.getByRole('heading', { name: 'Events to approve (51)' }).waitFor()
  await page.getByRole('button', { name: 'Publish: Talk 51' }).waitFor()
  expect([await count(/^Fair \d/), await count(/^Publish: Talk/)]).toEqual([52, 51])
  expect(complaints).toEqual([])
})
