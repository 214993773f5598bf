// Who else edits a record: a hint that expires, for those who may update it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeSeries, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let anna: ApiClient & { readonly id: number }
let ben: ApiClient & { readonly id: number }

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await truncate(app.db)
  anna = await app.signIn('editor')
  ben = await app.signIn('administrator')
})
afterAll(() => app?.close())

/** The IDs of the others, or the codes of the user errors. */
async function announce(client: ApiClient, recordId: string, isDone = false) {
  const { body } = await client.graphql(
    `mutation ($input: AnnounceEditingInput!) { announceEditing(input: $input) {
      others { user { databaseId name } since } userErrors { code } } }`,
    { input: { recordId, isDone } },
  )
  expect(body.errors).toBeUndefined()
  const { others, userErrors } = body.data.announceEditing
  return userErrors.length > 0
    ? userErrors.map(({ code }: { code: string }) => code)
    : others.map(({ user }: { user: { databaseId: number } }) => user.databaseId)
}

const later = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000)
}

const makers = {
  Event: makeEvent,
  Venue: makeVenue,
  Organizer: makeOrganizer,
  Category: makeCategory,
  Tag: makeTag,
  EventSeries: async (db: TestApp['db'], name: string) => (await makeSeries(db, name)).id,
}

test.each(Object.entries(makers))('%s: others see who edits it, until the form is closed', async (type, make) => {
  const [id, other] = [btoa(`${type}:${await make(app.db, 'One')}`), btoa(`${type}:${await make(app.db, 'Two')}`)]
  expect(await announce(anna, id)).toEqual([])
  expect(await announce(anna, id)).toEqual([])
  expect(await announce(ben, id)).toEqual([anna.id])
  expect(await announce(ben, other)).toEqual([])
  expect(await announce(anna, id, true)).toEqual([ben.id])
  expect(await announce(ben, id)).toEqual([])
})

test('somebody who announces nothing for 75 seconds counts as gone', async () => {
  const id = btoa(`Venue:${await makeVenue(app.db, 'Hall')}`)
  await announce(anna, id)
  later(60)
  expect(await announce(ben, id)).toEqual([anna.id])
  await announce(anna, id)
  later(60)
  expect(await announce(ben, id)).toEqual([anna.id])
  later(76)
  expect(await announce(ben, id)).toEqual([])
})

test('those who may not update the record neither announce nor see anything', async () => {
  const id = btoa(`Venue:${await makeVenue(app.db, 'Hall', { authorId: ben.id })}`)
  await announce(ben, id)
  expect(await announce(app, id)).toEqual(['UNAUTHENTICATED'])
  for (const role of ['author', 'contributor', 'subscriber'] as const) {
    expect(await announce(await app.signIn(role), id)).toEqual(['FORBIDDEN'])
  }
  expect(await announce(await app.signIn('author'), btoa(`Tag:${await makeTag(app.db, 'Jazz')}`))).toEqual([
    'FORBIDDEN',
  ])
  expect(await announce(anna, id)).toEqual([ben.id])
})

test('an unknown record, another kind of ID and a number are refused', async () => {
  expect(await announce(anna, btoa('Venue:987654'))).toEqual(['NOT_FOUND'])
  expect(await announce(anna, btoa(`Image:${await makeImage(app.db)}`))).toEqual(['BAD_INPUT'])
  expect(await announce(anna, '12')).toEqual(['BAD_INPUT'])
})
