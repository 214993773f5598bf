// Instants in the forms of RFC 3339, and with offsets without a colon.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { write } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

test.each([
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
  ['2026-12-24T20:00:00+0000', '2026-12-24T20:00:00.000Z'],
  ['2026-12-24T20:00:00-0530', '2026-12-25T01:30:00.000Z'],
])('an event may start at %s', async (startsAt, instant) => {
  const input = { title: 'Midnight', startsAt, endsAt: '2026-12-31T00:00:00Z', timeZone: 'UTC' }
  expect(await write(admin, 'create', 'event', input, 'startsAt')).toEqual({
    record: { startsAt: instant },
    errors: [],
  })
})

test.each(['2026-12-24T20:00:00', '2026-02-30T20:00:00Z', '2016-12-31T20:59:60Z', 'tomorrow'])(
  'the error for %s says what is valid',
  async (startsAt) => {
    const query = 'query ($at: DateTime) { events(filter: { startsAt: { lt: $at } }) { totalCount } }'
    const [{ message }] = (await app.graphql(query, { at: startsAt })).body.errors
    expect(message).toContain('such as 2026-05-01T20:30:00Z or 2026-05-01T20:30:00+02:00.')
  },
)
