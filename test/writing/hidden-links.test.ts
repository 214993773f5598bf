import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const update = `mutation ($input: UpdateEventInput!) {
  updateEvent(input: $input) { event { venues { name } organizers { name } } userErrors { code path message } } }`
const read = 'query ($id: ID) { event(id: $id) { venues { name } organizers { name } } }'

test('an update keeps venues and organizers that the author may not see', async () => {
  const [author, editor] = [await app.signIn('author'), await app.signIn('editor')]
  const hidden = { status: 'private', authorId: editor.id } as const
  const venueIds = [await makeVenue(app.db, 'Secret hall', hidden), await makeVenue(app.db, 'Hall')]
  const organizerIds = [await makeOrganizer(app.db, 'Secret club', hidden), await makeOrganizer(app.db, 'Club')]
  const id = await makeEvent(app.db, 'Concert', { authorId: author.id, venueIds, organizerIds })
  const other = await makeVenue(app.db, 'Park')

  const input = { id, venues: [{ id: other }], organizers: [] }
  const { event, userErrors } = (await author.graphql(update, { input })).body.data.updateEvent
  expect({ event, userErrors }).toEqual({ event: { venues: [{ name: 'Park' }], organizers: [] }, userErrors: [] })
  expect((await editor.graphql(read, { id })).body.data.event).toEqual({
    venues: [{ name: 'Park' }, { name: 'Secret hall' }],
    organizers: [{ name: 'Secret club' }],
  })

  await editor.graphql(update, { input: { id, venues: [], organizers: [] } })
  expect((await editor.graphql(read, { id })).body.data.event).toEqual({ venues: [], organizers: [] })
})

test.each([
  ['venues', makeVenue],
  ['organizers', makeOrganizer],
] as const)('%s that the author may not see get the same error as IDs that do not exist', async (links, make) => {
  const [author, editor] = [await app.signIn('author'), await app.signIn('editor')]
  const id = await makeEvent(app.db, 'Concert', { authorId: author.id })
  const hidden = await make(app.db, 'Plans', { status: 'draft', authorId: editor.id })
  for (const unknown of [hidden, 999_999]) {
    const { body } = await author.graphql(update, { input: { id, [links]: [{ id: unknown }] } })
    expect(body.data.updateEvent.userErrors).toEqual([
      { code: 'BAD_INPUT', path: [links, '0', 'id'], message: `Unknown: ${unknown}.` },
    ])
  }
  const { body } = await editor.graphql(update, { input: { id, [links]: [{ id: hidden }] } })
  expect(body.data.updateEvent.event[links]).toEqual([{ name: 'Plans' }])
})
