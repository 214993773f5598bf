// Operations that commands run in process, with the rights of a user.
import { parse } from 'graphql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOperations } from '../../src/tools/operations.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeUser } from '../helpers/users.ts'

let app: TestApp
beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app.close())

const session = () => ({ ...app, now: () => now })

const createEvent = parse(`mutation ($title: String!) {
  createEvent(input: { title: $title, startsLocal: "2026-12-01T10:00:00", endsLocal: "2026-12-01T12:00:00" }) {
    event { status author { login } } userErrors { message }
  }
}`)

test('commands create records as the oldest administrator, or with the rights of a named user', async () => {
  await expect(createOperations(session(), { author: {} })).rejects.toThrow(/no administrator.* --as/)
  const first = await makeUser(app.db, 'administrator')
  await makeUser(app.db, 'administrator')
  const contributor = await makeUser(app.db, 'contributor')
  const create = async (author: { login?: string }, title: string) => {
    const { execute } = await createOperations(session(), { author })
    return execute(createEvent, { title })
  }
  expect(await create({}, 'By default')).toMatchObject({
    createEvent: { event: { status: 'PUBLISHED', author: { login: first.login } }, userErrors: [] },
  })
  expect(await create({ login: contributor.login.toUpperCase() }, 'A draft')).toMatchObject({
    createEvent: { event: { status: 'DRAFT', author: { login: contributor.login } } },
  })
  await expect(createOperations(session(), { author: { login: 'nobody' } })).rejects.toThrow(/login nobody/)
})

test('an operation that only checks writes nothing', async () => {
  await makeUser(app.db, 'administrator')
  const { execute } = await createOperations(session(), { author: {} })
  const before = await app.db.event.count()
  expect(await execute(createEvent, { title: 'Checked' }, { checksOnly: true })).toEqual({
    createEvent: { event: null, userErrors: [{ message: '' }] },
  })
  expect(await app.db.event.count()).toBe(before)
})
