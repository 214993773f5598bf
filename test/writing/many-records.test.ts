// A selection of records is changed by aliases of one document, each with an outcome of its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

test('20 updates in one document: what one of them may not do stops no other', async () => {
  const author = await app.signIn('author')
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, index) => makeEvent(app.db, `Event ${index}`, { authorId: author.id })),
  )
  await app.db.event.update({ where: { id: ids[7] }, data: { authorId: null } })
  const update = (id: number, index: number) =>
    `_${index}: updateEvent(input: { id: "${id}", eventStatus: CANCELLED }) { event { eventStatus } userErrors { code } }`
  const { body } = await author.graphql(`mutation { ${ids.map(update).join('\n')} }`)
  expect(body.errors).toBeUndefined()
  const expected = ids.map((_, index) => [
    `_${index}`,
    index === 7
      ? { event: null, userErrors: [{ code: 'FORBIDDEN' }] }
      : { event: { eventStatus: 'CANCELLED' }, userErrors: [] },
  ])
  expect(body.data).toEqual(Object.fromEntries(expected))
})
