// The state of an event: whether it takes place as planned, and whether people attend it on site or online.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashRecordPassword } from '../../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeEvent } from '../../helpers/make.ts'
import { party, read, write, written } from '../../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const selection = 'eventStatus attendanceMode onlineUrl previousStartsAt'
const planned = { eventStatus: 'SCHEDULED', attendanceMode: 'OFFLINE', onlineUrl: null, previousStartsAt: null }
const zoned = { ...party, timeZone: 'UTC' }
const oldStart = '2026-12-24T20:00:00.000Z'
const later = { startsLocal: '2026-12-27T20:00:00', endsLocal: '2026-12-27T23:00:00' }

/** The state after updates of a new event. */
async function stateAfter(...updates: readonly object[]) {
  const id = await written(admin, 'create', 'event', zoned)
  for (const update of updates) expect((await write(admin, 'update', 'event', { id, ...update })).errors).toEqual([])
  return read(app, 'event', id, selection)
}

test('an event takes place as planned and on site by default', async () => {
  expect(await stateAfter()).toEqual(planned)
  expect(await stateAfter({ eventStatus: null, attendanceMode: null, onlineUrl: null })).toEqual(planned)
})

test('an update of other fields does not change the state', async () => {
  const state = {
    ...{ eventStatus: 'POSTPONED', attendanceMode: 'MIXED', onlineUrl: 'https://example.org/room' },
    previousStartsAt: oldStart,
  }
  expect(await stateAfter(state, { title: 'New title' }, later)).toEqual(state)
})

test('an event that is rescheduled to another start stores the old one', async () => {
  const rescheduled = { ...planned, eventStatus: 'RESCHEDULED', previousStartsAt: oldStart }
  expect(await stateAfter({ eventStatus: 'RESCHEDULED', ...later })).toEqual(rescheduled)
  expect(await stateAfter({ eventStatus: 'RESCHEDULED' }, later)).toEqual(rescheduled)
  expect(await stateAfter({ eventStatus: 'RESCHEDULED', startsAt: '2026-12-24T21:00:00Z' })).toEqual(rescheduled)
})

test('an event that is rescheduled twice stores its last start', async () => {
  const again = { startsLocal: '2026-12-28T20:00:00', endsLocal: '2026-12-28T23:00:00' }
  expect(await stateAfter({ eventStatus: 'RESCHEDULED', ...later }, again)).toMatchObject({
    previousStartsAt: '2026-12-27T20:00:00.000Z',
  })
})

test('without another start, a rescheduled event stores no old one', async () => {
  const rescheduled = { ...planned, eventStatus: 'RESCHEDULED' }
  expect(await stateAfter({ eventStatus: 'RESCHEDULED' })).toEqual(rescheduled)
  expect(await stateAfter({ eventStatus: 'RESCHEDULED', endsLocal: '2026-12-24T23:30:00' })).toEqual(rescheduled)
  expect(await stateAfter(later)).toEqual(planned)
})

test('previousStartsAt in the input replaces the old start', async () => {
  const moved = { eventStatus: 'RESCHEDULED', ...later }
  const previousStartsAt = '2026-11-30T18:00:00.000Z'
  expect(await stateAfter({ ...moved, previousStartsAt })).toMatchObject({ previousStartsAt })
  expect(await stateAfter({ ...moved, previousStartsAt: null })).toMatchObject({ previousStartsAt: null })
  expect(await stateAfter({ ...moved, previousStartsAt: '2026-11-30T18:00:00.999Z' })).toMatchObject({
    previousStartsAt,
  })
})

test('an event that takes place as planned again has no previous start', async () => {
  expect(await stateAfter({ eventStatus: 'RESCHEDULED', ...later }, { eventStatus: 'SCHEDULED' })).toEqual(planned)
})

test('an event that moves online is attended online, unless the input says otherwise', async () => {
  const moved = { ...planned, eventStatus: 'MOVED_ONLINE' }
  expect(await stateAfter({ eventStatus: 'MOVED_ONLINE' })).toEqual({ ...moved, attendanceMode: 'ONLINE' })
  const mixed = { eventStatus: 'MOVED_ONLINE', attendanceMode: 'MIXED' }
  expect(await stateAfter(mixed)).toEqual({ ...moved, ...mixed })
  expect(await stateAfter({ attendanceMode: 'MIXED' }, { eventStatus: 'MOVED_ONLINE' })).toMatchObject({
    attendanceMode: 'ONLINE',
  })
  const { record } = await write(admin, 'create', 'event', { ...party, eventStatus: 'MOVED_ONLINE' }, selection)
  expect(record).toEqual({ ...moved, attendanceMode: 'ONLINE' })
})

test.each(['ftp://example.org/', 'javascript:alert(1)', 'https:example.org', 'example.org', 'https://a b/', 'http://'])(
  'the online URL cannot be %s',
  async (onlineUrl) => {
    const query = `mutation ($input: CreateEventInput!) {
      createEvent(input: $input) { event { id } userErrors { path message } } }`
    const { body } = await admin.graphql(query, { input: { ...party, title: ' ', onlineUrl } })
    expect(body.data.createEvent).toEqual({
      event: null,
      userErrors: [
        { path: ['title'], message: expect.any(String) },
        { path: ['onlineUrl'], message: expect.stringContaining('http or https URL') },
      ],
    })
  },
)

test('readers without the password see the state of a locked event, but not its online URL', async () => {
  const state = { eventStatus: 'cancelled', attendanceMode: 'online', previousStartsAt: new Date(oldStart) } as const
  const onlineUrl = 'https://example.org/secret'
  const id = await makeEvent(app.db, 'Locked', {
    ...{ ...state, onlineUrl, cost: ['5'] },
    passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt),
  })
  const shown = { eventStatus: 'CANCELLED', attendanceMode: 'ONLINE', previousStartsAt: oldStart }
  const fields = `${selection} costEntries`
  expect(await read(app, 'event', id, fields)).toEqual({ ...shown, onlineUrl: null, costEntries: [] })
  const { body } = await app.graphql(`query @inContext(password: "sesame") { event(id: ${id}) { ${fields} } }`)
  expect(body.data.event).toEqual({ ...shown, onlineUrl, costEntries: ['5'] })
})

test('lists can be filtered by the state, also for locked events', async () => {
  const venueless = { start: '2027-03-01T20:00:00', passwordKey: 'unknown' }
  await makeEvent(app.db, 'Off', { ...venueless, eventStatus: 'cancelled' })
  await makeEvent(app.db, 'Web', { ...venueless, eventStatus: 'moved_online', attendanceMode: 'online' })
  await makeEvent(app.db, 'Both', { ...venueless, attendanceMode: 'mixed' })
  const titles = async (filter: string) => {
    const range = 'startsAt: { gte: "2027-03-01T00:00:00Z", lt: "2027-03-02T00:00:00Z" }'
    const { body } = await app.graphql(`{ events(filter: { ${range}, ${filter} }, orderBy: { field: TITLE }) {
      totalCount nodes { title } } }`)
    const { totalCount, nodes } = body.data.events
    expect(totalCount).toBe(nodes.length)
    return nodes.map(({ title }: { title: string }) => title)
  }
  expect(await titles('eventStatus: [CANCELLED]')).toEqual(['Off'])
  expect(await titles('eventStatus: [MOVED_ONLINE, SCHEDULED]')).toEqual(['Both', 'Web'])
  expect(await titles('attendanceMode: [ONLINE, MIXED]')).toEqual(['Both', 'Web'])
  expect(await titles('attendanceMode: OFFLINE, eventStatus: CANCELLED')).toEqual(['Off'])
  expect(await titles('eventStatus: []')).toEqual([])
  expect(await titles('eventStatus: null')).toEqual(['Both', 'Off', 'Web'])
})
