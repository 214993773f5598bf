import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, 'Open')
  await makeEvent(app.db, 'Secret', { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) })
})
afterAll(() => app?.close())

test.each([
  ['', ['Open'], ['Secret']],
  ['query @inContext(password: "sesame")', ['Open', 'Secret'], []],
  ['query @inContext(password: "wrong")', ['Open'], ['Secret']],
  ['query @inContext(forEditing: true)', ['Open', 'Secret'], []],
])('the filter `locked` compares what the operation withholds: %s', async (operation, open, locked) => {
  const administrator = await app.signIn('administrator')
  const client = operation.includes('forEditing') ? administrator : app
  for (const [value, titles] of [
    [false, open],
    [true, locked],
  ] as const) {
    const { body } = await client.graphql(
      `${operation} { eventsPage(filter: { locked: ${value} }) { total items { title locked } } }`,
    )
    const { total, items } = body.data.eventsPage
    expect([total, items.map(({ title }: { title: string }) => title).sort()]).toEqual([titles.length, titles])
    for (const item of items) expect(item.locked).toBe(value)
  }
})
