// A database whose disk is full.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  await app.database.pool.query(
    `CREATE FUNCTION refuse_space() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse_space()`,
  )
})
afterAll(() => app.close())

test('a full disk is reported by each API, and nothing is stored', async () => {
  const editor = await app.signIn('editor')
  const times = { start_date: '2030-05-01 10:00', end_date: '2030-05-01 12:00' }
  const venue = { venue: 'Town hall' }
  for (const body of [
    { title: 'A', ...times },
    { title: 'B', ...times, venue },
  ]) {
    const reply = await editor.send('POST', '/cal/events/v1/events', body)
    expect([reply.status, reply.body.code]).toEqual([507, 'rest_insufficient_storage'])
  }
  const reply = await editor.graphql(
    `mutation { createEvent(input: { title: "A", startsLocal: "2030-05-01T10:00:00", endsLocal: "2030-05-01T12:00:00" }) {
       event { title } userErrors { message } } }`,
  )
  expect(reply.status).toBe(507)
  expect(reply.body.errors[0].extensions).toEqual({ code: 'INSUFFICIENT_STORAGE', committed: false })
  expect(await app.db.venue.count()).toBe(0)
})
