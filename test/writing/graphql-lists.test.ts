// Lists in the payloads of mutations.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

test('the list of a record, in one fragment of several payloads, has what the earlier mutations wrote', async () => {
  const venueIds = [await makeVenue(app.db, 'Hall')]
  const id = await makeEvent(app.db, 'Party', { venueIds })
  const { body } = await editor.graphql(
    `fragment Fresh on EventPayload { event { venues { events(filter: { tags: ["fresh"] }) { totalCount } } } }
    mutation ($id: ID!) {
      before: updateEvent(input: { id: $id }) { ...Fresh }
      after: updateEvent(input: { id: $id, tags: [{ nameOrSlug: "fresh" }] }) { ...Fresh }
    }`,
    { id },
  )
  const payload = (totalCount: number) => ({ event: { venues: [{ events: { totalCount } }] } })
  expect(body).toEqual({ data: { before: payload(0), after: payload(1) } })
})
