// The mutation `returnEvent`: a pending event becomes a draft again, with a message to its author.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { createSeries, datesOf, ids, ruled } from '../helpers/series.ts'
import { startMailServer } from '../helpers/smtp.ts'
import { makeUser } from '../helpers/users.ts'

let app: TestApp
let editor: ApiClient
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const fields = 'status reviewMessage'

async function returnEvent(client: ApiClient, id: number, message?: string) {
  const { body } = await client.graphql(
    `mutation ($input: ReturnEventInput!) { returnEvent(input: $input) { event { ${fields} } userErrors { code } } }`,
    { input: { id, message } },
  )
  return body.data?.returnEvent ?? body.errors[0].extensions.code
}

const read = async (client: ApiClient, id: number) =>
  (await client.graphql(`query @inContext(forEditing: true) { event(id: ${id}) { ${fields} } }`)).body.data.event

const update = (client: ApiClient, id: number, status: string) =>
  client.graphql(`mutation { updateEvent(input: { id: ${id}, status: ${status} }) { userErrors { message } } }`)

test('its author reads the message until the event is submitted again', async () => {
  const author = await app.signIn('contributor')
  const { body } = await author.graphql(
    'mutation { createEvent(input: { title: "Storytime", status: PENDING, startsLocal: "2027-01-12T18:00:00", endsLocal: "2027-01-12T19:00:00" }) { event { databaseId } } }',
  )
  const id = body.data.createEvent.event.databaseId
  const event = { status: 'DRAFT', reviewMessage: 'Which age\nis it for?' }
  expect(await returnEvent(editor, id, ' Which age\nis it for? ')).toEqual({ event, userErrors: [] })
  expect(await read(author, id)).toEqual(event)
  await editor.graphql(`mutation { trashEvent(input: { id: ${id} }) { userErrors { message } } }`)
  expect(await read(editor, id)).toEqual({ status: 'TRASH', reviewMessage: null })
  await editor.graphql(`mutation { restoreEvent(input: { id: ${id} }) { userErrors { message } } }`)
  expect(await read(author, id)).toEqual(event)
  await update(author, id, 'PENDING')
  await update(author, id, 'DRAFT')
  expect(await read(author, id)).toEqual({ status: 'DRAFT', reviewMessage: null })
})

test('all dates of a series are returned, once, by editors only, and others do not read the message', async () => {
  const series = await createSeries(editor, {
    status: 'PENDING',
    schedule: ruled('2027-01-12T18:00', 'FREQ=WEEKLY;COUNT=2'),
  })
  const [first = 0, second = 0] = ids(await datesOf(editor, series))
  expect(await returnEvent(await app.signIn('author'), first)).toMatchObject({ userErrors: [{ code: 'FORBIDDEN' }] })
  await returnEvent(editor, first, 'Where?')
  expect(await read(editor, second)).toEqual({ status: 'DRAFT', reviewMessage: 'Where?' })
  expect(await returnEvent(editor, first)).toEqual({ event: null, userErrors: [{ code: 'CONFLICT' }] })
  await app.db.event.update({ where: { id: second }, data: { status: 'publish' } })
  const { body } = await app.graphql(`{ event(id: ${second}) { reviewMessage } }`)
  expect(body.data.event).toEqual({ reviewMessage: null })
})

test('a message that is too long is refused', async () => {
  const id = await makeEvent(app.db, 'Storytime', { status: 'pending' })
  expect(await returnEvent(editor, id, 'x'.repeat(2001))).toEqual({ event: null, userErrors: [{ code: 'BAD_INPUT' }] })
  expect(await read(editor, id)).toEqual({ status: 'PENDING', reviewMessage: null })
  expect(await returnEvent(editor, id, 'x'.repeat(2000))).toMatchObject({ event: { status: 'DRAFT' }, userErrors: [] })
})

test('the author gets the message by mail, with a link to the event', async () => {
  const mail = await startMailServer()
  const site = await serve(app, { SMTP_URL: mail.url, MAIL_FROM: 'calendar@town.test' })
  try {
    const { id: authorId } = await makeUser(app.db, 'contributor', { email: 'clara@example.org', locale: 'fr' })
    const id = await makeEvent(app.db, 'Storytime', { status: 'pending', authorId })
    await returnEvent(await site.signIn('editor'), id, 'Quel jour ?')
    await expect.poll(() => mail.mails.length).toBe(1)
    expect(mail.mails[0]).toMatch(/^To: clara@example\.org$/m)
    expect(mail.mails[0]).toContain('Quel jour ?')
    expect(mail.mails[0]).toContain(`/edit/events/${id}`)
  } finally {
    mail.close()
    await site.app.close()
  }
})
